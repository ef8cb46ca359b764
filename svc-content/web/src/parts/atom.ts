/** Atom feeds (RFC 4287). */
import type { DataResult } from '@hospital/page';
import type { Site } from '@hospital/api/types';
import { DECLARATION, element, escaped } from './xml.ts';

export interface Entry {
  /** Path on this site. */
  path: string;
  title: string;
  summary: string;
  author?: string;
  /** RFC 3339. */
  published: string;
  updated: string;
}

interface Feed {
  title: string;
  /** `path`: the feed's own path. `page`: the page that it belongs to. */
  path: string;
  page: string;
  entries: Entry[];
}

/**
 * Renders a feed in the order of `entries`, which should be newest first. The update time of an empty feed is `now`.
 */
export function atom(site: Site, now: string, { title, path, page, entries }: Feed): string {
  const origin = site.origin.replace(/\/$/, '');
  const latest =
    entries
      .map(({ updated }) => updated)
      .sort()
      .at(-1) ?? now;
  return [
    DECLARATION,
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-IN">',
    element('id', `${origin}${path}`),
    element('title', `${title} | ${site.name}`),
    element('updated', latest),
    `<link rel="self" type="application/atom+xml" href="${escaped(origin + path)}"/>`,
    `<link rel="alternate" type="text/html" href="${escaped(origin + page)}"/>`,
    `<author>${element('name', site.name)}</author>`,
    ...entries.map((entry) => atomEntry(origin, entry)),
    '</feed>\n',
  ].join('');
}

function atomEntry(origin: string, { path, title, summary, author, published, updated }: Entry): string {
  const address = origin + path;
  return [
    '<entry>',
    element('id', address),
    element('title', title),
    element('published', published),
    element('updated', updated),
    `<link rel="alternate" type="text/html" href="${escaped(address)}"/>`,
    author ? `<author>${element('name', author)}</author>` : '',
    element('summary', summary),
    '</entry>',
  ].join('');
}

/** Returns 503 if the site's data or the list is missing. Absolute URLs need the site's data. */
export function feedStatus(...results: DataResult[]): number {
  return results.every(({ ok }) => ok) ? 200 : 503;
}
