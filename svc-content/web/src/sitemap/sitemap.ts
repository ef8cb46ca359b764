/** `/sitemap.xml`: every page declared for search engines, with its last change if known. */
import type { Directory, PageProps } from '@hospital/page';
import { siteOf, type Site } from '@hospital/ui/site';
import { feedStatus } from '../parts/atom.ts';
import { DECLARATION, element } from '../parts/xml.ts';

type SitemapProps = PageProps<{ site: Site; pages: Directory }>;

export function raw({ data: { site, pages } }: SitemapProps): string {
  if (!site.ok || !pages.ok) return '';
  const { origin } = siteOf(site);
  // The directory may list a page twice.
  const places = new Map(pages.body.pages.filter(({ siteMap }) => siteMap).map(({ path, changed }) => [path, changed]));
  const urls = [...places].map(
    ([path, changed]) => `<url>${element('loc', origin + path)}${element('lastmod', changed)}</url>`,
  );
  return `${DECLARATION}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`;
}

/** An incomplete site map would tell search engines that pages were removed. */
export function status({ data: { site, pages } }: SitemapProps): number {
  return feedStatus(site, pages);
}
