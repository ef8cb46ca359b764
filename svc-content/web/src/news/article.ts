/** What is said about a piece of news wherever it is shown. */
import type { News } from '@hospital/api/get-news';
import { description, plain, shortened, TEASER_CHARACTERS } from '../parts/text.ts';

/** `/news/{id}/{slug}`; a title without letters has no slug. */
export function newsPath({ id, slug }: News): string {
  return ['/news', id, slug]
    .filter(Boolean)
    .map((part, index) => (index ? encodeURIComponent(part) : part))
    .join('/');
}

/** The excerpt, or the first 200 characters of the content. */
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

/** Who else wrote about it: the source and all links, each address once. Only https. */
export function coverage({ sourceUrl, sourceName, externalLinks }: News): Coverage[] {
  const links = [...externalLinks, { url: sourceUrl, label: sourceName || 'Source' }].filter(({ url }) =>
    url.startsWith('https://'),
  );
  return links
    .filter(({ url }, index) => links.findIndex((other) => other.url === url) === index)
    .map(({ url, label }) => ({ url, label: label || host(url) }));
}

/** For a link without words. */
function host(url: string): string {
  return url.replace(/^https:\/\/(www\.)?/, '').replace(/[/?#].*/, '');
}
