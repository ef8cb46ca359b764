/** What the appointment page reads, and how it stays useful when a read failed. */
import type { Site } from '@hospital/api/get-site';
import type { Department } from '@hospital/api/list-departments';
import type { PageProps } from '@hospital/page';
import { emailFor, emergencyPhone, phoneFor } from '@hospital/ui/site';
import type { Attendant } from './attendants.ts';
import { bookingWindow, isDay, isTime } from './calendar.ts';
import { type BookingOutcome, type BookingValues, timesIn } from './form.ts';

export type { Department };

export interface AppointmentBodies {
  departments: { departments: Department[] };
  site: Site;
}

export type AppointmentProps = PageProps<AppointmentBodies>;

/** The list of the specification, for the time in which the service does not answer: the form stays readable. */
const DEPARTMENT_NAMES = [
  'General Medicine', 'Cardiology', 'Orthopedics', 'Gynecology', 'Pediatrics', 'Dermatology',
  'ENT', 'Ophthalmology', 'Neurology', 'Urology', 'Psychiatry', 'Emergency',
]; // prettier-ignore

export function departmentsOf({ data }: Pick<AppointmentProps, 'data'>): Department[] {
  const { departments } = data;
  // A service of release 0.1.0 names no attendants.
  if (departments.ok) return departments.body.departments.map((one) => ({ ...one, attendants: one.attendants ?? [] }));
  return DEPARTMENT_NAMES.map((name) => ({
    id: name.toLowerCase().replace(/ /g, '-'),
    name,
    bookable: name !== 'Emergency',
    doctorIds: [],
    attendants: [],
  }));
}

/** The department with this label or id, case-insensitively. */
export function findDepartment(departments: readonly Department[], text: string): Department | undefined {
  const wanted = text.trim().toLowerCase();
  return departments.find(({ id, name }) => name.toLowerCase() === wanted || id === wanted);
}

/** The doctors that can be booked in this department; without one chosen, all of them. */
export function doctorsOf(departments: readonly Department[], department?: Department): readonly Attendant[] {
  const doctors = (department ? [department] : departments).flatMap(({ attendants }) => attendants).filter(isDoctor);
  // One who sits in two departments is one doctor.
  return doctors.filter(({ doctorId }, at) => doctors.findIndex((one) => one.doctorId === doctorId) === at);
}

function isDoctor({ doctorId }: Attendant): boolean {
  return doctorId !== '';
}

/** The suggestion that was picked, or undefined when the text is free. */
export function pickedDoctor(suggestions: readonly Attendant[], typed: string): Attendant | undefined {
  const wanted = typed.trim().toLowerCase();
  return wanted ? suggestions.find(({ name }) => name.toLowerCase() === wanted) : undefined;
}

/** What the hidden field `picked` holds: natively nobody else could tell a picked name from a typed one. */
export function pickedValue(doctor: Attendant | undefined): string {
  return doctor ? `${doctor.doctorId} ${doctor.name}` : '';
}

/** Who this is, by a resource of an answer about times. */
export function attendantOf(department: Department | undefined, resource: string | undefined): Attendant | undefined {
  return resource ? department?.attendants.find((one) => one.resource === resource) : undefined;
}

/** Who may see a patient of this department who has chosen `doctor`, or no doctor. */
export function attendantsFor(department: Department | undefined, doctor: Attendant | undefined): readonly Attendant[] {
  return doctor ? [doctor] : (department?.attendants.filter(({ byNameOnly }) => !byNameOnly) ?? []);
}

export interface Contact {
  emergency: { display: string; e164: string };
  phone?: { display: string; e164: string };
  email?: string;
  bookingHours: string;
  /** The hospital's name, for a calendar or a message. */
  name: string;
  /** Of the site, without a slash at its end; empty when it is not known. */
  origin: string;
  /** One line, for the card and for the search on a map. */
  address?: string;
}

const UNKNOWN = { bookingHours: '9:00 AM - 7:00 PM', name: 'Sampige Hospital', origin: '' };

export function contactOf({ data }: Pick<AppointmentProps, 'data'>): Contact {
  if (!data.site.ok) return { ...UNKNOWN, emergency: emergencyPhone({ phones: [] }) };
  const site = data.site.body;
  const { emails, hours, address, name } = site;
  return {
    emergency: emergencyPhone(site),
    phone: phoneFor(site, 'appointments', 'reception'),
    email: (emailFor(site, 'appointments') ?? emails[0])?.address,
    bookingHours: hours.find(({ purpose }) => purpose === 'booking')?.hours ?? UNKNOWN.bookingHours,
    name,
    origin: site.origin.replace(/\/$/, ''),
    address:
      address &&
      [name, address.street, address.locality, `${address.city} ${address.postalCode}`].filter(Boolean).join(', '),
  };
}

/** What the fields hold at first: what was posted or asked for, as far as this page knows it. */
export function initialValues(
  props: AppointmentProps,
  posted: BookingValues,
  served: BookingOutcome,
): Partial<BookingValues> {
  const departments = departmentsOf(props);
  const wanted = props.action ? posted : askedFor(props);
  const doctor = namedDoctor(doctorsOf(departments), wanted.doctor);
  const department = findDepartment(departments, wanted.department) ?? departmentOf(departments, doctor);
  const isPicked = !!doctor && doctorsOf(departments, department).some(({ doctorId }) => doctorId === doctor.doctorId);
  const times = timesIn(served);
  const isFull = times && !times.closed && times.day?.date !== times.asked;
  return {
    ...wanted,
    department: department?.name ?? '',
    // Who asked by an address for a doctor that this page does not know has typed no name.
    doctor: doctor?.name ?? (props.action ? wanted.doctor : ''),
    picked: pickedValue(isPicked ? doctor : undefined),
    ...(times && { date: times.day?.date ?? times.asked, fullDay: isFull ? times.asked : '' }),
  };
}

/** Department, doctor, day and time of the address. A day or a time that there is not is left out. */
function askedFor({ query, now }: AppointmentProps): Pick<BookingValues, 'department' | 'doctor' | 'date' | 'time'> {
  const { department = '', doctor = '', date = '', time = '' } = query;
  const { first, last } = bookingWindow(now);
  return {
    department,
    doctor,
    date: isDay(date) && date >= first && date <= last ? date : '',
    time: isTime(time) ? time : '',
  };
}

/** The doctor with this id, slug or name, case-insensitively. */
function namedDoctor(doctors: readonly Attendant[], text: string): Attendant | undefined {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return undefined;
  return doctors.find(
    ({ doctorId, name }) => doctorId === wanted || slugOf(name) === wanted || name.toLowerCase() === wanted,
  );
}

/** Of a doctor's page: `dr-nandini-iyengar`. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** The first department in which the doctor can be booked. */
export function departmentOf(
  departments: readonly Department[],
  doctor: Attendant | undefined,
): Department | undefined {
  return (
    doctor && departments.find(({ attendants }) => attendants.some(({ doctorId }) => doctorId === doctor.doctorId))
  );
}
