// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { DataResult, PageProps } from '@hospital/page';
import { brokenRules } from '@hospital/ui/accessibility';
import HomeAbout from './about.tsx';
import HomeBlogs from './blogs.tsx';
import HomeCarousel from './carousel.tsx';
import HomeDoctors from './doctors.tsx';
import HomeNews from './news.tsx';
import HomeReviews from './reviews.tsx';
import HomeServices from './services.tsx';
import HomeSpecialties from './specialties.tsx';
import HomeStats from './stats.tsx';
import HomeTicker from './ticker.tsx';
import { BUILT_IN_HEADLINES } from './ticker.built-in.ts';

afterEach(cleanup);

const FAILED: DataResult = { ok: false, status: 503, body: null };
const ok = (body: unknown): DataResult => ({ ok: true, status: 200, body });

function show(Module: ComponentType<any>, data: Record<string, DataResult> = {}, now = '2026-11-21T09:30:00Z') {
  const props: PageProps = { params: {}, query: {}, data, part: 'content:page', action: null, now, path: '/' };
  return render(
    <main>
      <h1>Home</h1>
      <Module {...props} />
    </main>,
  );
}

const href = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href');
const items = (container: Element) =>
  [...container.querySelectorAll('ul:not([aria-hidden]) > li')].map((item) => item.textContent);

it.each([
  HomeAbout,
  HomeBlogs,
  HomeCarousel,
  HomeDoctors,
  HomeNews,
  HomeReviews,
  HomeServices,
  HomeSpecialties,
  HomeStats,
  HomeTicker,
])('renders without any data, accessibly and without inline style: %o', async (Module) => {
  const { container } = show(Module);
  expect(container.innerHTML).not.toMatch(/ style=|undefined|NaN/);
  expect(await brokenRules(container)).toEqual([]);
});

it('ticker: repeats the headlines, hidden from screen readers; falls back to the built-in ones', () => {
  const { container } = show(HomeTicker, { headlines: ok({ headlines: ['One', 'Two'] }) });
  expect(
    [...container.querySelectorAll('ul')].map((list) => [list.getAttribute('aria-hidden'), list.children.length]),
  ).toEqual([
    [null, 2],
    ['true', 2],
  ]);
  expect(screen.getByRole('checkbox', { name: 'Pause headlines' })).toBeDefined();
  cleanup();
  expect(items(show(HomeTicker, { headlines: FAILED }).container)).toEqual(BUILT_IN_HEADLINES);
  expect(BUILT_IN_HEADLINES).toHaveLength(5);
});

it('ticker: selects other headlines each day', () => {
  const headlines = ok({ headlines: Array.from({ length: 10 }, (_, index) => `Headline ${index}`) });
  const seen = new Set<string | null>();
  for (let day = 1; day <= 10; day++) {
    const shown = items(show(HomeTicker, { headlines }, `2026-11-${10 + day}T09:30:00Z`).container);
    expect(shown).toHaveLength(6);
    shown.forEach((headline) => seen.add(headline));
    cleanup();
  }
  expect(seen.size).toBe(10);
});

it('statistics: has the final numbers in the HTML', () => {
  const { container } = show(HomeStats, { site: FAILED });
  expect([...container.querySelectorAll('dd')].map((number) => number.textContent)).toEqual([
    '46+',
    '50+',
    '10M+',
    '24/7',
  ]);
});

it('services: links six, and the list of all', () => {
  const service = (slug: string, onHome = true) => ({
    slug,
    name: slug,
    homeName: slug === 'gynecology-ot' ? 'Gynaec OT' : '',
    description: 'd',
    icon: 'bed',
    onHome,
  });
  const services = [
    'icu',
    'emergency-services',
    'laboratory-services',
    'digital-x-ray',
    'modular-ot',
    'gynecology-ot',
  ].map((slug) => service(slug));
  const { container } = show(HomeServices, { services: ok({ services: [service('wards', false), ...services] }) });
  expect(container.querySelectorAll('h3')).toHaveLength(6);
  expect(href('Gynaec OT')).toBe('/service/gynecology-ot');
  expect(href('Call +91 80 0000 0108')).toBe('tel:+918000000108');
  expect(href('View All Services')).toBe('/services');
  cleanup();
  show(HomeServices, { services: FAILED });
  expect(screen.getAllByRole('heading', { level: 3 }).map((name) => name.textContent)).toEqual([
    'ICU',
    'Emergency',
    'Laboratory',
    'Digital X-Ray',
    'Modular OT',
    'Gynaec OT',
  ]);
  expect(href('Emergency')).toBe('/service/emergency-services');
});

it('specialties: has the four quick links', () => {
  show(HomeSpecialties);
  const links = within(screen.getByRole('navigation'))
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));
  expect(links).toEqual([
    '/specialty/cardiology',
    '/specialty/neurology',
    '/specialty/pediatrics',
    '/specialty/orthopedics',
    '/specialties',
  ]);
});

it('about: has the anchor, and the text of the content', () => {
  show(HomeAbout, { about: ok({ sections: [{ heading: 'Since then', paragraphs: ['One.', 'Two.'] }] }), site: FAILED });
  expect(document.getElementById('about')?.querySelector('h2')?.textContent).toBe('Since then');
});

it('doctors: links the first four by id, with initials behind the portrait', () => {
  const doctors = Array.from({ length: 6 }, (_, index) => ({
    id: `doc-0${index}`,
    slug: 'dr-aravind-bhat',
    name: `Dr. ${index}`,
    specialty: 'Neurology',
    experience: '7 Years',
    initials: 'AB',
  }));
  const next = { doctor: 'doc-01', department: 'cardiology', date: '2026-11-23', time: '9:00 AM', startsAt: '2026-11-23T03:30:00Z' }; // prettier-ignore
  const { container } = show(HomeDoctors, { doctors: ok({ doctors }), next: ok({ next: [next] }) });
  expect(screen.getAllByText(/^Next free/).map(({ textContent }) => textContent)).toHaveLength(1);
  expect(screen.getAllByText('View Profile').map((link) => link.getAttribute('href'))).toEqual(
    [0, 1, 2, 3].map((index) => `/doctor/doc-0${index}`),
  );
  expect(container.querySelector('img')?.getAttribute('loading')).toBe('lazy');
  expect(screen.getAllByText('AB')).toHaveLength(4);
  expect(href('View All Doctors')).toBe('/doctors');
});

it('reviews: shows three, with the stars as text', () => {
  const review = { name: 'Meera S.', rating: 5, comment: 'Kind people.', image: '', location: 'Jayanagar' };
  const reviews = [review, { ...review, name: 'Anand K.' }, { ...review, name: 'Lata', rating: 4 }, review];
  const { container } = show(HomeReviews, { reviews: ok({ reviews }) });
  expect(container.querySelectorAll('blockquote')).toHaveLength(3);
  expect(screen.getAllByRole('img', { name: /of 5 stars/ }).map((stars) => stars.getAttribute('aria-label'))).toEqual([
    '5 of 5 stars',
    '5 of 5 stars',
    '4 of 5 stars',
  ]);
});

it('M9: reviews: invents none if they are unavailable or missing', () => {
  for (const reviews of [FAILED, ok({ reviews: [] })]) {
    const { container } = show(HomeReviews, { reviews });
    expect(container.querySelector('section')).toBeNull();
    cleanup();
  }
});

const BLOG = {
  id: 'b1',
  slug: 'sleep',
  title: 'Sleep',
  image: '',
  category: '',
  summary: '',
  excerpt: '',
  // Posts may be HTML; lists show plain text.
  content: '<p>A <b>new day</b>, &amp; sleep &lt; 5 h</p><script>alert(1)</script>',
  publishedAt: '2026-11-12T04:30:00Z',
};

it('blogs: shows up to three with summary, excerpt or 120 characters; falls back to built-in posts', () => {
  const { container } = show(HomeBlogs, {
    blogs: ok({
      blogs: [
        BLOG,
        { ...BLOG, id: 'b2', slug: '', title: 'Two', excerpt: 'E', category: 'Heart' },
        { ...BLOG, id: 'b3', title: 'Three', summary: 'S', excerpt: 'E' },
        { ...BLOG, id: 'b4' },
      ],
    }),
  });
  expect(items(container)).toEqual([
    'Health TipsSleepA new day, & sleep < 5 h12 November 2026 · 5 min read',
    'HeartTwoE12 November 2026 · 5 min read',
    'Health TipsThreeS12 November 2026 · 5 min read',
  ]);
  expect([href('Sleep'), href('Two'), href('View All Blogs')]).toEqual(['/blogs/sleep', '/blog/b2', '/blogs']);
  for (const blogs of [FAILED, ok({ blogs: [] })]) {
    cleanup();
    show(HomeBlogs, { blogs });
    expect(href('The half-plate rule')).toBe('/blogs/the-half-plate-rule');
    expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(3);
  }
});

it('news: shows up to three, and the texts for none and for failure', () => {
  const news = {
    id: 'n1',
    slug: 'nabh-renewed',
    title: 'Renewed',
    image: '',
    excerpt: '',
    content: `<p>${'Word '.repeat(60)}</p>`,
    publishedAt: '2026-10-22T04:30:00Z',
  };
  show(HomeNews, {
    news: ok({
      news: [news, { ...news, id: 'n2', title: 'B' }, { ...news, id: 'n3', title: 'C' }, { ...news, id: 'n4' }],
    }),
  });
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(3);
  expect(href('Renewed')).toBe('/news/n1/nabh-renewed');
  expect(screen.getAllByText(/^(Word ){38}Word…$/)).toHaveLength(3);
  cleanup();
  show(HomeNews, { news: ok({ news: [] }) });
  expect(screen.getByText('No news available yet.')).toBeDefined();
  cleanup();
  // W13: a failure is shown as one and offers a retry.
  show(HomeNews, { news: FAILED });
  expect(screen.getByText('Failed to load news').closest('.failure')).not.toBeNull();
  expect(href('Try again')).toBe('/');
  expect(screen.queryByText('No news available yet.')).toBeNull();
});

it('banners: shows seven, loaded lazily, with controls only with script', () => {
  const { container } = show(HomeCarousel);
  expect([...container.querySelectorAll('img')].map((image) => image.alt)).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((place) => `Banner ${place}`),
  );
  expect(container.querySelectorAll('img[loading=lazy][width][height]')).toHaveLength(7);
  expect(screen.queryByRole('button')).toBeNull();
});
