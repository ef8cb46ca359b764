import { formatDate, formatTime, istDay } from '@hospital/page/format';

/** Returns `Today, 3:30 PM IST`, or with the date. An unreadable time is returned as it is. */
export function momentText(time: string, now: string): string {
  if (Number.isNaN(Date.parse(time))) return time;
  return `${istDay(time) === istDay(now) ? 'Today' : formatDate(time)}, ${formatTime(time)} IST`;
}

/** Returns the day of a time: `Today`, or `Saturday 21 November 2026`. */
export function dayText(time: string, now: string): string {
  if (Number.isNaN(Date.parse(time))) return time;
  return istDay(time) === istDay(now) ? 'Today' : formatDate(time);
}
