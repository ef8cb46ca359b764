import type { ComponentProps } from 'react';
import styles from './nothing-yet.module.css';

/** A list without entries: says so, and what to do instead. */
export function NothingYet(props: Omit<ComponentProps<'div'>, 'className'>) {
  return <div className={styles.nothing} {...props} />;
}
