import type { ReactNode } from 'react';
import { t } from '@hospital/page/messages';
import { Text } from '@hospital/page/text';
import { LinkButton } from './button.tsx';
import { PartlyHidden } from './visually-hidden.tsx';
import styles from './entry-card.module.css';
import { type Drawing, DrawnHere } from './drawing.tsx';

interface EntryCardProps {
  name: string;
  description: string;
  /** Across the top. */
  picture?: ReactNode;
  /** Beside the name. */
  icon?: ReactNode;
  /** Target of `Learn More`. */
  href: string;
  /** Between description and buttons. */
  children?: ReactNode;
  /** Beside `Learn More`. */
  action?: ReactNode;
}

/** Renders a list entry for an item with its own page. */
export function EntryCard({ name, description, picture, icon, href, children, action }: EntryCardProps) {
  return (
    <li className={styles.card} data-card="">
      {picture}
      <div className={styles.body}>
        <div className={styles.heading}>
          {icon}
          <h2 className={styles.name}>
            <Text>{name}</Text>
          </h2>
        </div>
        <p className={styles.description}>
          <Text>{description}</Text>
        </p>
        {children}
        <div className={styles.actions}>
          <LinkButton tone="secondary" href={href}>
            <PartlyHidden text={t('Learn More[ about {name}]', { name })} />
          </LinkButton>
          {action}
        </div>
      </div>
    </li>
  );
}

/**
 * Renders a drawing across the top of a card. The first card of a list is in the first screen, so its drawing is
 * inline. Decorative: the name is below it.
 */
export function CardPicture({ drawing, first }: { drawing: Drawing | undefined; first: boolean }) {
  if (!drawing) return null;
  if (first) return <DrawnHere className={styles.picture} svg={drawing.svg} />;
  return <img className={styles.picture} src={drawing.address} alt="" width={320} height={180} loading="lazy" />;
}
