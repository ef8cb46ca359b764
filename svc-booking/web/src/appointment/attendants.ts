/** Who sees the patient: a doctor or a clinic, with fee, place and hours, in words. */
import type { Attendant as Listed, Sitting } from '@hospital/api/list-departments';

/** As answers about a time name them; only the list of departments has hours too. */
export type Attendant = Pick<Listed, 'doctorId' | 'feeRupees' | 'name' | 'place' | 'resource'> &
  Partial<Pick<Listed, 'byNameOnly' | 'sittings'>>;

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** `₹600`, with a space that does not break nowhere in it; empty when it is not known. */
export function feeText({ feeRupees }: Pick<Attendant, 'feeRupees'>): string {
  return feeRupees > 0 ? `₹${feeRupees}` : '';
}

/** `₹600, Outpatient block, first floor` */
export function feeAndPlace(attendant: Pick<Attendant, 'feeRupees' | 'place'>): string {
  return [feeText(attendant) || 'Fee: please ask reception', attendant.place].filter(Boolean).join(', ');
}

/** `Monday to Saturday, 9:00 AM to 1:00 PM` */
export function hoursText({ weekdays, from, until }: Sitting): string {
  return `${daysText(weekdays)}, ${from} to ${until}`;
}

/** `Monday to Saturday`, `Tuesday, Thursday and Saturday`; from `Mon` to `Sat`. */
function daysText(weekdays: readonly string[]): string {
  const indexes = DAYS.flatMap((day, index) => (weekdays.includes(day.slice(0, 3)) ? [index] : []));
  const [first = 0, last = 0] = [indexes[0], indexes.at(-1)];
  const names = indexes.map((index) => DAYS[index] ?? '');
  if (indexes.length > 2 && last - first === indexes.length - 1) return `${names[0]} to ${names.at(-1)}`;
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');
}
