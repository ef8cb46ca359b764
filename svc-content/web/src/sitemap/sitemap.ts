/** `/sitemap.xml`: every page that says it is for search engines, with the time of its last change where there is one. */
import type { Directory, PageProps } from '@hospital/page';
import { siteOf, type Site } from '@hospital/ui/site';
import { feedStatus } from '../parts/atom.ts';
import { DECLARATION, element } from '../parts/xml.ts';

type SitemapProps = PageProps<{ site: Site; pages: Directory }>;

export function raw({ data: { site, pages } }: SitemapProps): string {
  if (!site.ok || !pages.ok) return '';
  const { origin } = siteOf(site);
  // A list may name a page twice.
  const places = new Map(pages.body.pages.filter(({ siteMap }) => siteMap).map(({ path, changed }) => [path, changed]));
  const urls = [...places].map(
    ([path, changed]) => `<url>${element('loc', origin + path)}${element('lastmod', changed)}</url>`,
  );
  return `${DECLARATION}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`;
}

/** A map that lacks a part would tell search engines that the part is gone. */
export function status({ data: { site, pages } }: SitemapProps): number {
  return feedStatus(site, pages);
}
