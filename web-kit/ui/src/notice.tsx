import type { ComponentProps } from 'react';
import { classNames } from './class-names.tsx';
import styles from './notice.module.css';

type NoticeProps = Omit<ComponentProps<'div'>, 'title'> & {
  tone?: 'info' | 'success' | 'warning' | 'failure';
  title?: string;
};

/** Something the visitor should know here. Give it `role="alert"` or `role="status"` when it appears later. */
export function Notice({ tone = 'info', title, className, children, ...rest }: NoticeProps) {
  return (
    <div className={classNames(styles.notice, styles[tone], className)} {...rest}>
      {title && <p className={styles.title}>{title}</p>}
      {children}
    </div>
  );
}
