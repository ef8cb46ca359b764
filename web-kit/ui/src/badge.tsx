import type { ReactNode } from 'react';
import { classNames } from './class-names.tsx';
import styles from './badge.module.css';

/** A short label of a kind, such as a specialty. Words carry the meaning, colour only groups. */
export function Badge({ tone = 'teal', children }: { tone?: 'teal' | 'champaca'; children: ReactNode }) {
  return <span className={classNames(styles.badge, styles[tone])}>{children}</span>;
}
