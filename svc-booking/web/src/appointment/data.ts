/** Data of the appointment page, and the fallbacks that keep it usable when a request fails. */
import type { Department, DepartmentProfile, Doctor, NextAvailable, Site } from '@hospital/api/types';
import type { DataResult, PageProps } from '@hospital/page';
import { emailFor, emergencyPhone, phoneFor, siteOf } from '@hospital/ui/site';
import { named, t } from '../messages.ts';
import type { Attendant } from './attendants.ts';
import { bookingWindow, isDay, isTime } from './calendar.ts';
import type { Fields } from './client-props.ts';
import { type BookingOutcome, type BookingValues, pickedIn, timesIn, wantedDoctor } from './form.ts';

export type { Department };

export interface AppointmentBodies {
  departments: { departments: Department[] };
  site: Fields<Site, 'site'>;
  /** Profiles of the departments, with the patients' words. Only on the page that books, like the next two. */
  profiles?: { departmentProfiles: Fields<DepartmentProfile, 'departmentProfiles'>[] };
  doctors?: { doctors: Fields<Doctor, 'doctors'>[] };
  next?: { next: NextFree[] };
}

/** A doctor's next free time. */
export type NextFree = Fields<NextAvailable, 'next'>;

export type AppointmentProps = PageProps<AppointmentBodies>;

/** The departments of the built-in hospital, used while the service is unavailable to keep the form readable. */
const DEPARTMENT_NAMES = [
  'General Medicine', 'Cardiology', 'Orthopedics', 'Gynecology', 'Pediatrics', 'Dermatology',
  'ENT', 'Ophthalmology', 'Neurology', 'Urology', 'Psychiatry', 'Emergency',
]; // prettier-ignore

/** Returns whether these are the facts of the built-in hospital, whose name is translated like all names. */
export function isBuiltIn({ name }: Pick<Site, 'name'>): boolean {
  const own = siteOf(undefined).name;
  return name === own || name === named(own);
}

export function departmentsOf({ data }: Pick<AppointmentProps, 'data'>): Department[] {
  const { departments, site } = data;
  // A service of release 0.1.0 returns no attendants.
  if (departments.ok) return departments.body.departments.map((one) => ({ ...one, attendants: one.attendants ?? [] }));
  if (!isBuiltIn(siteOf(site))) return [];
  return DEPARTMENT_NAMES.map((name) => ({
    id: name.toLowerCase().replace(/ /g, '-'),
    name,
    bookable: name !== 'Emergency',
    doctorIds: [],
    attendants: [],
  }));
}

/** Finds the department with this label or id, case-insensitively. */
export function findDepartment(departments: readonly Department[], text: string): Department | undefined {
  const wanted = text.trim().toLowerCase();
  return departments.find(({ id, name }) => name.toLowerCase() === wanted || id === wanted);
}

/** Returns the bookable doctors of this department, or of all departments. */
export function doctorsOf(departments: readonly Department[], department?: Department): readonly Attendant[] {
  const doctors = (department ? [department] : departments).flatMap(({ attendants }) => attendants).filter(isDoctor);
  // A doctor in two departments is listed once.
  return doctors.filter(({ doctorId }, at) => doctors.findIndex((one) => one.doctorId === doctorId) === at);
}

function isDoctor({ doctorId }: Attendant): boolean {
  return doctorId !== '';
}

/** Returns the picked suggestion; undefined if the text is free. */
export function pickedDoctor(suggestions: readonly Attendant[], typed: string): Attendant | undefined {
  const wanted = typed.trim().toLowerCase();
  return wanted ? suggestions.find(({ name }) => name.toLowerCase() === wanted) : undefined;
}

/** Returns the value of the card of a doctor or clinic in the field `picked`: id and name. Empty for 'First free'. */
export function pickedValue(attendant: Attendant | undefined): string {
  return attendant ? `${attendant.doctorId || attendant.resource} ${attendant.name}` : '';
}

/** Finds the attendant with the resource of a free time. */
export function attendantOf(department: Department | undefined, resource: string | undefined): Attendant | undefined {
  return resource ? department?.attendants.find((one) => one.resource === resource) : undefined;
}

/** Returns the attendants who may see a patient who names none. */
export function attendantsOf(department: Department | undefined): readonly Attendant[] {
  return department?.attendants.filter(({ byNameOnly }) => !byNameOnly) ?? [];
}

/** Returns a list of an optional read; empty if it failed or the page does not declare it. */
export function listOf<Body extends object, Key extends keyof Body>(
  result: DataResult<Body | undefined> | undefined,
  key: Key,
): Body[Key] | readonly [] {
  return (result?.ok && result.body?.[key]) || [];
}

export interface Contact {
  emergency: { display: string; e164: string };
  phone?: { display: string; e164: string };
  email?: string;
  bookingHours: string;
  /** The hospital's name, for a calendar entry or a message. */
  name: string;
  /** Origin of the site, without a trailing slash; empty if unknown. */
  origin: string;
  /** Address on one line, for the card and the map search. */
  address?: string;
}

export function contactOf({ data }: Pick<AppointmentProps, 'data'>): Contact {
  if (!data.site.ok) {
    const name = t('Sampige Hospital');
    return { bookingHours: t('9:00 AM - 7:00 PM'), name, origin: '', emergency: emergencyPhone({ phones: [] }) };
  }
  const site = data.site.body;
  const { emails, hours, address, name } = site;
  return {
    emergency: emergencyPhone(site),
    phone: phoneFor(site, 'appointments', 'reception'),
    email: (emailFor(site, 'appointments') ?? emails[0])?.address,
    bookingHours: hours.find(({ purpose }) => purpose === 'booking')?.hours ?? t('9:00 AM - 7:00 PM'),
    name,
    origin: site.origin.replace(/\/$/, ''),
    address:
      address &&
      [name, address.street, address.locality, `${address.city} ${address.postalCode}`].filter(Boolean).join(', '),
  };
}

/** Returns the initial values of the fields, from the post or the address, as far as the page recognises them. */
export function initialValues(
  props: AppointmentProps,
  posted: BookingValues,
  served: BookingOutcome,
): Partial<BookingValues> {
  const departments = departmentsOf(props);
  const wanted = props.action ? posted : { ...askedFor(props), picked: '' };
  const doctor = namedDoctor(doctorsOf(departments), wantedDoctor(wanted));
  const department = findDepartment(departments, wanted.department) ?? departmentOf(departments, doctor);
  const isPicked = !!doctor && doctorsOf(departments, department).some(({ doctorId }) => doctorId === doctor.doctorId);
  const times = timesIn(served);
  const isFull = times && !times.closed && times.day?.date !== times.asked;
  const clinic = department?.attendants.find(({ resource }) => resource === pickedIn(wanted.picked).id);
  const isTyped = props.action && wanted.doctor && !isPicked;
  return {
    ...wanted,
    department: department?.name ?? '',
    // A picked name is not a typed one. An unknown doctor in the address is neither.
    doctor: isTyped ? (doctor?.name ?? wanted.doctor) : '',
    picked: isTyped ? wanted.picked : pickedValue(isPicked ? doctor : clinic),
    ...(times && { date: times.day?.date ?? times.asked, fullDay: isFull ? times.asked : '' }),
  };
}

/** Returns department, doctor, day and time of the address. Omits an invalid day or time. */
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

/** Finds the doctor with this id, slug or name, case-insensitively. */
function namedDoctor(doctors: readonly Attendant[], text: string): Attendant | undefined {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return undefined;
  return doctors.find(
    ({ doctorId, name }) => doctorId === wanted || slugOf(name) === wanted || name.toLowerCase() === wanted,
  );
}

/** Returns the slug of a doctor's page: `dr-nandini-iyengar`. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Returns the first department in which the doctor can be booked. */
export function departmentOf(
  departments: readonly Department[],
  doctor: Attendant | undefined,
): Department | undefined {
  return (
    doctor && departments.find(({ attendants }) => attendants.some(({ doctorId }) => doctorId === doctor.doctorId))
  );
}
