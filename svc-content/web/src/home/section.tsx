import type { ReactNode } from 'react';
import { classNames } from '@hospital/ui/class-names';
import styles from './section.module.css';
import { Text } from '@hospital/page/text';

interface HomeSectionProps {
  /** Anchor; also determines the heading's id. */
  id: string;
  title: string;
  lead?: string;
  /** Default: the paper background. `champaca` is the one full-bleed moment of the page. */
  tone?: 'soft' | 'champaca';
  /** On wide screens, the heading is beside the content and not above it. */
  beside?: boolean;
  /** Link to the complete list. */
  more?: { label: string; path: string };
  children: ReactNode;
}

/** A bordered section of the home page: heading, content, and a link to the complete list. */
export function HomeSection({ id, title, lead, tone, beside, more, children }: HomeSectionProps) {
  return (
    <section className={classNames(styles.section, tone && styles[tone])} id={id} aria-labelledby={`${id}-title`}>
      <div className={classNames(styles.inner, beside && styles.beside)}>
        <div className={styles.heading}>
          <h2 id={`${id}-title`}>
            <Text>{title}</Text>
          </h2>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        <div className={styles.content}>{children}</div>
        {more && (
          <p className={styles.more}>
            <a href={more.path}>{more.label}</a>
          </p>
        )}
      </div>
    </section>
  );
}
