/** Texts for an attendant (a doctor or a clinic): fee, place and hours. */
import type { Attendant as Listed, Sitting } from '@hospital/api/types';
import { addDays, weekday } from '@hospital/page/format';
import { named, t } from '../messages.ts';
import { timeText } from './calendar.ts';

/** Attendant as in responses about a time; only the list of departments includes hours. */
export type Attendant = Pick<Listed, 'doctorId' | 'feeRupees' | 'name' | 'place' | 'resource'> &
  Partial<Pick<Listed, 'byNameOnly' | 'sittings'>>;

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
/** A Monday. */
const MONDAY = '2024-01-01';

/** Formats the fee, for example `₹600`, without any space; empty if unknown. */
export function feeText({ feeRupees }: Pick<Attendant, 'feeRupees'>): string {
  return feeRupees > 0 ? `₹${feeRupees}` : '';
}

/** Formats fee and place, for example `₹600, Outpatient block, first floor`. */
export function feeAndPlace(attendant: Pick<Attendant, 'feeRupees' | 'place'>): string {
  return [feeText(attendant) || t('Fee: please ask reception'), named(attendant.place)].filter(Boolean).join(', ');
}

/** Formats a sitting, for example `Monday to Saturday, 9:00 AM to 1:00 PM`. */
export function hoursText({ weekdays, from, until }: Sitting): string {
  return t('{days}, {from} to {until}', { days: daysText(weekdays), from: timeText(from), until: timeText(until) });
}

/** Formats days given as `Mon` to `Sat`, for example `Monday to Saturday` or `Tuesday, Thursday and Saturday`. */
export function daysText(weekdays: readonly string[]): string {
  const indexes = DAYS.flatMap((day, index) => (weekdays.includes(day) ? [index] : []));
  const [first = 0, last = 0] = [indexes[0], indexes.at(-1)];
  const names = indexes.map((index) => weekday(addDays(MONDAY, index)));
  const [begin = '', end = ''] = [names[0], names.at(-1)];
  if (indexes.length > 2 && last - first === indexes.length - 1)
    return t('{first} to {last}', { first: begin, last: end });
  return names.length > 1 ? t('{days} and {last}', { days: names.slice(0, -1).join(', '), last: end }) : begin;
}
