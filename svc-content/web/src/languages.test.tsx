import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import type { PageProps } from '@hospital/page';
import { setLanguage } from '@hospital/page/language';
import { afterEach, expect, it } from 'vitest';
import * as fixtures from '../test/answers.ts';
import * as blog from './blog/blog.tsx';
import * as blogs from './blogs/blogs.tsx';
import * as doctor from './doctor/doctor.tsx';
import * as doctors from './doctors/doctors.tsx';
import * as emergency from './emergency/emergency.tsx';
import * as event from './event/event.tsx';
import * as events from './events/events.tsx';
import HomeAbout from './home/about.tsx';
import HomeBlogs from './home/blogs.tsx';
import HomeCarousel from './home/carousel.tsx';
import HomeDoctors from './home/doctors.tsx';
import HomeNews from './home/news.tsx';
import HomeReviews from './home/reviews.tsx';
import HomeServices from './home/services.tsx';
import HomeSpecialties from './home/specialties.tsx';
import HomeStats from './home/stats.tsx';
import HomeTicker from './home/ticker.tsx';
import * as legal from './legal/legal.tsx';
import * as news from './news/news.tsx';
import * as offline from './offline/offline.tsx';
import * as search from './search/search.tsx';
import * as service from './service/service.tsx';
import * as services from './services/services.tsx';
import * as specialties from './specialties/specialties.tsx';
import * as specialty from './specialty/specialty.tsx';
import * as surgeries from './surgeries/surgeries.tsx';
import * as surgery from './surgery/surgery.tsx';

const { DEPARTMENTS, DOCTOR, DOWN, MISSING, NEXT_FREE, SERVICE, SITE, SPECIALTY, SURGERY, ok, props } = fixtures;

const LONG = 'A long text';
const review = { name: 'Asha', rating: 4, comment: LONG, image: '', location: 'Jayanagar' };
const section = { id: 'one', heading: 'One', paragraphs: [LONG], items: ['Item'], contacts: ['phone:reception'] };
const legalPage = { title: 'Privacy notice', description: 'D', intro: 'I', updated: '2026-11-01', sections: [section] };
const data = {
  site: ok(SITE),
  all: ok({ doctors: [DOCTOR], specialties: ['Cardiology'] }),
  ofSpecialty: ok({ doctors: [], specialties: [] }),
  blog: ok(fixtures.blog('walking', { sections: [], author: '' })),
  blogs: ok({ blogs: [fixtures.blog('walking')], nextPageToken: 'next' }),
  departments: DEPARTMENTS,
  doctor: ok(DOCTOR),
  doctors: ok({ doctors: [DOCTOR], specialties: [] }),
  event: ok(fixtures.event('knees', { places: 40 })),
  events: ok({ events: [fixtures.event('knees'), fixtures.event('sleep', { past: true, cancelled: 'Rain.' })] }),
  found: ok({
    results: [{ kind: 'doctor', path: '/doctor/x', title: 'Dr. Nandini Iyengar', summary: 'Cardiology' }],
    nextPageToken: 'next',
    corrected: 'heart',
  }),
  headlines: DOWN,
  news: ok({ news: [fixtures.news('dengue')], nextPageToken: 'next' }),
  next: ok({ next: [NEXT_FREE] }),
  page: DOWN,
  pages: ok({ pages: [] }),
  profiles: ok({ departmentProfiles: [{ id: 'orthopedics', problems: ['Knee pain'] }] }),
  promos: ok({ promos: [] }),
  reviews: ok({ reviews: [review] }),
  service: ok(SERVICE),
  services: ok({ services: [SERVICE] }),
  specialties: ok({ specialties: [SPECIALTY] }),
  specialty: ok(SPECIALTY),
  surgeries: ok({ surgeries: [SURGERY] }),
  surgery: ok(SURGERY),
};
const away = Object.fromEntries(Object.keys(data).map((name) => [name, name === 'site' ? data.site : DOWN]));
const missing = Object.fromEntries(Object.keys(data).map((name) => [name, name === 'site' ? data.site : MISSING]));

const PAGES: Record<string, { default: unknown; head?: unknown }> = {
  blog, blogs, doctor, doctors, emergency, event, events, legal, news, offline, search, service, services,
  specialties, specialty, surgeries, surgery,
  about: { default: HomeAbout }, homeBlogs: { default: HomeBlogs }, carousel: { default: HomeCarousel },
  homeDoctors: { default: HomeDoctors }, homeNews: { default: HomeNews }, reviews: { default: HomeReviews },
  homeServices: { default: HomeServices }, homeSpecialties: { default: HomeSpecialties }, stats: { default: HomeStats },
  ticker: { default: HomeTicker },
}; // prettier-ignore

/** Names, abbreviations and units that stay in Latin letters. */
const ALLOWED = /^([A-Z]{1,2}|mg|NABH|ISO|FAST|ORS|ICU|OPD|MRI|Face|Arms|Speech|Time|WhatsApp|Facebook|JavaScript)$/;

/** Returns all texts in a value, longest first. */
function textsIn(value: unknown): string[] {
  const found = new Set<string>();
  JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'string') {
      for (const form of [one, one.toLowerCase(), one.replace(' ', '\u00a0'), one.replace(/\s+/g, ' ')])
        found.add(form);
    }
    return one;
  });
  return [...found].filter((text) => /[A-Za-z]{2}/.test(text)).sort((a, b) => b.length - a.length);
}

const OWN = textsIn([fixtures, data, legalPage, 'hart', 'hospital.example']);

/** Returns all English words that a page shows, without those marked as English and those of the fixtures. */
function englishIn(html: string): string[] {
  const attributes = [...html.matchAll(/ (?:aria-label|alt|placeholder|title)="([^"]*)"/g)].map(([, text]) => text);
  const shown = html
    .replace(/<svg[^]*?<\/svg>/g, '')
    .replace(/<(span|div) [^>]*lang="en"[^>]*>[^]*?<\/\1>/g, '')
    .replace(/<!-- -->|<wbr[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ');
  let text = [shown, ...attributes].join(' ').replace(/&[a-z#0-9]+;/g, ' ');
  for (const own of OWN) text = text.replaceAll(own, ' ');
  return [...new Set(text.match(/[A-Za-z]+/g) ?? [])].filter((word) => !ALLOWED.test(word));
}

afterEach(() => setLanguage(undefined));

const cases = (['kn', 'hi'] as const).flatMap((language) =>
  Object.keys(PAGES).map((page) => [page, language] as const),
);

it.each(cases)('%s has no English words in %s', (page, language) => {
  setLanguage(language);
  const { default: Page, head } = PAGES[page] as {
    default: ComponentType<PageProps>;
    head?: (props: PageProps) => object;
  };
  for (const bodies of [data, away, missing]) {
    const one = page === 'news' && bodies.news.ok ? { ...bodies, news: ok(fixtures.news('dengue')) } : bodies;
    const read = page === 'legal' && bodies === data ? { ...one, page: ok(legalPage) } : one;
    const given = { ...props(read, { slug: 'x', id: 'x' }, '/privacy'), query: { q: 'hart' } } as unknown as PageProps;
    const html = renderToString(<Page {...given} />);
    const { title = '', description = '' } = (head?.(given) ?? {}) as { title?: string; description?: string };
    expect(englishIn(`${html} ${title} ${description}`)).toEqual([]);
  }
});
