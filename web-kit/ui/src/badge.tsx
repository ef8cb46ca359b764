import type { ReactNode } from 'react';
import { classNames } from './class-names.tsx';
import styles from './badge.module.css';

/** Renders a short category label, such as a specialty. The text carries the meaning; colour only groups. */
export function Badge({ tone = 'teal', children }: { tone?: 'teal' | 'champaca'; children: ReactNode }) {
  return <span className={classNames(styles.badge, styles[tone])}>{children}</span>;
}
