import type { ComponentProps } from 'react';
import styles from './nothing-yet.module.css';

/** Renders the empty state of a list, with what to do instead. */
export function NothingYet(props: Omit<ComponentProps<'div'>, 'className'>) {
  return <div className={styles.nothing} {...props} />;
}
