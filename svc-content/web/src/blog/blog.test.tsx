// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import type { BlogLink } from '@hospital/api/types';
import BlogPage, { head, location, status } from './blog.tsx';
import { pictureAt, portraitOf } from '../parts/drawings.ts';
import { sharedBanner, sharedPicture } from '../parts/share.ts';
import { blog, DOWN, MISSING, NOW, ok, SITE, words } from '../../test/answers.ts';

type Props = Parameters<typeof BlogPage>[0];

const NO_PROMOS = ok({ promos: [], nextPageToken: '' });

function props(answer: Props['data']['blog'], path = '/blogs/about-one', changes: Partial<Props['data']> = {}): Props {
  const [, kind, key = ''] = path.split('/');
  const params: Record<string, string> = kind === 'blogs' ? { slug: key } : { id: key };
  return {
    params,
    query: {},
    part: 'content:page',
    action: null,
    now: NOW,
    path,
    data: { blog: answer, promos: NO_PROMOS, site: ok(SITE), ...changes },
  };
}
const page = (given: Props) =>
  render(
    <main>
      <BlogPage {...given} />
    </main>,
  ).container;
const link = (id: string): BlogLink => ({
  id,
  slug: `slug-${id}`,
  title: `Title ${id}`,
  image: '',
  publishedAt: '2026-01-02T00:00:00Z',
});
const hrefs = (element: Element | null) =>
  [...(element?.querySelectorAll('a') ?? [])].map((anchor) => anchor.getAttribute('href'));

afterEach(cleanup);

describe('a post', () => {
  it('shows its sections, with the picture on the right if aligned so', async () => {
    const sections = [
      { heading: 'One', text: 'A.\n\nB.', image: '/images/blogs/scene-lamps.svg', alignment: 'imageRight' },
      { heading: 'Two', text: 'C.', image: '', alignment: '' },
    ];
    const container = page(props(ok(blog('one', { sections }))));
    expect([...container.querySelectorAll('article h1, article h2')].slice(0, 3).map(words)).toEqual([
      'About one',
      'One',
      'Two',
    ]);
    expect([...container.querySelectorAll('.imageRight')].map(words)).toEqual(['OneA.B.']);
    expect(container.querySelector('.imageRight img')?.getAttribute('src')).toBe(pictureAt('blogs/scene-lamps'));
    expect(container.querySelectorAll('.prose p')).toHaveLength(3);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('shows the sanitised content, or plain text in paragraphs', () => {
    expect(
      page(props(ok(blog('one', { contentHtml: '<p>Safe <em>words</em></p>' })))).querySelector('.prose em')
        ?.textContent,
    ).toBe('words');
    cleanup();
    const plain = page(props(ok(blog('one', { content: 'A <b>.\n\nB.' }))));
    expect([...plain.querySelectorAll('.prose p')].map(words)).toEqual(['A <b>.', 'B.']);
  });

  it('lists its sections, and has a call button where it says when to get help', async () => {
    const section = (heading: string) => ({ heading, text: 'Words.', image: '', alignment: '' });
    const sections = ['What wears out', 'Four exercises', 'See a doctor soon with'].map(section);
    const container = page(props(ok(blog('one', { sections }))));
    const contents = screen.getByRole('navigation', { name: 'In this article' });
    expect(hrefs(contents).map((target) => words(container.querySelector(target as string) as Element))).toEqual(
      sections.map(({ heading }) => heading),
    );
    const warnings = [...container.querySelectorAll('.warning')];
    expect(warnings.map((warning) => words(warning.querySelector('h2') as Element))).toEqual([
      'See a doctor soon with',
    ]);
    expect(hrefs(warnings[0] as HTMLElement)).toEqual(['tel:+918000000999', '/emergency']);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('shows title, date, author and reading time; the hospital replaces a missing author', () => {
    const container = page(props(ok(blog('one'))));
    expect(words(container.querySelector('header') as Element)).toBe(
      'Health TipsAbout oneWhat one is12 November 2026 · 5 min read · Sampige Hospital',
    );
    cleanup();
    const named = page(
      props(ok(blog('one', { author: 'Dr. Rekha Prabhu', readTime: '8 min read', category: 'Diabetes' }))),
    );
    expect(words(named.querySelector('header') as Element)).toContain('8 min read · Dr. Rekha Prabhu');
    const author = screen.getByRole('region', { name: 'Author' });
    expect(within(author).getByRole('link', { name: 'Dr. Rekha Prabhu' }).getAttribute('href')).toBe(
      '/doctor/dr-rekha-prabhu',
    );
    expect(author.querySelector('img')?.getAttribute('src')).toBe(portraitOf('dr-rekha-prabhu'));
    expect(screen.getByRole('link', { name: 'Diabetes' }).getAttribute('href')).toBe('/blogs?category=Diabetes');
  });

  it('has plain share links with its canonical URL', () => {
    page(props(ok(blog('one', { title: 'Salt & sugar?' })), '/blog/one'));
    const address = encodeURIComponent('https://hospital.example/blogs/about-one');
    const share = screen.getByRole('region', { name: 'Share this post' });
    expect(hrefs(share)).toEqual([
      `https://wa.me/?text=Salt%20%26%20sugar%3F%20${address}`,
      `https://x.com/intent/post?text=Salt%20%26%20sugar%3F&url=${address}`,
      `https://www.facebook.com/sharer/sharer.php?u=${address}`,
    ]);
    expect(share.querySelector('button')?.hidden).toBe(true);
  });

  it('has four related posts, linked by id, and four popular ones', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const container = page(props(ok(blog('one', { related: ids.map(link), popular: ids.map(link) }))));
    expect(hrefs(screen.getByRole('region', { name: 'Related posts' }))).toEqual([
      '/blog/a',
      '/blog/b',
      '/blog/c',
      '/blog/d',
    ]);
    expect(hrefs(screen.getByRole('region', { name: 'Most Popular' }))).toEqual([
      '/blogs/slug-a',
      '/blogs/slug-b',
      '/blogs/slug-c',
      '/blogs/slug-d',
    ]);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('shows banners with a picture and a safe URL; none if they are unavailable', () => {
    const promo = {
      id: 'p',
      title: 'Check-up',
      image: '/images/promos/health-check.svg',
      url: '/services',
      ctaLabel: 'Read',
      openInNewTab: true,
      nofollow: true,
      placement: 'blog-sidebar',
    };
    const promos = ok({
      promos: [promo, { ...promo, id: 'q', image: '' }, { ...promo, id: 'r', url: 'javascript:alert(1)' }],
      nextPageToken: '',
    });
    const container = page(props(ok(blog('one')), undefined, { promos }));
    const banners = [...container.querySelectorAll('.banner')];
    expect(
      banners.map((banner) => [banner.getAttribute('href'), banner.getAttribute('target'), banner.getAttribute('rel')]),
    ).toEqual([['/services', '_blank', 'noopener nofollow']]);
    cleanup();
    expect(page(props(ok(blog('one')), undefined, { promos: DOWN })).querySelector('.banner')).toBeNull();
  });

  it('has the newsletter as a native form that posts to its page', async () => {
    page(props(ok(blog('one'))));
    const box = screen.getByRole('region', { name: 'Newsletter' });
    const form = box.querySelector('form') as HTMLFormElement;
    expect([form.method, form.getAttribute('action')]).toEqual(['post', '/newsletter']);
    const email = within(box).getByLabelText(/^E-mail address/) as HTMLInputElement;
    expect([email.type, email.autocomplete, email.required]).toEqual(['email', 'email', true]);
    email.value = 'asha@example.com';
    expect([...new FormData(form)]).toEqual([
      ['email', 'asha@example.com'],
      ['requestId', ''],
      ['part', 'messaging:/newsletter'],
    ]);
    expect(hrefs(box)).toEqual(['/privacy#newsletter', '/blogs/feed.xml']);
    expect(await brokenRules(box)).toEqual([]);
  });

  it('renders without site data, then without share links', async () => {
    const container = page(props(ok(blog('one')), undefined, { site: DOWN }));
    expect(screen.queryByRole('region', { name: 'Share this post' })).toBeNull();
    expect(await brokenRules(container)).toEqual([]);
  });
});

describe('the address of a post', () => {
  it('has its slug; all others redirect there', () => {
    expect(location(props(ok(blog('one')), '/blogs/about-one'))).toBeNull();
    expect(location(props(ok(blog('one')), '/blogs/one'))).toBe('/blogs/about-one');
    expect(location(props(ok(blog('one')), '/blog/one'))).toBe('/blogs/about-one');
    expect(location(props(ok(blog('one')), '/blog/one/an-old-title'))).toBe('/blogs/about-one');
  });

  it('has its id if a newer post has the same title', () => {
    const older = ok(blog('older', { slug: '' }));
    expect(location(props(older, '/blog/older'))).toBeNull();
    expect(location(props(older, '/blog/older/about-older'))).toBe('/blog/older');
  });

  it('of a built-in post is the same for its id', () => {
    expect(location(props(MISSING, '/blog/the-half-plate-rule'))).toBe('/blogs/the-half-plate-rule');
    expect(location(props(MISSING, '/blog/nobody'))).toBeNull();
  });
});

describe('a missing post', () => {
  it('shows that it was not found', async () => {
    const given = props(MISSING, '/blogs/nothing');
    const container = page(given);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Blog Not Found');
    expect(words(container)).toContain('The blog post you are looking for does not exist.');
    expect(screen.getByRole('link', { name: 'Go Back' }).getAttribute('href')).toBe('/blogs');
    expect([status(given), head(given).robots, head(given).title]).toEqual([
      404,
      'noindex',
      'Blog Not Found | Sampige Hospital',
    ]);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('falls back to a built-in one without a response', async () => {
    const given = props(DOWN, '/blogs/when-worry-takes-over', { site: DOWN, promos: DOWN });
    const container = page(given);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('When worry takes over');
    expect(container.querySelectorAll('.prose p').length).toBeGreaterThan(8);
    expect(status(given)).toBe(200);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('is an error if there is no built-in one, with other posts to read', async () => {
    const given = props(DOWN, '/blogs/about-one');
    const container = page(given);
    expect(screen.getByRole('alert').textContent).toBe('Failed to load blog. Please try again later.');
    expect(hrefs(screen.getByRole('region', { name: 'Meanwhile, you can read' }))).toHaveLength(3);
    expect([status(given), head(given).robots, location(given)]).toEqual([503, 'noindex', null]);
    expect(await brokenRules(container)).toEqual([]);
  });
});

describe('the metadata of a post', () => {
  it('is complete', () => {
    const image = '/images/blogs/getting-sleep-back.svg';
    const post = blog('one', { author: 'Dr. Rekha Prabhu', tags: ['salt', 'heart'], category: 'Diabetes', image });
    const described = head(props(ok(post), '/blog/one'));
    expect(described).toMatchObject({
      title: 'About one | Sampige Hospital', description: 'What one is', canonicalPath: '/blogs/about-one', keywords: 'Diabetes, salt, heart, health, Bengaluru',
      article: { publishedTime: '2026-11-12T06:00:00Z', modifiedTime: '2026-11-13T06:00:00Z', author: 'Dr. Rekha Prabhu', section: 'Diabetes', tags: ['salt', 'heart'] },
    }); // prettier-ignore
    expect(described.image).toBe(sharedPicture({ image }));
    // A drawing shared by many posts is not used; the banner of all posts is used instead.
    expect(head(props(ok(blog('one')))).image).toBe(sharedBanner('garden'));
    expect(described.jsonLd).toMatchObject([
      {
        '@context': 'https://schema.org',
        '@type': 'BlogPosting',
        headline: 'About one',
        url: 'https://hospital.example/blogs/about-one',
        author: { '@type': 'Person' },
      },
      { '@type': 'BreadcrumbList', itemListElement: [{ name: 'Home' }, { name: 'Blogs' }, { name: 'About one' }] },
    ]);
  });

  it('falls back to the first 160 characters of the content', () => {
    const described = head(props(ok(blog('one', { excerpt: '', content: 'word '.repeat(100) }))));
    expect(described.description.length).toBeLessThanOrEqual(160);
    expect(described.description).toMatch(/^word .*word…$/);
  });
});
