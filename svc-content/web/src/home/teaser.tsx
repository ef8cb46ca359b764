import { formatDay } from '@hospital/page/format';
import styles from './teaser.module.css';

export interface TeaserEntry {
  id: string;
  title: string;
  /** Where the whole text is. */
  path: string;
  /** Path on this site or https address; without one, a drawn leaf stands there. */
  image?: string;
  badge: string;
  summary: string;
  /** RFC 3339 time or day. */
  date: string;
  /** Beside the date. */
  note?: string;
}

/** Up to three texts, each with picture, title and first words. */
export function Teaser({ entries }: { entries: TeaserEntry[] }) {
  return (
    <ul className={styles.grid}>
      {entries.map(({ id, title, path, image, badge, summary, date, note }) => (
        <li className={styles.card} key={id}>
          <div className={styles.picture}>
            {image && <img src={image} alt="" width={400} height={225} loading="lazy" />}
          </div>
          <div className={styles.body}>
            <p className={styles.badge}>{badge}</p>
            <h3 className={styles.title}>
              <a href={path}>{title}</a>
            </h3>
            <p className={styles.summary}>{summary}</p>
            <p className={styles.meta}>
              {date && <time dateTime={date.slice(0, 10)}>{formatDay(date)}</time>}
              {note && <span>{note}</span>}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
