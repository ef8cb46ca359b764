/** `/robots.txt`: everything but the API may be read; the site map is named by its full address, which needs the site's data. */
import type { PageProps } from '@hospital/page';
import type { Site } from '@hospital/api/get-site';

type RobotsProps = PageProps<{ site: Site }>;

export function raw({ data: { site } }: RobotsProps): string {
  const rules = ['User-agent: *', 'Disallow: /api/', 'Allow: /'];
  const map = site.ok ? ['', `Sitemap: ${site.body.origin.replace(/\/$/, '')}/sitemap.xml`] : [];
  return [...rules, ...map, ''].join('\n');
}
