/** Hours of the hospital in the time zone of a visitor abroad. Uses Intl: only for code that runs in the browser. */

const INDIA = '+05:30';
const MINUTE_MS = 60_000;
const IST_OFFSET_MINUTES = 330;

/** A time zone whose clocks differ from India's. */
export interface Zone {
  /** IANA name, for example `America/New_York`. */
  id: string;
  /** For example `New York`. */
  place: string;
}

/** Returns the browser's zone, or null if its clocks show Indian time at `now`. */
export function zoneOf(id: string, now: string): Zone | null {
  const instant = Date.parse(now);
  if (offsetMinutes(id, instant) === IST_OFFSET_MINUTES) return null;
  return { id, place: (id.split('/').at(-1) ?? id).replaceAll('_', ' ') };
}

/**
 * Converts hours in India on a day, such as 6:00 PM and 8:30 PM, to `12:30 PM to 3:00 PM`, and adds `the day before` or
 * `the next day` where the date differs.
 */
export function hoursIn(zone: Zone, day: string, from: string, until: string): string {
  const [begin, end] = [timeIn(zone, day, from), timeIn(zone, day, until)];
  if (begin.shift === end.shift)
    return [`${begin.time} to ${end.time}`, SHIFTS[begin.shift]].filter(Boolean).join(', ');
  return [begin, end].map(({ time, shift }) => [time, SHIFTS[shift]].filter(Boolean).join(' ')).join(' to ');
}

/** Returns the difference of the clocks on a day, for example `10 hours 30 minutes ahead of New York`. */
export function aheadOf({ id, place }: Zone, day: string): string {
  const minutes = IST_OFFSET_MINUTES - offsetMinutes(id, Date.parse(`${day}T12:00:00${INDIA}`));
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const text = [hours && `${hours} ${hours === 1 ? 'hour' : 'hours'}`, rest && `${rest} minutes`].filter(Boolean);
  return `${text.join(' ')} ${minutes > 0 ? 'ahead of' : 'behind'} ${place}`;
}

type Shift = -1 | 0 | 1;
const SHIFTS: Readonly<Record<Shift, string>> = { '-1': 'the day before', 0: '', 1: 'the next day' };

function timeIn({ id }: Zone, day: string, label: string): { time: string; shift: Shift } {
  const instant = Date.parse(`${day}T${clock(label)}:00${INDIA}`);
  const local = new Date(instant + offsetMinutes(id, instant) * MINUTE_MS);
  const hours = local.getUTCHours();
  const minutes = String(local.getUTCMinutes()).padStart(2, '0');
  const localDay = local.toISOString().slice(0, 10);
  return {
    time: `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`,
    shift: localDay === day ? 0 : localDay < day ? -1 : 1,
  };
}

/** Converts `6:00 PM` to `18:00`. */
function clock(label: string): string {
  const [, hours, minutes, half] = /^(\d{1,2}):(\d{2}) ([AP])M$/.exec(label) ?? [];
  return `${String((Number(hours) % 12) + (half === 'P' ? 12 : 0)).padStart(2, '0')}:${minutes}`;
}

/** Returns how far a zone's clocks are ahead of UTC at an instant, with daylight saving. */
function offsetMinutes(id: string, instant: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: id,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(instant);
  const [year, month, date, hour, minute] = (['year', 'month', 'day', 'hour', 'minute'] as const).map((type) =>
    Number(parts.find((part) => part.type === type)?.value),
  ) as [number, number, number, number, number];
  return Math.round((Date.UTC(year, month - 1, date, hour, minute) - instant) / MINUTE_MS);
}
