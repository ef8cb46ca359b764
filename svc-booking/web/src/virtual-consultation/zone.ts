/** Hours of the hospital in the time zone of a visitor abroad. Uses Intl: only for code that runs in the browser. */

import { formatTime } from '@hospital/page/format';
import { clock } from '../appointment/calendar.ts';
import { plural, t } from '../messages.ts';

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
  if (begin.shift !== end.shift) return t('{from} to {until}', { from: shifted(begin), until: shifted(end) });
  const times = { from: begin.time, until: end.time };
  if (begin.shift < 0) return t('{from} to {until}, the day before', times);
  return begin.shift > 0 ? t('{from} to {until}, the next day', times) : t('{from} to {until}', times);
}

/** As `hoursIn`, with the place: `12:30 PM to 3:00 PM in New York`. */
export function hoursThere(zone: Zone, day: string, { from, until }: { from: string; until: string }): string {
  return t('{hours} in {place}', { hours: hoursIn(zone, day, from, until), place: zone.place });
}

function shifted({ time, shift }: LocalTime): string {
  if (shift < 0) return t('{time} the day before', { time });
  return shift > 0 ? t('{time} the next day', { time }) : time;
}

/** Returns the difference of the clocks on a day, for example `10 hours 30 minutes ahead of New York`. */
export function aheadOf({ id, place }: Zone, day: string): string {
  const minutes = IST_OFFSET_MINUTES - offsetMinutes(id, Date.parse(`${day}T12:00:00${INDIA}`));
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const text = [
    hours && plural('{count} hour|{count} hours', hours),
    rest && t('{count} minutes', { count: rest }),
  ].filter(Boolean);
  const difference = { time: text.join(' '), place };
  return minutes > 0 ? t('{time} ahead of {place}', difference) : t('{time} behind {place}', difference);
}

interface LocalTime {
  time: string;
  /** Days from the hospital's day to the local one. */
  shift: -1 | 0 | 1;
}

function timeIn({ id }: Zone, day: string, label: string): LocalTime {
  const instant = Date.parse(`${day}T${clock(label)}:00${INDIA}`);
  const local = new Date(instant + offsetMinutes(id, instant) * MINUTE_MS);
  const text = local.toISOString();
  const localDay = text.slice(0, 10);
  return {
    // The formatter knows India's clock alone.
    time: formatTime(text.replace('Z', INDIA)),
    shift: localDay === day ? 0 : localDay < day ? -1 : 1,
  };
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
