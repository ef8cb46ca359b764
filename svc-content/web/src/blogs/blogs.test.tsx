// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import type { Blog } from '@hospital/api/types';
import BlogsPage, { head, status } from './blogs.tsx';
import { blog, DOWN, failed, NOW, ok, SITE, words } from '../../test/answers.ts';

type Props = Parameters<typeof BlogsPage>[0];

function props(blogs: Props['data']['blogs'], query: Record<string, string> = {}): Props {
  return {
    params: {},
    query,
    part: 'content:page',
    action: null,
    now: NOW,
    path: '/blogs',
    data: { blogs, site: ok(SITE) },
  };
}
const list = (blogs: Blog[], nextPageToken = '') => ok({ blogs, nextPageToken });
const page = (given: Props) =>
  render(
    <main>
      <BlogsPage {...given} />
    </main>,
  ).container;
const links = (container: Element) =>
  [...container.querySelectorAll('[data-card] a')].map((link) => link.getAttribute('href'));

afterEach(cleanup);

describe('the list of posts', () => {
  it('shows each with category, date, and excerpt or beginning of its content', async () => {
    const long = blog('long', { excerpt: '', content: `${'word '.repeat(60)}end`, category: 'Eye Care' });
    const container = page(props(list([blog('one'), long])));
    const [first, second] = [...container.querySelectorAll('[data-card]')].map(words);
    expect(first).toBe('Health TipsAbout oneWhat one is12 November 2026 · 5 min read');
    expect(second).toMatch(/^Eye CareAbout long(word ){30,40}.*…12 November 2026 · 5 min read$/);
    expect(second?.length).toBeLessThan(200 + 60);
    expect(links(container)).toEqual(['/blogs/about-one', '/blogs/about-long']);
    expect(container.querySelectorAll('h1')).toHaveLength(1);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('strips tags of HTML content', () => {
    const container = page(props(list([blog('html', { excerpt: '', content: '<p>Drink <b>water</b>.</p><p cla' })])));
    expect(words(container.querySelector('[data-card] p + p, [data-card] h2 + p') as Element)).toBe('Drink water.');
  });

  it('links by id to a post whose title a newer one has', () => {
    expect(links(page(props(list([blog('older', { slug: '' })]))))).toEqual(['/blog/older']);
  });

  it('keeps the category on further pages', async () => {
    const container = page(
      props(list([blog('one', { category: 'Eye Care' })], 'to ken'), { category: 'eye care', page: 'x' }),
    );
    expect(screen.getByRole('link', { name: 'Older posts' }).getAttribute('href')).toBe(
      '/blogs?category=eye%20care&page=to%20ken',
    );
    expect(screen.getByRole('link', { name: 'Newest posts' }).getAttribute('href')).toBe('/blogs?category=eye%20care');
    expect(words(container)).toContain('Posts about Eye Care');
    expect(await brokenRules(container)).toEqual([]);
    cleanup();
    expect(words(page(props(list([blog('one')]))))).not.toContain('Older posts');
    cleanup();
    expect(words(page(props(list([blog('one')]), { page: 'x' })))).toContain('These are the oldest posts.');
  });

  it('shows that there are none', async () => {
    const container = page(props(list([])));
    expect(words(container)).toContain('No blogs available at the moment.Check back soon for new content!');
    expect(await brokenRules(container)).toEqual([]);
  });

  it('falls back to the built-in posts if the API does not respond', async () => {
    const given = props(DOWN);
    const container = page(given);
    expect(links(container)).toEqual([
      '/blogs/the-warning-signs-of-a-heart-in-trouble',
      '/blogs/when-worry-takes-over',
      '/blogs/the-half-plate-rule',
    ]);
    expect(words(container)).toContain('We can’t load the newest posts right now');
    expect(status(given)).toBe(200);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('offers a retry if the response is not a list', async () => {
    const given = props(ok({} as never));
    const container = page(given);
    expect(screen.getByRole('link', { name: 'Try Again' }).getAttribute('href')).toBe('/blogs');
    expect(status(given)).toBe(502);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('is the 404 page for an unknown page token', () => {
    const given = props(failed(400), { page: 'rubbish' });
    expect(words(page(given))).toContain('Page Not Found');
    expect([status(given), head(given).robots]).toEqual([404, 'noindex, follow']);
  });

  it('is one page to search engines', () => {
    expect(head(props(list([])))).toMatchObject({
      canonicalPath: '/blogs',
      feed: { path: '/blogs/feed.xml' },
      title: 'Health blog | Sampige Hospital',
    });
    expect(head(props(list([]))).robots).toBeUndefined();
    const ofCategory = props(list([blog('one', { category: 'A & B' })]), { category: 'a & b' });
    expect(head(ofCategory)).toMatchObject({
      title: 'A & B: health blog | Sampige Hospital',
      robots: 'noindex, follow',
      canonicalPath: '/blogs?category=A%20%26%20B',
    });
    expect(head(props(list([]))).jsonLd).toMatchObject([{ '@type': 'BreadcrumbList' }]);
  });

  it('repeats only existing categories of its URL', () => {
    for (const answer of [list([]), list([blog('one')]), DOWN]) {
      const foreign = props(answer, { category: 'For emergencies call +91 99999' });
      expect(head(foreign)).toMatchObject({ title: 'Health blog | Sampige Hospital', robots: 'noindex, follow' });
      expect(JSON.stringify(head(foreign)) + words(page(foreign))).not.toContain('99999');
      cleanup();
    }
  });
});
