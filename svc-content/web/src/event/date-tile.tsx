import { shortMonth, weekdayOf } from '../parts/days.ts';
import styles from './date-tile.module.css';

/** A day as a leaf of a calendar. Decorative: the date is in words beside it. `date` is YYYY-MM-DD. */
export function DateTile({ date }: { date: string }) {
  const [, month, day] = /^\d{4}-(\d{2})-(\d{2})$/.exec(date) ?? [];
  if (!month || !day) return null;
  return (
    <span className={styles.tile} aria-hidden="true">
      <span className={styles.month}>{shortMonth(date)}</span>
      <span className={styles.day}>{Number(day)}</span>
      <span className={styles.weekday}>{weekdayOf(date)}</span>
    </span>
  );
}
