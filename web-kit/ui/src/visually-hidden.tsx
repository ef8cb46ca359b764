import type { ReactNode } from 'react';
import { Filled } from '@hospital/page/text';
import styles from './visually-hidden.module.css';

/** Renders text for screen readers that takes no space on the page. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}

interface PartlyHiddenProps {
  text: string;
  /** Elements for the parameters of a text that has any left. */
  with?: Readonly<Record<string, ReactNode>>;
}

/** Renders a text whose part in square brackets is for screen readers only: `Learn More[ about the ICU]`. */
export function PartlyHidden({ text, with: parts = {} }: PartlyHiddenProps) {
  const [, before = text, hidden = '', after = ''] = /^([^[]*)\[(.*)\]([^\]]*)$/.exec(text) ?? [];
  return (
    <>
      <Filled text={before} with={parts} />
      {hidden && (
        <VisuallyHidden>
          <Filled text={hidden} with={parts} />
        </VisuallyHidden>
      )}
      <Filled text={after} with={parts} />
    </>
  );
}
