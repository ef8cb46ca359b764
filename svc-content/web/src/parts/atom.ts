/** Atom feeds (RFC 4287). */
import type { DataResult } from '@hospital/page';
import type { Site } from '@hospital/api/get-site';
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
  /** Path of the feed, and of the page it belongs to. */
  path: string;
  page: string;
  entries: Entry[];
}

/** Newest first, as the entries come. A feed without entries was last changed when the site was rendered. */
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

/** Absolute addresses need the site's data: without it, or without the list, there is no feed now. */
export function feedStatus(...results: DataResult[]): number {
  return results.every(({ ok }) => ok) ? 200 : 503;
}
