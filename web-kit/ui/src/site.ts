/**
 * Facts about the hospital: the response of `/site`, completed by the built-in facts below. The emergency number must
 * be on a page during any outage, and is the same on every page.
 */
import type { EmailAddress, PhoneNumber, Site } from '@hospital/api/types';
import type { DataResult } from '@hospital/page';
import { t } from '@hospital/page/messages';

export type { EmailAddress, PhoneNumber, Site };

const emergency = (): PhoneNumber => ({
  purpose: 'emergency',
  label: t('24/7 emergency'),
  display: '+91 80 0000 0108',
  e164: '+918000000108',
});

/** Returns the built-in facts in the page's language. */
const builtIn = (): Site => ({
  name: t('Sampige Hospital##built-in'),
  tagline: t('Excellence in Healthcare##built-in'),
  foundedYear: 1979,
  beds: 100,
  origin: 'https://sampige-hospital.example',
  address: {
    street: '',
    locality: t('Jayanagar##built-in'),
    city: t('Bengaluru##built-in'),
    region: t('Karnataka##built-in'),
    postalCode: '560041',
    country: 'IN',
  },
  latitude: 12.9249,
  longitude: 77.5938,
  phones: [emergency()],
  emails: [],
  hours: [
    {
      purpose: 'emergency',
      label: t('Emergency'),
      hours: t('24 hours, every day'),
      weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
      opens: '00:00',
      closes: '24:00',
    },
  ],
  statistics: [
    { value: '46+', label: t('Years of Service') },
    { value: '50+', label: t('Expert Doctors') },
    { value: '10M+', label: t('Patients Treated') },
    { value: '24/7', label: t('Emergency Care') },
  ],
  accreditations: [t('ISO 9001:2015 certified'), t('NABH accredited')],
});

/**
 * Returns the facts of the response, with built-in facts for missing and empty ones. `origin` has no trailing slash.
 */
export function siteOf(result: DataResult | undefined): Site {
  const answer = result?.ok && isObject(result.body) ? result.body : {};
  const given = Object.entries(answer).filter(([, value]) => !isEmpty(value));
  const site = { ...builtIn(), ...Object.fromEntries(given) } as Site;
  return { ...site, origin: site.origin.replace(/\/$/, '') };
}

/** Returns the emergency number, or the built-in one if the site's data has none. */
export function emergencyPhone(site: Pick<Site, 'phones'>): PhoneNumber {
  return phoneFor(site, 'emergency') ?? emergency();
}

/** Returns the first number found for these purposes, in this order. */
export function phoneFor({ phones }: Pick<Site, 'phones'>, ...purposes: string[]): PhoneNumber | undefined {
  return first(phones, purposes);
}

/** Returns the first e-mail address found for these purposes, in this order. */
export function emailFor({ emails }: Pick<Site, 'emails'>, ...purposes: string[]): EmailAddress | undefined {
  return first(emails, purposes);
}

/** Returns the postal address in one line. */
export function addressLine({ address }: Pick<Site, 'address'>): string {
  const { street, locality, city, postalCode } = address;
  return [street, locality, [city, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}

/** Returns the URL of a maps search for the hospital. */
export function directionsUrl(site: Site): string {
  const place = encodeURIComponent(`${site.name}, ${addressLine(site)}`);
  return `https://www.google.com/maps/search/?api=1&query=${place}`;
}

function first<Entry extends { purpose: string }>(entries: readonly Entry[], purposes: string[]): Entry | undefined {
  for (const purpose of purposes) {
    const entry = entries.find((candidate) => candidate.purpose === purpose);
    if (entry) return entry;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
  );
}
