/**
 * What the shell knows of the hospital: the answer of `/site`, or the few facts below when that
 * service does not answer. The emergency number has to be on the page whatever is down.
 */
import type { DataResult } from '@hospital/page';

export interface Phone {
  purpose: string;
  label: string;
  display: string;
  e164: string;
}

export interface Site {
  name: string;
  tagline: string;
  foundedYear: number;
  origin: string;
  address: { street: string; locality: string; city: string; region: string; postalCode: string; country: string };
  /** WGS 84 degrees. */
  latitude: number;
  longitude: number;
  phones: Phone[];
  emails: { purpose: string; label: string; address: string }[];
  hours: { purpose: string; label: string; hours: string }[];
  statistics: { value: string; label: string }[];
  accreditations: string[];
}

const BUILT_IN: Site = {
  name: 'Sampige Hospital',
  tagline: 'Excellence in Healthcare',
  foundedYear: 1979,
  origin: 'https://sampige-hospital.example',
  address: {
    street: '',
    locality: 'Jayanagar',
    city: 'Bengaluru',
    region: 'Karnataka',
    postalCode: '560041',
    country: 'IN',
  },
  latitude: 12.925,
  longitude: 77.5938,
  phones: [{ purpose: 'emergency', label: '24/7 emergency', display: '+91 80 0000 0108', e164: '+918000000108' }],
  emails: [],
  hours: [{ purpose: 'emergency', label: 'Emergency', hours: '24 hours, every day' }],
  statistics: [
    { value: '46+', label: 'Years of care' },
    { value: '50+', label: 'Doctors' },
    { value: '10M+', label: 'Patients' },
  ],
  accreditations: ['NABH accredited', 'ISO certified'],
};

/** Every fact that the answer has, and the built-in one for every fact that it lacks. */
export function siteOf(result: DataResult | undefined): Site {
  const answer = result?.ok && isObject(result.body) ? result.body : {};
  const given = Object.entries(answer).filter(([, value]) => !isEmpty(value));
  const site = { ...BUILT_IN, ...Object.fromEntries(given) } as Site;
  return { ...site, origin: site.origin.replace(/\/$/, '') };
}

/** The emergency number; the built-in one when the site's data names none. */
export function emergencyPhone(site: Site): Phone {
  return phoneFor(site, 'emergency') ?? (BUILT_IN.phones[0] as Phone);
}

export function phoneFor(site: Site, purpose: string): Phone | undefined {
  return site.phones.find((phone) => phone.purpose === purpose);
}

/** One line, as on an envelope. */
export function addressLine({ address }: Site): string {
  const { street, locality, city, postalCode } = address;
  return [street, locality, [city, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}

/** A maps search for the place, as a plain link. */
export function directionsUrl(site: Site): string {
  const place = encodeURIComponent(`${site.name}, ${addressLine(site)}`);
  return `https://www.google.com/maps/search/?api=1&query=${place}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
  );
}
