import type { BlogLink } from '@hospital/api/types';
import { Picture } from '../parts/picture.tsx';
import { dayOf } from '../parts/text.ts';
import styles from './blog.module.css';
import { Text } from '@hospital/page/text';

/** Compact link to a post: picture, title and date. */
export function PostLink({ link, href }: { link: BlogLink; href: string }) {
  return (
    <li className={styles.post}>
      <Picture of={link} sizes="8rem" />
      <div>
        <a className={styles.postTitle} href={href}>
          <Text>{link.title}</Text>
        </a>
        <p className={styles.small}>{dayOf(link.publishedAt)}</p>
      </div>
    </li>
  );
}
