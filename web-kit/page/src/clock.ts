/** The clock in India, for small scripts of English pages. It loads no texts. */

/** India has one zone and no daylight saving: UTC+5:30. */
const IST_OFFSET_MINUTES = 330;

/** Returns the instant of an RFC 3339 time, shifted to make its UTC fields show the time in India. Throws RangeError. */
export function inIndia(value: string): Date {
  const instant = Date.parse(value);
  if (Number.isNaN(instant)) throw new RangeError(`no RFC 3339 time: ${value}`);
  return new Date(instant + IST_OFFSET_MINUTES * 60_000);
}

/** Returns `3:30` of a time from `inIndia`. */
export function clockOf(date: Date): string {
  return `${date.getUTCHours() % 12 || 12}:${String(date.getUTCMinutes()).padStart(2, '0')}`;
}

/** Returns `3:30 PM`, from an RFC 3339 time. */
export function englishTime(value: string): string {
  const date = inIndia(value);
  return `${clockOf(date)} ${date.getUTCHours() < 12 ? 'AM' : 'PM'}`;
}
