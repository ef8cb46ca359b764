/** Booking links for doctors and specialties, resolved through the departments of the booking form. */
import type { Attendant, Department, ListDepartmentsResponse, Sitting } from '@hospital/api/types';
import type { DataResult } from '@hospital/page';
import { address } from '@hospital/ui/address';
import { language } from '@hospital/page/language';
import { named, t } from '../messages.ts';
import { shortWeekday, timeText, WEEK } from './days.ts';

export type Departments = DataResult<ListDepartmentsResponse>;

export const BOOKING = '/appointment';

/**
 * Returns the path of the directory's doctors of a specialty. In English, addresses have its label; in other languages,
 * its key, because addresses are not translated.
 */
export function doctorsOf(label: string, key: string): string {
  return `/doctors?specialty=${encodeURIComponent(language() === 'en' ? label : key)}`;
}

/** Returns the departments with their names in the page's language; null if they could not be loaded. */
function departmentsOf(answer: Departments | undefined): Department[] | null {
  const departments = answer?.ok ? answer.body?.departments : null;
  if (!Array.isArray(departments)) return null;
  return departments.map((department) => ({
    ...department,
    name: named(department.name),
    attendants: attendantsOf(department).map((one) => ({ ...one, name: named(one.name), place: named(one.place) })),
  }));
}

/** Services of earlier releases list no attendants. */
function attendantsOf({ attendants = [] }: Department): Attendant[] {
  return attendants;
}

/** Department of a doctor, and the attendant that represents the doctor there. */
export interface DoctorPlace {
  department: Department;
  attendant: Attendant | undefined;
}

export function placeOf(answer: Departments | undefined, doctor: string): DoctorPlace | null {
  const department = departmentsOf(answer)?.find(({ doctorIds }) => doctorIds.includes(doctor));
  if (!department) return null;
  return { department, attendant: attendantsOf(department).find(({ doctorId }) => doctorId === doctor) };
}

/**
 * Returns the booking form's path with the doctor preselected. If the department is unknown here, the form resolves it.
 */
export function bookDoctor(answer: Departments | undefined, doctor: string): string {
  return address(BOOKING, { department: placeOf(answer, doctor)?.department.id, doctor });
}

/** How a specialty can be booked. */
export type SpecialtyBooking =
  /** As a department of the form. */
  | { kind: 'department'; href: string; clinics: Attendant[] }
  /** With a doctor whom the form lists under another department. */
  | { kind: 'doctor'; href: string; doctor: string; under: string; clinics: [] }
  /** Not at all: there is neither a doctor nor a clinic. `first` is for patients who do not know whom to see. */
  | { kind: 'none'; first: Department | undefined; clinics: [] }
  /** Unknown: the departments could not be loaded. */
  | { kind: 'unknown'; href: string; clinics: [] };

export function bookingOf(
  answer: Departments | undefined,
  { slug, doctors }: { slug: string; doctors: readonly string[] },
  /** Of the doctors, if they are known. Names can differ between services in other languages than English. */
  doctorIds: readonly string[] = [],
): SpecialtyBooking {
  const departments = departmentsOf(answer);
  if (!departments) return { kind: 'unknown', href: BOOKING, clinics: [] };
  const own = departments.find(({ id, bookable }) => id === slug && bookable);
  if (own) {
    const clinics = attendantsOf(own).filter(({ doctorId }) => !doctorId);
    return { kind: 'department', href: address(BOOKING, { department: own.id }), clinics };
  }
  for (const { id, name: under, attendants = [] } of departments) {
    const one = attendants.find(
      ({ name, doctorId }) => doctorId && (doctors.includes(name) || doctorIds.includes(doctorId)),
    );
    if (one) {
      const href = address(BOOKING, { department: id, doctor: one.doctorId });
      return { kind: 'doctor', href, doctor: one.name, under, clinics: [] };
    }
  }
  if (doctors.length) return { kind: 'unknown', href: BOOKING, clinics: [] };
  // The hospital lists the department for everybody first.
  return { kind: 'none', first: departments.find(({ bookable }) => bookable), clinics: [] };
}

/** Formats `Mon–Sat, 9:00 AM – 1:00 PM`; non-consecutive days are listed individually. */
export function sittingText({ weekdays, from, until }: Sitting): string {
  const [first, last] = [weekdays[0] ?? '', weekdays.at(-1) ?? ''];
  const at = (day: string) => WEEK.findIndex((one) => one === day);
  const run = WEEK.slice(at(first), at(last) + 1);
  const isRun = weekdays.length > 2 && run.join() === weekdays.join();
  const names = weekdays.map(shortWeekday);
  const days = isRun ? `${names[0]}–${names.at(-1)}` : names.join(', ');
  return t('{days}, {from} – {until}', { days, from: timeText(from), until: timeText(until) });
}

/** Formats `₹500`; returns an empty string if the fee is unknown. */
export function feeText({ feeRupees }: Pick<Attendant, 'feeRupees'>): string {
  return feeRupees > 0 ? `₹${feeRupees}` : '';
}
