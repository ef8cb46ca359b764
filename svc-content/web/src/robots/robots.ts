/**
 * `/robots.txt`: allows everything except the API. The site map needs an absolute URL, so it is listed only if the
 * site's data is available.
 */
import type { PageProps } from '@hospital/page';
import type { Site } from '@hospital/api/types';

type RobotsProps = PageProps<{ site: Site }>;

export function raw({ data: { site } }: RobotsProps): string {
  const rules = ['User-agent: *', 'Disallow: /api/', 'Allow: /'];
  const map = site.ok ? ['', `Sitemap: ${site.body.origin.replace(/\/$/, '')}/sitemap.xml`] : [];
  return [...rules, ...map, ''].join('\n');
}
