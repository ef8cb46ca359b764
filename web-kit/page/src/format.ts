/**
 * Formats dates for visitors in the current language, without Intl, which the gateway's engine lacks. Always uses Indian
 * Standard Time, so server, browser and a traveller abroad see the same day.
 */
import { inIndia, timeOf } from './clock.ts';
import { t, template } from './messages.ts';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const MONTHS = [
  'January', 'February', 'March', 'April', 'May', 'June',
  'July', 'August', 'September', 'October', 'November', 'December',
] as const; // prettier-ignore
const DAY_MS = 86_400_000;

/**
 * Returns the calendar day in India, `YYYY-MM-DD`, of an RFC 3339 time. Returns a given day unchanged.
 * Throws RangeError for any other text.
 */
export function istDay(value: string): string {
  return isDay(value) ? checked(value) : inIndia(value).toISOString().slice(0, 10);
}

/** Returns `Saturday 21 November 2026`, from `YYYY-MM-DD` or an RFC 3339 time. */
export function formatDate(value: string): string {
  return `${weekday(value)} ${formatDay(value)}`;
}

/** Returns `21 November 2026`, from `YYYY-MM-DD` or an RFC 3339 time. */
export function formatDay(value: string): string {
  const [year, month, day] = istDay(value).split('-').map(Number) as [number, number, number];
  return `${day} ${t(MONTHS[month - 1] ?? 'January')} ${year}`;
}

/**
 * Returns `3:30 PM`, `ಮಧ್ಯಾಹ್ನ 3:30` or `दोपहर 3:30 बजे`, from an RFC 3339 time. Print `IST` beside it where the zone is
 * not obvious.
 */
export function formatTime(value: string): string {
  return timeOf(value, template('##times'));
}

/** Returns whether it is night in India, 7 PM to 6 AM, at an RFC 3339 time. */
export function isNight(value: string): boolean {
  const hour = inIndia(value).getUTCHours();
  return hour >= 19 || hour < 6;
}

/** Returns `Saturday`, from `YYYY-MM-DD` or an RFC 3339 time. */
export function weekday(value: string): string {
  return t(WEEKDAYS[new Date(`${istDay(value)}T00:00:00Z`).getUTCDay()] ?? 'Sunday');
}

/** Returns the day `days` later (earlier if negative), `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${istDay(day)}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value);
}

function checked(day: string): string {
  // Date rolls 30 February over into March instead of refusing it.
  if (new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day) throw new RangeError(`no such day: ${day}`);
  return day;
}
