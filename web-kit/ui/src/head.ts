/** What the heads of pages have in common. `site` is the answer of `/site`; a page that does not read it leaves it out. */
import type { DataResult, Head } from '@hospital/page';
import { isMissing } from './read.ts';
import { siteOf } from './site.ts';

/** `Cardiology | Sampige Hospital` */
export function titled(title: string, site?: DataResult): string {
  return `${title} | ${siteOf(site).name}`;
}

/** The head of a page that shows nothing of its own: `missing` when there is no such thing, else what it would be. */
export function absentHead(
  result: DataResult,
  site: DataResult,
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
