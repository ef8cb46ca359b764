import { weekday } from '@hospital/page/format';
import styles from './date-tile.module.css';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A day as a leaf of a calendar. Decorative: the date is in words beside it. `date` is YYYY-MM-DD. */
export function DateTile({ date }: { date: string }) {
  const [, month, day] = /^\d{4}-(\d{2})-(\d{2})$/.exec(date) ?? [];
  if (!month || !day) return null;
  return (
    <span className={styles.tile} aria-hidden="true">
      <span className={styles.month}>{MONTHS[Number(month) - 1]}</span>
      <span className={styles.day}>{Number(day)}</span>
      <span className={styles.weekday}>{weekday(date).slice(0, 3)}</span>
    </span>
  );
}
