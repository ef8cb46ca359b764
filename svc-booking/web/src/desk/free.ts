/** The free times of a doctor or a department, on the pages that book and move. All days are Indian Standard Time. */
import type { AvailabilityDay, ListAvailabilityResponse } from '@hospital/api/types';
import { addDays, formatDay } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import type { AbsenceWords } from '@hospital/ui/desk-absence';
import type { DayTime } from '../appointment/alternatives.ts';
import { bookingWindow, isDay, isTime } from '../appointment/calendar.ts';
import { closedText } from '../appointment/closed.ts';

/** Name and value of the buttons that only show the form again. */
export const SHOW = { name: 'intent', value: 'show' } as const;
/** Reason code of the API: the time is not free any more. */
export const TAKEN = 'SLOT_TAKEN';
/** Name of the radio buttons. Also the element id of their group, for the summary of errors. */
export const WHEN = 'when';

/** Number of days that are shown at once. */
export const SPAN_DAYS = 14;

/** Response with the free times of a span of days. */
export type Free = Pick<ListAvailabilityResponse, 'days'> & {
  attendants: Pick<ListAvailabilityResponse['attendants'][number], 'name' | 'resource'>[];
};

export const TIMES_WORDS: AbsenceWords = {
  things: 'free times',
  whole: 'Choose again',
  page: '',
  filter: 'The department or the doctor in the address is unknown. Choose again.',
  down: 'Note the caller’s name and telephone number, and call back when the times are here again.',
};

/** Whose free times are shown. Without a doctor: those of any doctor or clinic of the department. */
export interface Whose {
  /** Department id. */
  department: string;
  /** Doctor id, or empty. */
  doctor: string;
  /** Whether the person is at the desk: the first free time is chosen. */
  walkIn?: boolean;
}

/** Value of the parameter `walkIn` in the address. */
export const NOW = 'now';

/** Returns the address of a day's free times, among those of a span of days. It names no patient. */
export function timesAddress(path: string, day: string, { department, doctor, walkIn }: Whose, from = day): string {
  const query = { department, doctor, walkIn: walkIn ? NOW : '', from, to: lastOf(from) };
  return address(`${path}/${encodeURIComponent(day)}`, query);
}

/** Returns the first day of the shown span: that of the address if its span has the day, else the day itself. */
export function firstDay(day: string, from = ''): string {
  return isDay(from) && from <= day && day <= lastOf(from) ? from : day;
}

/** Returns the last day of a span; empty if it begins with no day. */
function lastOf(from: string): string {
  return isDay(from) ? addDays(from, SPAN_DAYS - 1) : '';
}

/** Returns why a day can have no free times, or an empty text. */
export function dayProblem(day: string, now: string): string {
  const { first, last } = bookingWindow(now);
  if (!isDay(day)) return 'Give the day as YYYY-MM-DD, such as 2026-11-23';
  if (day < first) return 'This day has passed. Choose today or a later day';
  return day > last ? `Choose a day up to ${formatDay(last)}` : '';
}

/** Separates day and time in the value of a radio button: `2026-11-23 9:30 AM`. */
const DAY_CHARACTERS = 10;

export function whenText({ date, time }: DayTime): string {
  return `${date} ${time}`;
}

/** Parses the value of a radio button; null for any other text. */
export function whenOf(text: string): DayTime | null {
  const [date, time] = [text.slice(0, DAY_CHARACTERS), text.slice(DAY_CHARACTERS + 1)];
  return isDay(date) && isTime(time) && text === whenText({ date, time }) ? { date, time } : null;
}

/** Returns the labels of a day's free times. */
export function freeTimes({ days }: Pick<Free, 'days'>, day: string): string[] {
  const slots = days.find(({ date }) => date === day)?.slots ?? [];
  return slots.filter(({ available }) => available).map(({ time }) => time);
}

/** Returns the number of free times of a day. */
export function freeCount({ slots }: Pick<AvailabilityDay, 'slots'>): number {
  return slots.filter(({ available }) => available).length;
}

/** Returns why a day has no free time. `ended`: why the remaining times of today are not offered. */
export function noneText(
  day: AvailabilityDay,
  ended = 'The remaining times of today begin in less than an hour, so they can’t be booked.',
): string {
  if (day.closedCode === 'CLOSED_CODE_ENDED') return ended;
  return closedText(day) || 'Every time of this day is taken.';
}
