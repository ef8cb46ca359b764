// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import * as blogFeed from '../blogs/feed.ts';
import * as newsFeed from '../news/feed.ts';
import * as robots from '../robots/robots.ts';
import * as security from '../security/security.ts';
import * as sitemap from './sitemap.ts';
import { blog, DOWN, news, NOW, ok, SITE } from '../../test/answers.ts';

const request = (path: string) => ({ params: {}, query: {}, part: 'content:page', action: null, now: NOW, path });

function parsed(text: string): Document {
  expect(text.startsWith('<?xml version="1.0" encoding="utf-8"?>\n<')).toBe(true);
  const document = new DOMParser().parseFromString(text, 'application/xml');
  expect(document.querySelector('parsererror')).toBeNull();
  return document;
}
const texts = (root: ParentNode, selector: string) =>
  [...root.querySelectorAll(selector)].map((element) => element.textContent);

describe('the feed of posts', () => {
  const post = blog('one', {
    title: 'Salt & <sugar>\u0001',
    author: 'Dr. A',
    slug: '',
    updatedAt: '2026-11-20T00:00:00Z',
  });
  const props = {
    ...request('/blogs/feed.xml'),
    data: { blogs: ok({ blogs: [post, blog('two')], nextPageToken: '' }), site: ok(SITE) },
  };

  it('is valid Atom with each post', () => {
    const feed = parsed(blogFeed.raw(props));
    expect(texts(feed, 'feed > id')).toEqual(['https://hospital.example/blogs/feed.xml']);
    expect(texts(feed, 'feed > updated')).toEqual(['2026-11-20T00:00:00Z']);
    expect(texts(feed, 'feed > title')).toEqual(['Health blog | Sampige Hospital']);
    expect(texts(feed, 'entry > id')).toEqual([
      'https://hospital.example/blog/one',
      'https://hospital.example/blogs/about-two',
    ]);
    expect(texts(feed, 'entry > title')).toEqual(['Salt & <sugar>', 'About two']);
    expect(texts(feed, 'entry > updated')).toEqual(['2026-11-20T00:00:00Z', '2026-11-13T06:00:00Z']);
    expect(texts(feed, 'entry > author > name')).toEqual(['Dr. A', 'Sampige Hospital']);
    expect(texts(feed, 'entry > summary')).toEqual(['What one is', 'What two is']);
    expect(blogFeed.status(props)).toBe(200);
  });

  it('is unavailable while part of its data is', () => {
    const without = { ...props, data: { ...props.data, site: DOWN } };
    expect([blogFeed.raw(without), blogFeed.status(without)]).toEqual(['', 503]);
  });
});

describe('the feed of news', () => {
  it('has each article under its URL', () => {
    const props = {
      ...request('/news/feed.xml'),
      data: { news: ok({ news: [news('desk')], nextPageToken: '' }), site: ok(SITE) },
    };
    const feed = parsed(newsFeed.raw(props));
    expect(texts(feed, 'entry > id')).toEqual(['https://hospital.example/news/desk/news-of-desk']);
    expect(texts(feed, 'entry > published')).toEqual(['2026-06-22T02:30:00Z']);
    expect(newsFeed.status({ ...props, data: { ...props.data, news: DOWN } })).toBe(503);
  });
});

describe('the site map', () => {
  const entry = (path: string, changed?: string, siteMap = true) => ({
    path,
    team: 'any',
    siteMap,
    ...(changed && { changed }),
  });
  const data = {
    site: ok(SITE),
    pages: ok({
      pages: [
        entry('/'),
        entry('/appointment'),
        entry('/specialty/cardiology'),
        entry('/specialty/cardiology'),
        entry('/blogs/a&b', '2026-11-13T06:00:00Z'),
        entry('/search', undefined, false),
      ],
    }),
  };
  const props = { ...request('/sitemap.xml'), data };

  it('lists every declared page once in each language, with its last change if known', () => {
    const urls = [...parsed(sitemap.raw(props)).querySelectorAll('url')].map((url) =>
      [...url.querySelectorAll('loc, lastmod')].map(({ textContent }) =>
        textContent?.replace('https://hospital.example', ''),
      ),
    );
    expect(urls.slice(0, 9)).toEqual([
      ...[['/'], ['/kn'], ['/hi'], ['/appointment'], ['/kn/appointment'], ['/hi/appointment']],
      ...[['/specialty/cardiology'], ['/kn/specialty/cardiology'], ['/hi/specialty/cardiology']],
    ]);
    expect(urls.slice(9)).toEqual(['', '/kn', '/hi'].map((prefix) => [`${prefix}/blogs/a&b`, '2026-11-13T06:00:00Z']));
    expect(sitemap.status(props)).toBe(200);
  });

  it('links each address to all languages of its page', () => {
    const { documentElement } = parsed(sitemap.raw(props));
    for (const url of [...documentElement.children].slice(3, 6)) {
      const links = [...url.querySelectorAll('[hreflang]')];
      expect(links.map((link) => `${link.getAttribute('hreflang')} ${link.getAttribute('href')}`)).toEqual([
        'en https://hospital.example/appointment',
        'kn https://hospital.example/kn/appointment',
        'hi https://hospital.example/hi/appointment',
        'x-default https://hospital.example/appointment',
      ]);
    }
  });

  it('is unavailable while part of its data is', () => {
    const down = { ...props, data: { ...data, pages: DOWN } };
    expect([sitemap.status(down), sitemap.raw(down)]).toEqual([503, '']);
  });
});

describe('the rules for robots', () => {
  it('name the site map, and render without site data', () => {
    const rules = 'User-agent: *\nDisallow: /api/\nAllow: /\n';
    expect(robots.raw({ ...request('/robots.txt'), data: { site: ok(SITE) } })).toBe(
      `${rules}\nSitemap: https://hospital.example/sitemap.xml\n`,
    );
    expect(robots.raw({ ...request('/robots.txt'), data: { site: DOWN } })).toBe(rules);
  });
});

describe('the security contact', () => {
  it('is valid for half a year, and absent without site data', () => {
    const props = { ...request('/.well-known/security.txt'), data: { site: ok(SITE) } };
    const lines = security.raw(props).split('\n');
    expect(lines).toContain('Contact: https://hospital.example/contact');
    expect(lines).toContain('Canonical: https://hospital.example/.well-known/security.txt');
    const expires = lines.find((line) => line.startsWith('Expires: '))?.slice('Expires: '.length) ?? '';
    const days = (Date.parse(expires) - Date.parse(NOW)) / (24 * 60 * 60 * 1000);
    expect(days).toBeGreaterThan(170);
    expect(days).toBeLessThan(365);
    const down = { ...props, data: { site: DOWN } };
    expect([security.status(down), security.raw(down)]).toEqual([503, '']);
  });
});
