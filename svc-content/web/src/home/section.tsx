import type { ReactNode } from 'react';
import { classNames } from '@hospital/ui/class-names';
import { LinkButton } from '@hospital/ui/button';
import styles from './section.module.css';

interface HomeSectionProps {
  /** Anchor; also determines the heading's id. */
  id: string;
  title: string;
  lead?: string;
  /** Default: the paper background. */
  tone?: 'mist' | 'warm';
  /** Joins the section to the next one: no line and little space between them. */
  open?: boolean;
  /** Link to the complete list. */
  more?: { label: string; path: string };
  children: ReactNode;
}

/** A bordered section of the home page: heading, content, and a link to the complete list. */
export function HomeSection({ id, title, lead, tone, open, more, children }: HomeSectionProps) {
  return (
    <section
      className={classNames(styles.section, tone && styles[tone], open && styles.open)}
      id={id}
      aria-labelledby={`${id}-title`}
    >
      <div className={styles.inner}>
        <div className={styles.heading}>
          <h2 id={`${id}-title`}>{title}</h2>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {children}
        {more && (
          <p className={styles.more}>
            <LinkButton tone="secondary" href={more.path}>
              {more.label}
            </LinkButton>
          </p>
        )}
      </div>
    </section>
  );
}
