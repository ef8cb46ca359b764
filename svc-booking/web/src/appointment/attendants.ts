/** Texts for an attendant (a doctor or a clinic): fee, place and hours. */
import type { Attendant as Listed, Sitting } from '@hospital/api/types';

/** Attendant as in responses about a time; only the list of departments includes hours. */
export type Attendant = Pick<Listed, 'doctorId' | 'feeRupees' | 'name' | 'place' | 'resource'> &
  Partial<Pick<Listed, 'byNameOnly' | 'sittings'>>;

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Formats the fee, for example `₹600`, without any space; empty if unknown. */
export function feeText({ feeRupees }: Pick<Attendant, 'feeRupees'>): string {
  return feeRupees > 0 ? `₹${feeRupees}` : '';
}

/** Formats fee and place, for example `₹600, Outpatient block, first floor`. */
export function feeAndPlace(attendant: Pick<Attendant, 'feeRupees' | 'place'>): string {
  return [feeText(attendant) || 'Fee: please ask reception', attendant.place].filter(Boolean).join(', ');
}

/** Formats a sitting, for example `Monday to Saturday, 9:00 AM to 1:00 PM`. */
export function hoursText({ weekdays, from, until }: Sitting): string {
  return `${daysText(weekdays)}, ${from} to ${until}`;
}

/** Formats days given as `Mon` to `Sat`, for example `Monday to Saturday` or `Tuesday, Thursday and Saturday`. */
export function daysText(weekdays: readonly string[]): string {
  const indexes = DAYS.flatMap((day, index) => (weekdays.includes(day.slice(0, 3)) ? [index] : []));
  const [first = 0, last = 0] = [indexes[0], indexes.at(-1)];
  const names = indexes.map((index) => DAYS[index] ?? '');
  if (indexes.length > 2 && last - first === indexes.length - 1) return `${names[0]} to ${names.at(-1)}`;
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');
}
