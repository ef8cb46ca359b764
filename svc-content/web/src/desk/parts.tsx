/** Parts of the pages of content: outcomes, states and differences. */
import type { ReactNode } from 'react';
import { classNames } from '@hospital/ui/class-names';
import { Notice } from '@hospital/ui/notice';
import type { Difference } from './difference.ts';
import { type ContentRecord, RESULT, stateOf } from './records.ts';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import own from './content.module.css';

interface ToldProps {
  tone: 'success' | 'failure';
  title: string;
  text?: string;
  children?: ReactNode;
}

/** Renders the outcome of a post. */
export function Told({ tone, title, text, children }: ToldProps) {
  const role = tone === 'success' ? 'status' : 'alert';
  return (
    <div id={RESULT} tabIndex={-1}>
      <Notice className={styles.outcome} tone={tone} role={role} title={title} data-keep="">
        {text && <p>{text}</p>}
        {children}
      </Notice>
    </div>
  );
}

export function State({ record }: { record: ContentRecord }) {
  const { mark, label } = stateOf(record);
  return (
    <p className={classNames(rows.state, own.state)} data-state={mark}>
      {label}
    </p>
  );
}

export function Differences({ differences }: { differences: readonly Difference[] }) {
  return (
    <dl className={classNames(styles.differences, own.text)}>
      {differences.map(({ label, before, after }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {before ? <del>{before}</del> : null} <ins>{after || 'nothing'}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
