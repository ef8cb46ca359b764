import type { ReactNode } from 'react';
import { t } from '@hospital/page/messages';
import { LinkButton } from './button.tsx';
import { Notice } from './notice.tsx';
import styles from './unavailable.module.css';

interface UnavailableProps {
  title: string;
  /** What cannot be shown, as the subject of a sentence. */
  what: string;
  path: string;
  /** Immediate help, shown before `Try again`: for example a number to call. */
  children?: ReactNode;
}

/** Renders a page whose data could not be read: its title, a failure notice, and what to do now. */
export function Unavailable({ title, what, path, children }: UnavailableProps) {
  return (
    <div className={styles.page}>
      <h1>{title}</h1>
      <Notice tone="failure" title={t('{what} can’t be shown right now', { what })}>
        <p>{t('Please try again in a minute, or call us: our front desk has the same information.')}</p>
        <div className={styles.actions}>
          {children}
          <LinkButton tone="secondary" href={path}>
            {t('Try again')}
          </LinkButton>
        </div>
      </Notice>
    </div>
  );
}
