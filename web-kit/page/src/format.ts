/**
 * Dates as visitors read them, without Intl (the gateway's engine has none) and always in
 * Indian Standard Time, so that server, browser and a traveller abroad see the same day.
 */

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const MONTHS = [
  'January', 'February', 'March', 'April', 'May', 'June',
  'July', 'August', 'September', 'October', 'November', 'December',
] as const; // prettier-ignore
/** India has one zone and no daylight saving: UTC+5:30. */
const IST_OFFSET_MINUTES = 330;
const DAY_MS = 86_400_000;

/**
 * The calendar day in India, `YYYY-MM-DD`, of an RFC 3339 time, or the day itself when given one.
 * Throws RangeError on text that is neither.
 */
export function istDay(value: string): string {
  return isDay(value) ? checked(value) : inIndia(value).toISOString().slice(0, 10);
}

/** `Saturday 21 November 2026`, from `YYYY-MM-DD` or an RFC 3339 time. */
export function formatDate(value: string): string {
  return `${weekday(value)} ${formatDay(value)}`;
}

/** `21 November 2026`. */
export function formatDay(value: string): string {
  const [year, month, day] = istDay(value).split('-').map(Number) as [number, number, number];
  return `${day} ${MONTHS[month - 1]} ${year}`;
}

/** `3:30 PM`, from an RFC 3339 time. Print `IST` beside it where the zone is not obvious. */
export function formatTime(value: string): string {
  const date = inIndia(value);
  const hours = date.getUTCHours();
  return `${hours % 12 || 12}:${String(date.getUTCMinutes()).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** `Saturday`. */
export function weekday(value: string): string {
  return WEEKDAYS[new Date(`${istDay(value)}T00:00:00Z`).getUTCDay()] as string;
}

/** The day that many days later (or earlier, when negative), `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${istDay(day)}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value);
}

function checked(day: string): string {
  // Date moves 30 February on into March instead of refusing it.
  if (new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day) throw new RangeError(`no such day: ${day}`);
  return day;
}

/** The instant shifted so that its UTC fields read as the clock in India. */
function inIndia(value: string): Date {
  const instant = Date.parse(value);
  if (Number.isNaN(instant)) throw new RangeError(`no RFC 3339 time: ${value}`);
  return new Date(instant + IST_OFFSET_MINUTES * 60_000);
}
