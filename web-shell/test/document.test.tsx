// @vitest-environment happy-dom
import axe from 'axe-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DataResult, Head } from '@hospital/page';
import renderDocument from '../src/document.tsx';
import { SITE } from './site-example.ts';

const HEAD: Head = { title: 'Doctors & "more"', description: 'All <doctors>', canonicalPath: '/doctors' };
const ABSENT: DataResult = { ok: false, status: 503, body: null };

function open(site: DataResult, path = '/doctors', head = HEAD) {
  const parts = renderDocument({ path, site, head, now: '2026-11-21T09:30:00Z' });
  document.documentElement.setAttribute('lang', 'en-IN');
  document.head.innerHTML = parts.head;
  document.body.innerHTML = `${parts.before}<main id="main" tabindex="-1"><h1>Page</h1></main>${parts.after}`;
  return parts;
}

const meta = (name: string) =>
  document.head.querySelector(`meta[name="${name}"],meta[property="${name}"]`)?.getAttribute('content');

beforeEach(() => {
  document.head.innerHTML = '';
  document.body.innerHTML = '';
});

describe('the frame of a bare page', () => {
  it('has no script element, names the page, and has telephone and navigation links', () => {
    const parts = renderDocument({ path: '/emergency', site: ABSENT, head: HEAD, now: '', bare: true });
    document.documentElement.setAttribute('lang', 'en-IN');
    document.head.innerHTML = parts.head;
    document.body.innerHTML = `${parts.before}<main id="main"><h1>Page</h1></main>${parts.after}`;
    expect(JSON.stringify(parts)).not.toMatch(/<script|ld\+json/);
    expect(document.title).toBe('Doctors & "more"');
    expect(document.querySelector('body > nav a[href="tel:+918000000108"]')).not.toBeNull();
    expect(document.querySelector('header a[href="/"] svg')).not.toBeNull();
    // Page and frame together are at most 12 KB.
    expect(parts.head.length + parts.before.length + parts.after.length).toBeLessThan(1200);
  });
});

describe('the head', () => {
  it('has the metadata of the page, escaped', () => {
    const parts = open({ ok: true, status: 200, body: SITE });
    expect(parts.htmlAttributes).toBe('lang="en-IN"');
    expect(document.title).toBe('Doctors & "more"');
    expect(parts.head).toContain('content="All &lt;doctors&gt;"');
    expect(meta('robots')).toBe('index, follow');
    expect(meta('og:title')).toBe('Doctors & "more"');
    expect(meta('og:url')).toBe('https://hospital.example/doctors');
    expect(meta('keywords')).toContain('Jayanagar');
    expect(meta('og:image')).toBe('https://hospital.example/share.png');
    expect([meta('og:image:width'), meta('og:image:height'), meta('og:image:alt')]).toEqual([
      '1200',
      '630',
      'Sampige Hospital, Jayanagar',
    ]);
    expect([meta('twitter:card'), meta('twitter:title'), meta('twitter:image')]).toEqual([
      'summary_large_image',
      'Doctors & "more"',
      meta('og:image'),
    ]);
    expect(meta('color-scheme')).toBe('light');
    expect(meta('geo.placename')).toBe('Bengaluru');
    expect(meta('geo.position')).toBe('12.925;77.5938');
    expect(document.head.querySelector('link[rel=canonical]')?.getAttribute('href')).toBe(
      'https://hospital.example/doctors',
    );
  });

  it('has robots, image and structured data of the page', () => {
    open({ ok: true, status: 200, body: SITE }, '/x', {
      ...HEAD,
      robots: 'noindex',
      referrer: 'same-origin',
      image: '/remotes/x.jpg',
      jsonLd: [{ '@type': 'Physician', name: '</script><b>' }],
    });
    expect(meta('robots')).toBe('noindex');
    expect(meta('referrer')).toBe('same-origin');
    expect(meta('og:image')).toBe('https://hospital.example/remotes/x.jpg');
    expect(meta('og:image:width')).toBeUndefined();
    const data = [...document.querySelectorAll('script[type="application/ld+json"]')].map(
      (script) => script.textContent,
    );
    expect(JSON.parse(data[1] ?? '')).toEqual({ '@type': 'Physician', name: '</script><b>' });
    expect(document.querySelector('b')).toBeNull();
  });

  it.each(['svg', 'avif'])('shares the common PNG where some networks could not show the own %s', (format) => {
    open({ ok: true, status: 200, body: SITE }, '/x', { ...HEAD, image: `/remotes/content/1/drawing.${format}` });
    expect(meta('og:image')).toBe('https://hospital.example/share.png');
    expect(meta('twitter:image')).toBe('https://hospital.example/share.png');
  });

  it('W10: gives the size of share pictures made by the build', () => {
    const image = '/remotes/content/1/share-knee.12ab34cd.png';
    open({ ok: true, status: 200, body: SITE }, '/x', { ...HEAD, image });
    expect(meta('og:image')).toBe(`https://hospital.example${image}`);
    expect([meta('og:image:width'), meta('og:image:height')]).toEqual(['1200', '630']);
  });

  it('W13: adds the name of the hospital to titles of modules without data', () => {
    open({ ok: true, status: 200, body: { ...SITE, name: 'Champaca Hospital' } }, '/x', { ...HEAD, named: true });
    expect(document.title).toBe('Doctors & "more" | Champaca Hospital');
    expect(meta('og:title')).toBe(document.title);
  });

  it('has the metadata of an article and its feed', () => {
    const article = { publishedTime: '2026-11-12T00:00:00Z', section: 'Heart & mind', tags: ['sleep', 'a "b"'] };
    open({ ok: true, status: 200, body: SITE }, '/blogs/x', {
      ...HEAD,
      article,
      feed: { title: 'Blog', path: '/blogs/feed.xml' },
    });
    expect([meta('og:type'), meta('article:published_time'), meta('article:section')]).toEqual([
      'article',
      '2026-11-12T00:00:00Z',
      'Heart & mind',
    ]);
    const tags = [...document.head.querySelectorAll('meta[property="article:tag"]')].map((tag) =>
      tag.getAttribute('content'),
    );
    expect(tags).toEqual(['sleep', 'a "b"']);
    expect(meta('article:author')).toBeUndefined();
    expect(document.head.querySelector('link[rel=alternate]')?.getAttribute('href')).toBe('/blogs/feed.xml');
  });

  it('declares the hospital open at all hours', () => {
    open({ ok: true, status: 200, body: SITE });
    const hospital = JSON.parse(document.querySelector('script')?.textContent ?? '');
    expect(hospital).toMatchObject({
      '@type': 'Hospital',
      priceRange: '₹₹',
      openingHoursSpecification: { opens: '00:00', closes: '23:59' },
    });
    expect(hospital.openingHoursSpecification.dayOfWeek).toHaveLength(7);
  });
});

describe('telephone numbers in structured data', () => {
  const hospital = () => JSON.parse(document.querySelector('script')?.textContent ?? '');

  it('W9: list reception for enquiries, and the emergency line as a separate contact point', () => {
    open({ ok: true, status: 200, body: SITE });
    expect(hospital().telephone).toBe('+918000000100');
    expect(hospital().contactPoint).toContainEqual({
      '@type': 'ContactPoint',
      contactType: 'emergency',
      name: expect.any(String),
      telephone: '+918000000108',
    });
  });

  it('W9: never list the emergency line for enquiries', () => {
    open(ABSENT);
    expect(hospital().telephone).toBeUndefined();
  });
});

describe('header and footer', () => {
  it('show the navigation, the current page and the emergency number', () => {
    open({ ok: true, status: 200, body: SITE });
    const entries = [...document.querySelectorAll('nav[aria-label=Main] a')];
    expect(entries.map((entry) => `${entry.textContent} ${entry.getAttribute('href')}`)).toEqual([
      'Home /',
      'Services /services',
      'Deluxe SurgeriesNew /deluxe-surgeries',
      'Specialties /specialties',
      'Doctors /doctors',
      'News & Events /events',
      'Blogs /blogs',
      'Contact /contact',
    ]);
    expect(entries.filter((entry) => entry.getAttribute('aria-current')).map((entry) => entry.textContent)).toEqual([
      'Doctors',
    ]);
    expect(document.body.firstElementChild?.getAttribute('href')).toBe('#main');
    expect(document.querySelector('aside a')?.getAttribute('href')).toBe('tel:+918000000108');
    expect(document.querySelectorAll('h1')).toHaveLength(1);
    const name = document.querySelector('header hgroup');
    expect([name?.querySelector('h2')?.textContent, name?.querySelector('p')?.textContent]).toEqual([
      'Sampige Hospital',
      'Excellence in Healthcare',
    ]);
  });

  it.each(['/', '/service/emergency-services', '/appointment'])(
    'have emergency and booking in the bottom bar of %s, which leaves the third field to the menu',
    (path) => {
      open({ ok: true, status: 200, body: SITE }, path);
      const [emergency, book, ...others] = [...document.querySelectorAll('nav[aria-label=Shortcuts] > *')];
      expect([emergency?.textContent, emergency?.getAttribute('href')]).toEqual(['Emergency', 'tel:+918000000108']);
      expect(emergency?.querySelector('svg[aria-hidden=true]')).not.toBeNull();
      const here = path === '/appointment';
      expect([emergency?.tagName, book?.tagName]).toEqual(['A', here ? 'SPAN' : 'A']);
      expect([book?.textContent, book?.getAttribute('href')]).toEqual(['Book', here ? null : '/appointment']);
      expect(book?.getAttribute('aria-current')).toBe(here ? 'page' : null);
      expect(others).toEqual([]);
    },
  );

  it('have the search of the site, the legal pages and the way to the hospital', () => {
    open({ ok: true, status: 200, body: SITE });
    const forms = [...document.querySelectorAll('header form')];
    expect(forms.map((form) => [form.getAttribute('action'), form.querySelector('input')?.name])).toEqual([
      ['/search', 'q'],
    ]);
    const legal = [...document.querySelectorAll('footer li a')].map((link) => link.getAttribute('href'));
    expect(legal).toEqual(expect.arrayContaining(['/privacy', '/terms', '/cookies', '/#about']));
    const words = (path: string) => document.querySelector(`footer a[href="${path}"]`)?.textContent;
    // W13: the wording is as specified. U7: a link that visitors look for in a footer.
    expect([words('/cookies'), words('/appointment/manage')]).toEqual(['Cookie', 'Change or cancel']);
    const directions = document.querySelector('footer address a[target=_blank]');
    expect(directions?.textContent).toBe('Directions (opens in a new tab)');
  });

  it('U3: link to first aid from the top bar, the header, the menu and the footer', () => {
    open({ ok: true, status: 200, body: SITE });
    for (const place of ['aside a:last-child', 'header p a', 'nav[aria-label=Menu] a', '#footer-services + ul a']) {
      const link = document.querySelector(place);
      expect([link?.textContent, link?.getAttribute('href')], place).toEqual(['First aid', '/emergency']);
    }
  });

  it('U10: subscribe to the newsletter without script, from every page without such a form', () => {
    open({ ok: true, status: 200, body: SITE });
    const form = document.querySelector<HTMLFormElement>('footer form');
    expect([form?.getAttribute('method'), form?.getAttribute('action')]).toEqual(['post', '/newsletter']);
    const fields = [...(form?.querySelectorAll('input') ?? [])].map(({ name, value }) => [name, value]);
    expect(fields).toEqual([
      ['email', ''],
      ['requestId', ''],
      ['part', 'messaging:/newsletter'],
    ]);
    expect(form?.querySelector('label')?.textContent).toBe('E-mail address');
    for (const path of ['/newsletter', '/blogs/sleep']) {
      open({ ok: true, status: 200, body: SITE }, path);
      expect(document.querySelector('footer form')).toBeNull();
    }
  });

  it('print name, address and numbers in one line', () => {
    open({ ok: true, status: 200, body: SITE });
    expect(document.querySelector('footer .letterhead')?.textContent).toBe(
      'Sampige Hospital · 27 Champaca Road, Jayanagar, Bengaluru 560041 · +91 80 0000 0100 · Emergency +91 80 0000 0108',
    );
  });

  it('mark the list as current for one of its items', () => {
    open({ ok: true, status: 200, body: SITE }, '/doctor/asha-rao');
    const current = document.querySelector('nav[aria-label=Main] [aria-current]');
    expect(current?.textContent).toBe('Doctors');
    expect(current?.getAttribute('aria-current')).toBe('true');
  });

  it('show the emergency number if the site data is missing or invalid', () => {
    for (const site of [
      ABSENT,
      { ok: true, status: 200, body: { phones: [], name: '' } },
      { ok: true, status: 200, body: 'x' },
    ] as const) {
      open(site);
      for (const place of ['aside a', 'nav[aria-label=Shortcuts] a'])
        expect(document.querySelector(place)?.getAttribute('href')).toBe('tel:+918000000108');
      expect(document.querySelector('header')?.textContent).toContain('Sampige Hospital');
      expect(document.querySelectorAll('footer h2')).toHaveLength(5);
    }
  });

  it('carry no inline style or script, which the security policy would block', () => {
    const { before, after } = open({ ok: true, status: 200, body: SITE });
    expect(before + after).not.toMatch(/ style=|<script(?! type="application\/ld\+json")|<style| on\w+=/);
  });

  it.each(['/doctors', '/appointment'])('have no accessibility violation on %s', async (path) => {
    open({ ok: true, status: 200, body: SITE }, path);
    // Contrast needs a real browser; the end-to-end tests check it.
    const { violations } = await axe.run(document, { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  });
});
