import type { ReactNode } from 'react';
import { Text } from '@hospital/page/text';
import { classNames } from './class-names.tsx';
import { Breadcrumb, type Crumb } from './breadcrumb.tsx';
import styles from './page-hero.module.css';

interface PageHeroProps {
  title: string;
  lead?: string;
  /** Category of the page, above the title. */
  kicker?: ReactNode;
  trail?: Crumb[];
  /** Beside the text on wide windows, below it on phones. */
  media?: ReactNode;
  /** The media shows a person: small and first on phones. */
  portrait?: boolean;
  /** Below the lead. */
  children?: ReactNode;
}

/** Renders the top of a page: breadcrumb, the only `h1`, a lead, and the first action. */
export function PageHero({ title, lead, kicker, trail, media, portrait, children }: PageHeroProps) {
  return (
    <header className={styles.hero}>
      {trail && <Breadcrumb trail={trail} />}
      <div className={classNames(styles.columns, Boolean(media) && (portrait ? styles.portrait : styles.withMedia))}>
        <div className={styles.words}>
          {kicker && <div className={styles.kicker}>{kicker}</div>}
          <h1 className={styles.title}>
            <Text>{title}</Text>
          </h1>
          {lead && (
            <p className={styles.lead}>
              <Text>{lead}</Text>
            </p>
          )}
          {children}
        </div>
        {media && <div className={styles.media}>{media}</div>}
      </div>
    </header>
  );
}
