/** What the heads of content pages have in common. */
import type { DataResult, Head } from '@hospital/page';
import { isMissing } from './read.ts';
import { siteName, type SiteResult } from './site.ts';

/** `Cardiology | Sampige Hospital` */
export function titled(title: string, site: SiteResult): string {
  return `${title} | ${siteName(site)}`;
}

/** The head of a page that shows nothing of its own: `missing` when there is no such thing, else what it would be. */
export function absentHead(
  result: DataResult,
  site: SiteResult,
  path: string,
  titles: { missing: string; kind: string },
): Head {
  const missing = isMissing(result);
  return {
    title: titled(missing ? titles.missing : titles.kind, site),
    description: missing
      ? 'There is nothing at this address.'
      : 'This page cannot be shown right now. Please try again in a minute.',
    canonicalPath: path,
    robots: 'noindex',
  };
}
