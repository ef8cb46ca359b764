/** How an appointment is booked with a doctor or in a specialty: by the departments of the booking form. */
import type { Attendant, Department, ListDepartmentsResponse, Sitting } from '@hospital/api/list-departments';
import type { DataResult } from '@hospital/page';
import { address } from '@hospital/ui/address';

export type Departments = DataResult<ListDepartmentsResponse>;

export const BOOKING = '/appointment';
/** Where those begin who do not know whom to see. */
export const FIRST_STOP = { name: 'General Medicine', path: `${BOOKING}?department=general-medicine` };

/** Null while they cannot be read. */
function departmentsOf(answer: Departments | undefined): Department[] | null {
  const departments = answer?.ok ? answer.body?.departments : null;
  return Array.isArray(departments) ? departments : null;
}

/** Services of a release before this one list no attendants. */
function attendantsOf({ attendants = [] }: Department): Attendant[] {
  return attendants;
}

/** Who sees patients as this doctor, and in which department. */
export interface DoctorPlace {
  department: Department;
  attendant: Attendant | undefined;
}

export function placeOf(answer: Departments | undefined, doctor: string): DoctorPlace | null {
  const department = departmentsOf(answer)?.find(({ doctorIds }) => doctorIds.includes(doctor));
  if (!department) return null;
  return { department, attendant: attendantsOf(department).find(({ doctorId }) => doctorId === doctor) };
}

/** The form with the doctor chosen. It finds the department of a doctor by itself where that is not known here. */
export function bookDoctor(answer: Departments | undefined, doctor: string): string {
  return address(BOOKING, { department: placeOf(answer, doctor)?.department.id, doctor });
}

/** What a specialty is booked by. */
export type SpecialtyBooking =
  /** A department of the form. */
  | { kind: 'department'; href: string; clinics: Attendant[] }
  /** A doctor whom the form lists under another department. */
  | { kind: 'doctor'; href: string; doctor: string; under: string; clinics: [] }
  /** Neither doctor nor clinic: it cannot be booked. */
  | { kind: 'none'; clinics: [] }
  /** The departments cannot be read. */
  | { kind: 'unknown'; href: string; clinics: [] };

export function bookingOf(
  answer: Departments | undefined,
  { slug, doctors }: { slug: string; doctors: readonly string[] },
): SpecialtyBooking {
  const departments = departmentsOf(answer);
  if (!departments) return { kind: 'unknown', href: BOOKING, clinics: [] };
  const own = departments.find(({ id, bookable }) => id === slug && bookable);
  if (own) {
    const clinics = attendantsOf(own).filter(({ doctorId }) => !doctorId);
    return { kind: 'department', href: address(BOOKING, { department: own.id }), clinics };
  }
  for (const { id, name: under, attendants = [] } of departments) {
    const one = attendants.find(({ name, doctorId }) => doctorId && doctors.includes(name));
    if (one) {
      const href = address(BOOKING, { department: id, doctor: one.doctorId });
      return { kind: 'doctor', href, doctor: one.name, under, clinics: [] };
    }
  }
  return doctors.length ? { kind: 'unknown', href: BOOKING, clinics: [] } : { kind: 'none', clinics: [] };
}

const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** `Mon–Sat, 9:00 AM – 1:00 PM`; days that do not follow each other one by one. */
export function sittingText({ weekdays, from, until }: Sitting): string {
  const [first, last] = [weekdays[0] ?? '', weekdays.at(-1) ?? ''];
  const run = WEEK.slice(WEEK.indexOf(first), WEEK.indexOf(last) + 1);
  const isRun = weekdays.length > 2 && run.join() === weekdays.join();
  return `${isRun ? `${first}–${last}` : weekdays.join(', ')}, ${from} – ${until}`;
}

/** `₹500`; nothing where it is not known. */
export function feeText({ feeRupees }: Pick<Attendant, 'feeRupees'>): string {
  return feeRupees > 0 ? `₹${feeRupees}` : '';
}
