/** What content pages print of the hospital's own data; each is absent when the data or the entry is. */
import type { DataResult } from '@hospital/page';
import type { EmailAddress, PhoneNumber, Site } from '@hospital/api/get-site';

export type SiteResult = DataResult<Site>;

/** The name stands in titles and sentences also while the site's data cannot be read. */
const NAME = 'Sampige Hospital';

export function siteName(site: SiteResult): string {
  return site.ok ? site.body.name : NAME;
}

/** The first number of these purposes that there is, in this order. */
export function phone(site: SiteResult, ...purposes: string[]): PhoneNumber | undefined {
  return site.ok ? first(site.body.phones, purposes) : undefined;
}

export function email(site: SiteResult, ...purposes: string[]): EmailAddress | undefined {
  return site.ok ? first(site.body.emails, purposes) : undefined;
}

export function hours(site: SiteResult, purpose: string): string | undefined {
  return site.ok ? first(site.body.hours, [purpose])?.hours : undefined;
}

/** Street, locality, city and code in one line. */
export function addressLine(site: SiteResult): string | undefined {
  if (!site.ok) return undefined;
  const { street, locality, city, postalCode } = site.body.address;
  return [street, locality, [city, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}

function first<Entry extends { purpose: string }>(entries: Entry[], purposes: string[]): Entry | undefined {
  for (const purpose of purposes) {
    const entry = entries.find((candidate) => candidate.purpose === purpose);
    if (entry) return entry;
  }
  return undefined;
}
