import { Badge } from '@hospital/ui/badge';
import { PostCard } from '@hospital/ui/post-card';
import { Picture } from '../parts/picture.tsx';
import { dayOf, plain, shortened } from '../parts/text.ts';
import styles from './teaser.module.css';

export interface TeaserEntry {
  id: string;
  title: string;
  /** Path of the full text. */
  path: string;
  /** Image name from the content. */
  image: string;
  badge: string;
  /** Summary; if empty, the beginning of `content` is used, which may be HTML. */
  summary: string;
  content: string;
  /** RFC 3339 time or date. */
  date: string;
  /** Shown beside the date. */
  note?: string;
}

/** Up to three texts, each with picture, title and excerpt. `characters` limits an excerpt taken from the content. */
export function Teaser({ entries, characters }: { entries: TeaserEntry[]; characters: number }) {
  return (
    <ul className={styles.grid}>
      {entries.map(({ id, title, path, image, badge, summary, content, date, note }) => (
        <PostCard
          key={id}
          level={3}
          href={path}
          title={title}
          picture={<Picture image={image} />}
          badge={<Badge>{badge}</Badge>}
          text={summary || shortened(plain(content), characters)}
          meta={
            <>
              <time dateTime={date.slice(0, 10)}>{dayOf(date)}</time>
              {note && ` · ${note}`}
            </>
          }
        />
      ))}
    </ul>
  );
}
