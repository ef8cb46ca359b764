import type { ReactNode } from 'react';
import { Text } from '@hospital/page/text';
import styles from './post-card.module.css';

interface PostCardProps {
  href: string;
  title: string;
  /** Across the top, 16 to 9. */
  picture: ReactNode;
  /** Kind of post. */
  badge: ReactNode;
  text: string;
  /** Date and similar details. */
  meta: ReactNode;
  /** Level of the heading. Default 2. */
  level?: 2 | 3;
}

/** Renders a post as a card. The whole card is the link. */
export function PostCard({ href, title, picture, badge, text, meta, level = 2 }: PostCardProps) {
  const Heading = `h${level}` as const;
  return (
    <li className={styles.card} data-card="">
      {picture}
      <div className={styles.body}>
        <div>{badge}</div>
        <Heading className={styles.title}>
          <a className={styles.link} href={href}>
            <Text>{title}</Text>
          </a>
        </Heading>
        {text && (
          <p className={styles.text}>
            <Text>{text}</Text>
          </p>
        )}
        <p className={styles.meta}>{meta}</p>
      </div>
    </li>
  );
}
