/** The clock in India, for small scripts. It loads no texts. */

/** India has one zone and no daylight saving: UTC+5:30. */
const IST_OFFSET_MINUTES = 330;

/** Returns the instant of an RFC 3339 time, shifted to make its UTC fields show the time in India. Throws RangeError. */
export function inIndia(value: string): Date {
  const instant = Date.parse(value);
  if (Number.isNaN(instant)) throw new RangeError(`no RFC 3339 time: ${value}`);
  return new Date(instant + IST_OFFSET_MINUTES * 60_000);
}

/** Hours at which the parts of the day begin. The part makes a time on the 12-hour clock clear. */
const PARTS = [0, 4, 6, 12, 16, 19];

/**
 * Returns `3:30 PM`, from an RFC 3339 time. `words` has the forms of another language, each with `%` for the time: one
 * that is not used, then one for each part of the day.
 */
export function timeOf(value: string, words = ''): string {
  const date = inIndia(value);
  const hours = date.getUTCHours();
  const form = words.split('; ')[PARTS.filter((begin) => begin <= hours).length] ?? `% ${hours < 12 ? 'AM' : 'PM'}`;
  return form.replace('%', `${hours % 12 || 12}:${String(date.getUTCMinutes()).padStart(2, '0')}`);
}
