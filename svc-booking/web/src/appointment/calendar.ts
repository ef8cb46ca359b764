/** Bookable days and times, all in Indian Standard Time. */
import { addDays, formatTime, istDay } from '@hospital/page/format';
import { t } from '../messages.ts';

/** Number of days after today that can be booked. */
const DAYS_AHEAD_MAX = 60;
/** Number of days requested and shown at once. */
export const SPAN_DAYS = 14;

export const MORNING = [
  '9:00 AM',
  '9:30 AM',
  '10:00 AM',
  '10:30 AM',
  '11:00 AM',
  '11:30 AM',
  '12:00 PM',
  '12:30 PM',
] as const;
export const AFTERNOON = [
  '2:00 PM', '2:30 PM', '3:00 PM', '3:30 PM', '4:00 PM', '4:30 PM', '5:00 PM', '5:30 PM', '6:00 PM', '6:30 PM',
] as const; // prettier-ignore
export const TIMES = [...MORNING, ...AFTERNOON] as const;

export interface BookingWindow {
  first: string;
  last: string;
}

export function isTime(text: string): boolean {
  return (TIMES as readonly string[]).includes(text);
}

/** Returns the first and the last bookable day, `YYYY-MM-DD`. */
export function bookingWindow(now: string): BookingWindow {
  const first = istDay(now);
  return { first, last: addDays(first, DAYS_AHEAD_MAX) };
}

/** Days of one request, both inclusive. */
export interface Span {
  from: string;
  to: string;
}

/**
 * Returns the span of days that contains `day`; the first span for a day that cannot be booked. Spans are aligned from
 * today on. This keeps their number small while a visitor types a day.
 */
export function spanFor(day: string, { first, last }: BookingWindow): Span {
  let from = first;
  if (isDay(day) && day <= last) {
    for (let next = addDays(from, SPAN_DAYS); next <= day; next = addDays(from, SPAN_DAYS)) from = next;
  }
  const to = addDays(from, SPAN_DAYS - 1);
  return { from, to: to > last ? last : to };
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Returns `Sat`, as the API names weekdays, in every language. */
export function weekdayCode(day: string): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[new Date(day).getUTCDay()] ?? 'Sun';
}

/** Formats a day as `Sat` and `21 Nov`, for a narrow button. */
export function shortDay(day: string): { weekday: string; date: string } {
  const [, month, date] = day.split('-').map(Number) as [number, number, number];
  return { weekday: t(weekdayCode(day)), date: `${date} ${t(MONTHS[month - 1] ?? 'Jan')}` };
}

/** Formats a slot's label, such as `9:30 AM`, in the current language. Returns any other text unchanged. */
export function timeText(label: string): string {
  const time = clock(label);
  return time ? formatTime(`2026-01-01T${time}:00+05:30`) : label;
}

/** Converts `6:00 PM` to `18:00`. Returns an empty text for any other label. */
export function clock(label: string): string {
  const [, hours, minutes, half] = /^(\d{1,2}):(\d{2}) ([AP])M$/.exec(label) ?? [];
  return minutes ? `${String((Number(hours) % 12) + (half === 'P' ? 12 : 0)).padStart(2, '0')}:${minutes}` : '';
}

/** Returns whether the text is an existing day, written `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  try {
    return /^\d{4}-\d{2}-\d{2}$/.test(text) && istDay(text) === text;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

export function isMorning(time: string): boolean {
  return (MORNING as readonly string[]).includes(time);
}
