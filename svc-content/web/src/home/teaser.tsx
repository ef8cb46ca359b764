import { Badge } from '@hospital/ui/badge';
import { PostCard } from '@hospital/ui/post-card';
import { Picture } from '../parts/picture.tsx';
import { dayOf, plain, shortened } from '../parts/text.ts';
import styles from './teaser.module.css';

export interface TeaserEntry {
  id: string;
  title: string;
  /** Where the whole text is. */
  path: string;
  /** As the content names it. */
  image: string;
  badge: string;
  /** What it is about; without one the first words of `content`, which may be HTML. */
  summary: string;
  content: string;
  /** RFC 3339 time or day. */
  date: string;
  /** Beside the date. */
  note?: string;
}

/** Up to three texts, each with picture, title and first words. `characters`: how much of a content stands for a summary. */
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
