import type { ReactNode } from 'react';
import { classNames } from '@hospital/ui/class-names';
import { LinkButton } from '@hospital/ui/button';
import styles from './section.module.css';

interface HomeSectionProps {
  /** Anchor; the heading's id follows from it. */
  id: string;
  title: string;
  lead?: string;
  /** Paper without one. */
  tone?: 'mist' | 'warm';
  /** The next part belongs to this one: no line and little space before it. */
  open?: boolean;
  /** Where the whole of it is. */
  more?: { label: string; path: string };
  children: ReactNode;
}

/** One of the bordered sections of the home page: heading, content, and the way to all of it. */
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
