import type { ComponentProps } from 'react';
import { classNames } from './class-names.tsx';
import styles from './notice.module.css';

type NoticeProps = Omit<ComponentProps<'div'>, 'title'> & {
  tone?: 'info' | 'success' | 'warning' | 'failure';
  title?: string;
  /** Keeps the message when the script of the staff area updates the list around it. */
  'data-keep'?: '';
};

/**
 * Renders a message for the visitor. Needs `role="alert"` or `role="status"` if it appears after the page has loaded.
 */
export function Notice({ tone = 'info', title, className, children, ...rest }: NoticeProps) {
  return (
    <div className={classNames(styles.notice, styles[tone], className)} {...rest}>
      {title && <p className={styles.title}>{title}</p>}
      {children}
    </div>
  );
}
