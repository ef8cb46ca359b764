/** Data of the appointment page, and the fallbacks that keep it usable when a request fails. */
import type { Department, DepartmentProfile, Doctor, NextAvailable, Site } from '@hospital/api/types';
import type { DataResult, PageProps } from '@hospital/page';
import { emailFor, emergencyPhone, phoneFor, siteOf } from '@hospital/ui/site';
import { named, t } from '../messages.ts';
import type { Attendant } from './attendants.ts';
import type { Fields } from './client-props.ts';

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

/** Finds the attendant with the resource of a free time. */
export function attendantOf(department: Department | undefined, resource: string | undefined): Attendant | undefined {
  return resource ? department?.attendants.find((one) => one.resource === resource) : undefined;
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
    const name = t('Sampige Hospital##built-in');
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
