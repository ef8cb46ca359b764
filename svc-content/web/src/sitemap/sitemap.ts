/**
 * `/sitemap.xml`: every page for search engines, with the day of the last change where there is one. Lists are read up to the
 * API's 100; older posts and news are found through the pages of their lists.
 */
import type { DataResult, PageProps } from '@hospital/page';
import type { Site } from '@hospital/api/get-site';
import type { ListBlogsResponse } from '@hospital/api/list-blogs';
import type { ListDoctorsResponse } from '@hospital/api/list-doctors';
import type { ListEventsResponse } from '@hospital/api/list-events';
import type { ListNewsResponse } from '@hospital/api/list-news';
import type { ListServicesResponse } from '@hospital/api/list-services';
import type { ListSpecialtiesResponse } from '@hospital/api/list-specialties';
import type { ListSurgeriesResponse } from '@hospital/api/list-surgeries';
import { postPath } from '../blog/post.ts';
import { eventPath } from '../event/facts.ts';
import { feedStatus } from '../parts/atom.ts';
import { DECLARATION, element } from '../parts/xml.ts';
import { newsPath } from '../news/article.ts';

type SitemapProps = PageProps<{
  site: Site;
  doctors: ListDoctorsResponse;
  services: ListServicesResponse;
  specialties: ListSpecialtiesResponse;
  surgeries: ListSurgeriesResponse;
  events: ListEventsResponse;
  blogs: ListBlogsResponse;
  news: ListNewsResponse;
}>;

/** Path, and the time of the last change as RFC 3339 where it is known. */
type Place = readonly [path: string, changed?: string];

const PAGES = [
  '/', '/doctors', '/services', '/specialties', '/deluxe-surgeries', '/appointment', '/virtual-consultation', '/contact', '/blogs', '/events',
  '/emergency', '/privacy', '/terms', '/cookies',
] as const; // prettier-ignore

export function raw({ data }: SitemapProps): string {
  if (!data.site.ok) return '';
  const origin = data.site.body.origin.replace(/\/$/, '');
  const places = new Map<string, string | undefined>([...PAGES.map((path): Place => [path]), ...found(data)] as [
    string,
    string | undefined,
  ][]);
  const urls = [...places].map(
    ([path, changed]) => `<url>${element('loc', origin + path)}${element('lastmod', changed)}</url>`,
  );
  return `${DECLARATION}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`;
}

function found(data: SitemapProps['data']): Place[] {
  const { doctors, services, specialties, surgeries, events, blogs, news } = data;
  return [
    ...places(doctors, (body) => body.doctors.map(({ slug }) => [`/doctor/${slug}`])),
    ...places(services, (body) => body.services.map(({ slug }) => [`/service/${slug}`])),
    ...places(specialties, (body) => body.specialties.map(({ slug }) => [`/specialty/${slug}`])),
    ...places(surgeries, (body) => body.surgeries.map(({ slug }) => [`/deluxe-surgeries/${slug}`])),
    ...places(events, (body) => body.events.map((event) => [eventPath(event)])),
    ...places(blogs, (body) => body.blogs.map((post) => [postPath(post), post.updatedAt || post.publishedAt])),
    ...places(news, (body) => body.news.map((article) => [newsPath(article), article.publishedAt])),
  ];
}

function places<Body>(result: DataResult<Body>, of: (body: Body) => Place[]): Place[] {
  return result.ok ? of(result.body) : [];
}

/** A map that lacks a part would tell search engines that the part is gone. */
export function status({ data }: SitemapProps): number {
  return feedStatus(...Object.values(data));
}
