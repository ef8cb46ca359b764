/** Sessions and leave in words. */
import type { Leave, Session } from '@hospital/api/types';
import { formatDay } from '@hospital/page/format';
import { isDay } from '../appointment/calendar.ts';
import { WEEKDAYS } from './week.ts';

/** Returns whether the text can be an id or a version: it has no character that a path or a header could misread. */
export function isWord(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}

/** Returns `Mon, Wed and Fri`, or `Mon to Sat` for all days. */
export function weekdaysText(weekdays: readonly string[]): string {
  if (weekdays.length === WEEKDAYS.length) return 'Mon to Sat';
  const last = weekdays.at(-1) ?? '';
  return weekdays.length < 2 ? last : `${weekdays.slice(0, -1).join(', ')} and ${last}`;
}

/** Returns the days and hours of a session: `Mon to Sat, 9:00 AM to 1:00 PM, from 1 December 2026`. */
export function sessionText({ weekdays, from, until, validFrom, validUntil }: Session): string {
  const first = validFrom && `from ${dayText(validFrom)}`;
  const last = validUntil && `until ${dayText(validUntil)}`;
  return [weekdaysText(weekdays), `${from} to ${until}`, [first, last].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ');
}

/** Returns `23 November 2026`, or `23 November 2026 to 27 November 2026`. */
export function daysText(from: string, until: string): string {
  return from === until ? dayText(from) : `${dayText(from)} to ${dayText(until)}`;
}

/** Returns a text that is no day as it is. */
function dayText(text: string): string {
  return isDay(text) ? formatDay(text) : text;
}

export function leaveText({ from, until }: Pick<Leave, 'from' | 'until'>): string {
  return daysText(from, until);
}
