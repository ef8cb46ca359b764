/** What the appointment page reads, and how it stays useful when a read failed. */
import type { Site } from '@hospital/api/get-site';
import type { Department } from '@hospital/api/list-departments';
import type { PageProps } from '@hospital/page';
import { emailFor, emergencyPhone, phoneFor } from '@hospital/ui/site';
import { type BookingOutcome, type BookingValues, timesIn } from './form.ts';

export type { Department };

/** The part of a doctor's profile that this page shows. */
export interface Doctor {
  id: string;
  name: string;
}

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

export interface Contact {
  emergency: { display: string; e164: string };
  phone?: { display: string; e164: string };
  email?: string;
  bookingHours: string;
  /** One line, for the card and for the search on a map. */
  address?: string;
}

export function contactOf({ data }: Pick<AppointmentProps, 'data'>): Contact {
  const bookingHours = '9:00 AM - 7:00 PM';
  if (!data.site.ok) return { emergency: emergencyPhone({ phones: [] }), bookingHours };
  const site = data.site.body;
  const { emails, hours, address, name } = site;
  return {
    emergency: emergencyPhone(site),
    phone: phoneFor(site, 'appointments', 'reception'),
    email: (emailFor(site, 'appointments') ?? emails[0])?.address,
    bookingHours: hours.find(({ purpose }) => purpose === 'booking')?.hours ?? bookingHours,
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
  const wanted = props.action ? posted.department : (props.query.department ?? '');
  const times = timesIn(served);
  return {
    department: findDepartment(departmentsOf(props), wanted)?.name ?? '',
    ...(times && { date: times.day?.date ?? times.asked }),
  };
}
