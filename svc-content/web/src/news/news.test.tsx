// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import { pictureAt } from '../parts/drawings.ts';
import NewsPage, { head, location, status } from './news.tsx';
import { DOWN, MISSING, news, NOW, ok, SITE, words } from '../../test/answers.ts';

type Props = Parameters<typeof NewsPage>[0];

function props(answer: Props['data']['news'], path = '/news/desk/news-of-desk'): Props {
  return {
    params: { id: 'desk' },
    query: {},
    part: 'content:page',
    action: null,
    now: NOW,
    path,
    data: { news: answer, site: ok(SITE) },
  };
}
const page = (given: Props) =>
  render(
    <main>
      <NewsPage {...given} />
    </main>,
  ).container;

afterEach(cleanup);

describe('a news article', () => {
  it('shows title, date, picture and its paragraphs as text', async () => {
    const container = page(props(ok(news('desk', { content: 'One <i>.\n\n\nTwo.\n' }))));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('News of desk');
    expect(container.querySelector('time')?.textContent).toBe('22 June 2026');
    expect([...container.querySelectorAll('.words p')].map(words)).toEqual(['One <i>.', 'Two.']);
    expect(container.querySelector('.drawing svg')?.innerHTML, 'the picture is in the document').toContain('<path');
    expect(container.querySelectorAll('section')).toHaveLength(0);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('has a gallery of attached pictures, links to other files, and omits unsafe ones', async () => {
    const attachments = [
      '/images/news/dengue-desk-advice-sheet.svg',
      'https://elsewhere.example/photo.jpg',
      '/files/sheet.pdf',
      '/media/0123456789abcdef0123456789abcdef01234567-1200.webp',
      'javascript:alert(1)',
    ];
    const container = page(props(ok(news('desk', { attachments }))));
    const pictures = [...container.querySelectorAll('.gallery img')].map((image) => [
      image.getAttribute('src'),
      image.getAttribute('alt'),
    ]);
    expect(pictures).toEqual([
      [pictureAt('news/dengue-desk-advice-sheet'), 'Picture 1 of 2: News of desk'],
      [attachments[3], 'Picture 2 of 2: News of desk'],
    ]);
    // The security policy blocks pictures from other sites.
    expect(screen.getByRole('link', { name: 'photo.jpg' }).getAttribute('href')).toBe(
      'https://elsewhere.example/photo.jpg',
    );
    expect(screen.getByRole('link', { name: 'sheet.pdf' }).getAttribute('href')).toBe('/files/sheet.pdf');
    expect(container.innerHTML).not.toContain('javascript:');
    expect(await brokenRules(container)).toEqual([]);
  });

  it('lists the coverage, each https URL once', () => {
    const externalLinks = [
      { url: 'https://courier.example/a', label: 'Courier: a desk' },
      { url: 'http://plain.example/', label: 'Not safe' },
      { url: 'https://www.radio.example/b?c', label: '' },
    ];
    page(props(ok(news('desk', { externalLinks, sourceUrl: 'https://courier.example/a', sourceName: 'Courier' }))));
    const links = [...screen.getByRole('region', { name: 'Coverage' }).querySelectorAll('a')];
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Courier: a desk', 'https://courier.example/a'],
      ['radio.example', 'https://www.radio.example/b?c'],
    ]);
    cleanup();
    page(props(ok(news('desk', { sourceUrl: 'https://herald.example/x', sourceName: 'Herald' }))));
    expect(screen.getByRole('link', { name: 'Herald' }).getAttribute('href')).toBe('https://herald.example/x');
  });

  it('has one canonical URL', () => {
    const answer = ok(news('desk'));
    expect(location(props(answer))).toBeNull();
    expect(location(props(answer, '/news/desk'))).toBe('/news/desk/news-of-desk');
    expect(location(props(answer, '/news/desk/an-old-title'))).toBe('/news/desk/news-of-desk');
    expect(location(props(ok(news('desk', { slug: '' })), '/news/desk'))).toBeNull();
    expect(location(props(MISSING))).toBeNull();
  });

  it('shows that it is missing or unavailable', async () => {
    for (const [answer, said, code] of [
      [MISSING, 'Article not found', 404],
      [DOWN, 'Failed to load article', 503],
    ] as const) {
      const container = page(props(answer));
      expect(words(container)).toContain(said);
      expect([status(props(answer)), head(props(answer)).robots]).toEqual([code, 'noindex']);
      expect(container.querySelectorAll('h1')).toHaveLength(1);
      expect(await brokenRules(container)).toEqual([]);
      cleanup();
    }
  });

  it('has structured data, and prefers the metadata of the article', () => {
    const described = head(props(ok(news('desk', { metaTitle: 'Dengue desk', metaDescription: 'A desk for fever' }))));
    expect(described).toMatchObject({
      title: 'Dengue desk | Sampige Hospital', description: 'A desk for fever', canonicalPath: '/news/desk/news-of-desk',
      article: { publishedTime: '2026-06-22T02:30:00Z', section: 'News' },
    }); // prettier-ignore
    expect(described.jsonLd).toMatchObject([
      { '@type': 'NewsArticle', headline: 'News of desk', publisher: { '@type': 'Hospital' } },
      { '@type': 'BreadcrumbList' },
    ]);
    expect(head(props(ok(news('desk')))).description).toBe('First of desk. Second.');
  });
});
