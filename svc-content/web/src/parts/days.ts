/** Short dates and times in the page's language. */
import { addDays, formatTime, istDay } from '@hospital/page/format';
import { language } from '@hospital/page/language';
import { t } from '../messages.ts';

export const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export const MONTHS = [
  'Jan##month', 'Feb##month', 'Mar##month', 'Apr##month', 'May##month', 'Jun##month',
  'Jul##month', 'Aug##month', 'Sep##month', 'Oct##month', 'Nov##month', 'Dec##month',
] as const; // prettier-ignore

/** Returns a weekday of the API, such as `Mon`, in the page's language. */
export function shortWeekday(name: string): string {
  const known = WEEK.find((day) => day === name);
  return known ? t(known) : name;
}

/** Returns the month of a day as a short name. `day` is YYYY-MM-DD. */
export function shortMonth(day: string): string {
  return t(MONTHS[Number(day.slice(5, 7)) - 1] ?? 'Jan##month');
}

/** Returns the weekday of a day as a short name. `day` is YYYY-MM-DD. */
export function weekdayOf(day: string): string {
  // Monday, 1 January 2024, begins the week.
  const days = Math.round((Date.parse(`${istDay(day)}T00:00:00Z`) - Date.parse('2024-01-01T00:00:00Z')) / 86_400_000);
  return t(WEEK[((days % 7) + 7) % 7] ?? 'Mon');
}

/** Formats `Mon 23 Nov`. */
export function shortDay(date: string): string {
  return `${weekdayOf(date)} ${Number(date.slice(8, 10))} ${shortMonth(date)}`;
}

/** Returns `Today` or `Tomorrow` in India; an empty string for other days. */
export function nearDay(date: string, now: string): string {
  const today = istDay(now);
  if (date === today) return t('Today');
  return date === addDays(today, 1) ? t('Tomorrow') : '';
}

/** Returns hours and minutes of a label of the booking form, such as `9:00 AM`, as `09:00`; undefined for others. */
export function clockOf(label: string): string | undefined {
  const [, hour, minute, half] = /^(\d{1,2}):(\d{2}) ([AP])M$/.exec(label) ?? [];
  if (!hour) return undefined;
  return `${String((Number(hour) % 12) + (half === 'P' ? 12 : 0)).padStart(2, '0')}:${minute}`;
}

/** Returns a label of the booking form, such as `9:00 AM`, in the page's language. */
export function timeText(label: string): string {
  const clock = clockOf(label);
  return clock && language() !== 'en' ? formatTime(`2024-01-01T${clock}:00+05:30`) : label;
}
