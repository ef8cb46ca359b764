/** Facts about a news item, shared by all pages that show it. */
import type { News } from '@hospital/api/types';
import { description, plain, shortened, TEASER_CHARACTERS } from '../parts/text.ts';
import { t } from '../messages.ts';

/** Returns `/news/{id}/{slug}`. A title without letters or digits has no slug. */
export function newsPath({ id, slug }: News): string {
  return ['/news', id, slug]
    .filter(Boolean)
    .map((part, index) => (index ? encodeURIComponent(part) : part))
    .join('/');
}

/** Returns the excerpt, or else the first 200 characters of the content. */
export function newsTeaser({ excerpt, content }: News): string {
  return excerpt || shortened(plain(content), TEASER_CHARACTERS);
}

export function newsDescription({ metaDescription, excerpt, content }: News): string {
  return description(content, metaDescription, excerpt);
}

export interface Coverage {
  url: string;
  label: string;
}

/** Returns external coverage: all links and the source, without duplicates and only with https. */
export function coverage({ sourceUrl, sourceName, externalLinks }: News): Coverage[] {
  const links = [...externalLinks, { url: sourceUrl, label: sourceName || t('Source') }].filter(({ url }) =>
    url.startsWith('https://'),
  );
  return links
    .filter(({ url }, index) => links.findIndex((other) => other.url === url) === index)
    .map(({ url, label }) => ({ url, label: label || host(url) }));
}

/** Label of a link without text. */
function host(url: string): string {
  return url.replace(/^https:\/\/(www\.)?/, '').replace(/[/?#].*/, '');
}
