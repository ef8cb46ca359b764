/**
 * Opening status, parsed from opening hours written for people. An unrecognised format yields no status, which is
 * better than a wrong one. Avoids Intl, which the gateway's JavaScript engine lacks; always uses Indian Standard Time.
 */
import { formatTime } from '@hospital/page/format';
import { language } from '@hospital/page/language';
import type { Site } from '@hospital/ui/site';
import { t } from '../messages.ts';

/** A line of `/site`, for example `{ purpose: 'opd', label: 'Outpatient department (OPD)', hours: '9:00 AM to 8:00 PM' }`. */
export type HoursLine = Site['hours'][number];

export interface OpenState {
  open: boolean;
  /** `Open now` or `Closed now`, with the next change if known. */
  words: string;
}

interface Opening {
  /** Weekdays on which it opens, 0 for Sunday. */
  days: readonly number[];
  /** Minutes after midnight; `to` exceeds 1440 if it closes on the next day. */
  from: number;
  to: number;
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
/** Purposes without Sunday hours. No doctor has a session on a Sunday, but the text of the line does not say so. */
const CLOSED_ON_SUNDAYS = ['opd'];
const DAY_MINUTES = 1440;
/** India has a single time zone without daylight saving: UTC+5:30. */
const IST_OFFSET_MINUTES = 330;

const ALL_DAY = /^24\s*(?:\/\s*7|hours\b.*)$/i;
const CLOCK = String.raw`(\d{1,2})(?::(\d{2}))?\s*([AP])\.?M\.?`;
const SPAN = new RegExp(`^${CLOCK}\\s*(?:-|–|to)\\s*${CLOCK}$`, 'i');
const DAY = '(sun|mon|tue|wed|thu|fri|sat)[a-z]*';
const WEEK = new RegExp(`^${DAY}(?:\\s*(?:-|–|to)\\s*${DAY})?$`, 'i');

/** Returns the status; null if the line cannot be parsed or does not cover this day. `now` is RFC 3339. */
export function openState(line: HoursLine, now: string): OpenState | null {
  if (ALL_DAY.test(line.hours.trim())) return { open: true, words: t('Open now') };
  const opening = language() === 'en' ? openingOf(line) : declaredOpening(line);
  const instant = Date.parse(now);
  if (!opening || Number.isNaN(instant)) return null;
  const { days, from, to } = opening;
  const local = new Date(instant + IST_OFFSET_MINUTES * 60_000);
  const today = local.getUTCDay();
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes();
  const isOn = (day: number) => days.includes((day + 7) % 7);
  const isOpen = (isOn(today) && minute >= from && minute < to) || (isOn(today - 1) && minute < to - DAY_MINUTES);
  if (isOpen)
    return {
      open: true,
      words: to - from >= DAY_MINUTES ? t('Open now') : t('Open now, until {time}', { time: clock(to) }),
    };
  // A line for other days does not cover this one.
  if (!isOn(today) && (language() === 'en' ? daysIn(line.label) : isOfDays(line))) return null;
  if (isOn(today) && minute < from)
    return { open: false, words: t('Closed now, opens at {time}', { time: clock(from) }) };
  if (!isOn(today + 1)) return { open: false, words: t('Closed now') };
  return { open: false, words: t('Closed now, opens tomorrow at {time}', { time: clock(from) }) };
}

function openingOf({ purpose, label, hours }: HoursLine): Opening | null {
  const [, ...parts] = SPAN.exec(hours.trim()) ?? [];
  const from = minuteOf(parts.slice(0, 3));
  const to = minuteOf(parts.slice(3));
  if (from === null || to === null || from === to) return null;
  const days = daysIn(label) ?? (CLOSED_ON_SUNDAYS.includes(purpose) ? EVERY_DAY.slice(1) : EVERY_DAY);
  return { days, from, to: to > from ? to : to + DAY_MINUTES };
}

/** Reads the fields for programs: the text of a translated line has another form. */
function declaredOpening({ weekdays = [], opens = '', closes = '' }: Partial<HoursLine>): Opening | null {
  const [from, to] = [opens, closes].map((time) =>
    /^\d{2}:\d{2}$/.test(time) ? Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) : NaN,
  ) as [number, number];
  if (Number.isNaN(from) || Number.isNaN(to) || from === to) return null;
  const days = weekdays.map((day) => DAYS.indexOf(day.slice(0, 3).toLowerCase()));
  return { days, from, to: to > from ? to : to + DAY_MINUTES };
}

/** Returns whether another line covers the other days: the front desk has one line for weekdays and one for the weekend. */
function isOfDays({ purpose }: HoursLine): boolean {
  return purpose.startsWith('footer_');
}

function minuteOf([hour, minute = '0', half]: (string | undefined)[]): number | null {
  const [hours, minutes] = [Number(hour), Number(minute)];
  if (!half || hours < 1 || hours > 12 || minutes > 59) return null;
  return ((hours % 12) + (half.toUpperCase() === 'P' ? 12 : 0)) * 60 + minutes;
}

/** Returns the weekdays in a label such as `Mon-Fri`; null for any other label. */
function daysIn(label: string): number[] | null {
  const [, first, last = first] = WEEK.exec(label.trim()) ?? [];
  if (!first || !last) return null;
  const from = DAYS.indexOf(first.toLowerCase());
  const count = (DAYS.indexOf(last.toLowerCase()) - from + 7) % 7;
  return EVERY_DAY.slice(0, count + 1).map((day) => (from + day) % 7);
}

function clock(minute: number): string {
  const hours = String(Math.floor(minute / 60) % 24).padStart(2, '0');
  return formatTime(`2026-01-01T${hours}:${String(minute % 60).padStart(2, '0')}:00+05:30`);
}
