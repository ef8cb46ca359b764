import type { ReactNode } from 'react';
import { classNames } from './class-names.tsx';
import { Breadcrumb, type Crumb } from './breadcrumb.tsx';
import styles from './page-hero.module.css';

interface PageHeroProps {
  title: string;
  lead?: string;
  /** Above the title: what kind of thing the page is about. */
  kicker?: ReactNode;
  trail?: Crumb[];
  /** Beside the words on wide windows, below them on phones. */
  media?: ReactNode;
  /** The media is a person: small and first on phones. */
  portrait?: boolean;
  /** Below the lead. */
  children?: ReactNode;
}

/** The top of a page: where one is, its one `h1`, what it is about, and the first thing to do. */
export function PageHero({ title, lead, kicker, trail, media, portrait, children }: PageHeroProps) {
  return (
    <header className={styles.hero}>
      <div className={styles.inner}>
        {trail && <Breadcrumb trail={trail} />}
        <div className={classNames(styles.columns, Boolean(media) && (portrait ? styles.portrait : styles.withMedia))}>
          <div className={styles.words}>
            {kicker && <div className={styles.kicker}>{kicker}</div>}
            <h1 className={styles.title}>{title}</h1>
            {lead && <p className={styles.lead}>{lead}</p>}
            {children}
          </div>
          {media && <div className={styles.media}>{media}</div>}
        </div>
      </div>
    </header>
  );
}
