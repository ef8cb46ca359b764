/**
 * `/sitemap.xml`: every page declared for search engines in each language, with its last change if known. At most 50,000
 * addresses (sitemaps.org), which are 16,666 pages.
 */
import type { Directory, PageProps } from '@hospital/page';
import { inLanguage, LANGUAGES } from '@hospital/page/language';
import { siteOf, type Site } from '@hospital/ui/site';
import { feedStatus } from '../parts/atom.ts';
import { DECLARATION, element, escaped } from '../parts/xml.ts';

const SITE_MAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const XHTML = 'http://www.w3.org/1999/xhtml';

type SitemapProps = PageProps<{ site: Site; pages: Directory }>;

export function raw({ data: { site, pages } }: SitemapProps): string {
  if (!site.ok || !pages.ok) return '';
  const { origin } = siteOf(site);
  // The directory may list a page twice.
  const places = new Map(pages.body.pages.filter(({ siteMap }) => siteMap).map(({ path, changed }) => [path, changed]));
  const urls = [...places].flatMap(([path, changed]) => {
    const addresses = LANGUAGES.map((language) => [language, origin + inLanguage(path, language)] as const);
    const alternates = [...addresses, ['x-default', origin + path] as const]
      .map(([language, address]) => `<xhtml:link rel="alternate" hreflang="${language}" href="${escaped(address)}"/>`)
      .join('');
    return addresses.map(
      ([, address]) => `<url>${element('loc', address)}${element('lastmod', changed)}${alternates}</url>`,
    );
  });
  return `${DECLARATION}<urlset xmlns="${SITE_MAP}" xmlns:xhtml="${XHTML}">${urls.join('')}</urlset>\n`;
}

/** An incomplete site map would tell search engines that pages were removed. */
export function status({ data: { site, pages } }: SitemapProps): number {
  return feedStatus(site, pages);
}
