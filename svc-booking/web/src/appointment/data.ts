/** What the appointment page reads, and how it stays useful when a read failed. */
import type { Site } from '@hospital/api/get-site';
import type { Department } from '@hospital/api/list-departments';
import type { Doctor as DoctorProfile } from '@hospital/api/list-doctors';
import type { PageProps } from '@hospital/page';
import { emailFor, emergencyPhone, phoneFor } from '@hospital/ui/site';
import { bookingWindow, isDay, isTime } from './calendar.ts';
import { type BookingOutcome, type BookingValues, timesIn } from './form.ts';

export type { Department };

/** The part of a doctor's profile that this page shows. */
export type Doctor = Pick<DoctorProfile, 'id' | 'name' | 'slug' | 'consultationFee'>;

export interface AppointmentBodies {
  departments: { departments: Department[] };
  doctors: { doctors: Doctor[] };
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
  if (departments.ok) return departments.body.departments;
  return DEPARTMENT_NAMES.map((name) => ({
    id: name.toLowerCase().replace(/ /g, '-'),
    name,
    bookable: name !== 'Emergency',
    doctorIds: [],
    attendants: [],
  }));
}

export function doctorsOf({ data }: Pick<AppointmentProps, 'data'>): Doctor[] {
  return data.doctors.ok ? data.doctors.body.doctors : [];
}

/** The department with this label or id, case-insensitively. */
export function findDepartment(departments: readonly Department[], text: string): Department | undefined {
  const wanted = text.trim().toLowerCase();
  return departments.find(({ id, name }) => name.toLowerCase() === wanted || id === wanted);
}

/** The doctors that can be booked in this department; without one chosen, all of them. */
export function suggestedDoctors(doctors: readonly Doctor[], department: Department | undefined): readonly Doctor[] {
  return department ? doctors.filter(({ id }) => department.doctorIds.includes(id)) : doctors;
}

/** The suggestion that was picked, or undefined when the text is free. */
export function pickedDoctor(suggestions: readonly Doctor[], typed: string): Doctor | undefined {
  const wanted = typed.trim().toLowerCase();
  return wanted ? suggestions.find(({ name }) => name.toLowerCase() === wanted) : undefined;
}

/** What the hidden field `picked` holds: natively nobody else could tell a picked name from a typed one. */
export function pickedValue(doctor: Doctor | undefined): string {
  return doctor ? `${doctor.id} ${doctor.name}` : '';
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
  const doctor = namedDoctor(doctorsOf(props), wanted.doctor);
  const department = findDepartment(departments, wanted.department) ?? departmentOf(departments, doctor);
  const isPicked = !!doctor && !!department?.doctorIds.includes(doctor.id);
  const times = timesIn(served);
  const isFull = times && !times.closedReason && times.day?.date !== times.asked;
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
function namedDoctor(doctors: readonly Doctor[], text: string): Doctor | undefined {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return undefined;
  return doctors.find(({ id, slug, name }) => id === wanted || slug === wanted || name.toLowerCase() === wanted);
}

/** The first department in which the doctor can be booked. */
export function departmentOf(departments: readonly Department[], doctor: Doctor | undefined): Department | undefined {
  return doctor && departments.find(({ doctorIds }) => doctorIds.includes(doctor.id));
}
