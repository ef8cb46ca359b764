/**
 * `/.well-known/security.txt` (RFC 9116): contact for reporting vulnerabilities. The expiry should be less than a year
 * ahead, so it is computed from the current day.
 */
import type { PageProps } from '@hospital/page';
import type { Site } from '@hospital/api/types';

type SecurityProps = PageProps<{ site: Site }>;

const VALID_DAYS = 180;
const DAY_MS = 24 * 60 * 60 * 1000;

export const status = ({ data: { site } }: SecurityProps): number => (site.ok ? 200 : 503);

export function raw({ data: { site }, now }: SecurityProps): string {
  if (!site.ok) return '';
  const { origin, emails } = site.body;
  const home = origin.replace(/\/$/, '');
  const general = emails.find(({ purpose }) => purpose === 'general');
  const expires = new Date(Date.parse(now) + VALID_DAYS * DAY_MS).toISOString();
  return [
    ...(general ? [`Contact: mailto:${general.address}`] : []),
    `Contact: ${home}/contact`,
    `Expires: ${expires.slice(0, 10)}T00:00:00Z`,
    'Preferred-Languages: en',
    `Canonical: ${home}/.well-known/security.txt`,
    '',
  ].join('\n');
}
