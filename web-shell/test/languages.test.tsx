// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "handleDisabledFileLoadingAsSuccess": true } }
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DataResult, Head, PageProps } from '@hospital/page';
import { type Language, LANGUAGES, setLanguage } from '@hospital/page/language';
import renderDocument from '../src/document.tsx';
import ErrorPage from '../src/error.tsx';
import FragmentFallback from '../src/fragment-fallback.tsx';
import { head as homeHead } from '../src/home-head.tsx';
import HomeHero from '../src/home-hero.tsx';
import { keepLanguage } from '../src/client/keep-language.ts';
import NotFound, { head as missingHead } from '../src/not-found.tsx';

vi.mock(import('../src/client/when-quiet.ts'), async (original) => ({
  ...(await original()),
  whenQuiet: (task: () => void) => task(),
}));

const ABSENT: DataResult = { ok: false, status: 503, body: null };
const HEAD: Head = { title: 'ವೈದ್ಯರು', description: 'ನಮ್ಮ ವೈದ್ಯರು', canonicalPath: '/doctors' };
const PROPS: PageProps<{ site: unknown }> = {
  params: {},
  query: {},
  data: { site: ABSENT },
  part: '',
  action: null,
  now: '2026-11-21T09:30:00Z',
  path: '/blog/x',
};

function open(language?: 'kn' | 'hi', path = '/doctors', head = HEAD, bare = false) {
  setLanguage(language);
  const parts = renderDocument({ path, site: ABSENT, head, now: '', ...(language && { language }), bare });
  document.documentElement.lang = language ?? 'en-IN';
  document.head.innerHTML = parts.head;
  document.body.innerHTML = `${parts.before}<main id="main" tabindex="-1"><h1>x</h1></main>${parts.after}`;
  return parts;
}

const links = (selector: string) =>
  [...document.querySelectorAll(selector)].map((link) =>
    `${link.getAttribute('hreflang')} ${link.getAttribute('href')} ${link.textContent}`.trim(),
  );

/** Words in Latin letters that are shown or read aloud, without names and abbreviations that stay. */
function english(root: ParentNode): string[] {
  const shown = [...root.querySelectorAll('*')].filter((element) => !element.closest('script, [lang=en], .languages'));
  const texts = shown.flatMap((element) => [
    ...[...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map((node) => node.textContent),
    ...['aria-label', 'alt', 'title', 'placeholder'].map((name) => element.getAttribute(name)),
  ]);
  const words = texts.flatMap((text) => text?.match(/[A-Za-z]{2,}/g) ?? []);
  return words.filter((word) => !['ICU', 'ISO', 'NABH'].includes(word));
}

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  setLanguage(undefined);
  document.documentElement.lang = '';
  history.replaceState(null, '', '/');
});

describe('a document in another language', () => {
  it.each(['kn', 'hi'] as const)('%s: names its language, and its own address as canonical', (language) => {
    const parts = open(language);
    expect(parts.htmlAttributes).toBe(`lang="${language}"`);
    const content = (name: string) => document.querySelector(`[property="og:${name}"]`)?.getAttribute('content');
    expect(content('locale')).toBe(`${language}_IN`);
    const canonical = document.querySelector('link[rel=canonical]')?.getAttribute('href');
    expect([canonical, content('url')]).toEqual(Array(2).fill(`https://sampige-hospital.example/${language}/doctors`));
  });

  it.each([undefined, 'kn'] as const)('lists the page in all languages, seen from %s', (language) => {
    open(language);
    const origin = 'https://sampige-hospital.example';
    expect(links('link[rel=alternate]')).toEqual([
      `en ${origin}/doctors`,
      `kn ${origin}/kn/doctors`,
      `hi ${origin}/hi/doctors`,
      `x-default ${origin}/doctors`,
    ]);
    open(language, '/x', { ...HEAD, robots: 'noindex' });
    expect(links('link[rel=alternate]')).toEqual([]);
  });

  it('links to the same page in the other languages, by their own names', () => {
    open();
    expect(links('header nav.languages a')).toEqual(['kn /kn/doctors ಕನ್ನಡ', 'hi /hi/doctors हिन्दी']);
    open('kn', '/');
    expect(links('header nav.languages a')).toEqual(['en / English', 'hi /hi हिन्दी']);
    open('hi', '/emergency', HEAD, true);
    expect(links('header a[hreflang]')).toEqual(['en /emergency English', 'kn /kn/emergency ಕನ್ನಡ']);
  });

  it.each(['kn', 'hi'] as const)('%s: has no English words in its frame and its own pages', async (language) => {
    open(language);
    expect(english(document.body)).toEqual([]);
    const { violations } = await axe.run(document, { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
    const pages = [
      <HomeHero key="home" {...PROPS} />,
      <NotFound key="404" {...PROPS} />,
      <ErrorPage key="503" {...PROPS} params={{ status: '503' }} />,
      <FragmentFallback key="part" />,
    ];
    document.body.innerHTML = renderToString(<main>{pages}</main>);
    expect(english(document.body)).toEqual([]);
    const heads = [homeHead(PROPS), missingHead(PROPS)].map(({ title, description }) => title + description);
    expect(heads.join(' ')).not.toMatch(/[A-Za-z]{2,}/);
  });
});

it('each language has a hint and a style sheet, and no route begins with two letters as a language does', () => {
  const root = join(import.meta.dirname, '../..');
  const text = (path: string) => readFileSync(join(root, path), 'utf8');
  const hints = text('web-shell/root/languages.js');
  expect(LANGUAGES.filter((code) => !hints.includes(`    ${code}: [`))).toEqual([]);
  const styles = (JSON.parse(text('web-shell/module.config.json')) as { languageStyles: object }).languageStyles;
  expect(['en', ...Object.keys(styles)]).toEqual([...LANGUAGES]);
  const packages = ['web-shell', ...['content', 'booking', 'messaging', 'assessment'].map((team) => `svc-${team}/web`)];
  const routes = packages.flatMap((one) => [...text(`${one}/module.config.json`).matchAll(/"route": "([^"]*)"/g)]);
  expect(routes.length).toBeGreaterThan(60);
  expect(routes.map(([, route]) => route).filter((route) => /^\/[a-z]{2}(\/|$)/.test(route ?? ''))).toEqual([]);
});

describe('the document script', () => {
  const prefer = (...languages: string[]) =>
    Object.defineProperty(navigator, 'languages', { value: languages, configurable: true });
  const hint = () => document.querySelector<HTMLElement>('p.language-hint');
  const shown = async (language: Language, ...preferred: string[]) => {
    open(language === 'en' ? undefined : language);
    history.replaceState(null, '', language === 'en' ? '/doctors' : `/${language}/doctors`);
    prefer(...preferred);
    keepLanguage();
    // The test's DOM runs no script of an address.
    vi.resetModules();
    // @ts-expect-error The script has no types.
    if (document.querySelector('script[src$="/languages.js"]')) await import('../root/languages.js');
    return hint()?.textContent;
  };

  it('offers the language that the browser prefers, until it is dismissed or one is chosen', async () => {
    expect(await shown('en', 'en-GB', 'kn')).toBeUndefined();
    expect(await shown('en', 'fr', 'kn-IN', 'en')).toBe('ಈ ಪುಟ ಕನ್ನಡದಲ್ಲೂ ಇದೆ.ಈಗ ಬೇಡ');
    expect([hint()?.lang, hint()?.querySelector('a')?.getAttribute('href')]).toEqual(['kn', '/kn/doctors']);
    hint()?.querySelector('button')?.click();
    expect(hint()).toBeNull();
    expect(await shown('en', 'kn')).toBeUndefined();
    sessionStorage.clear();
    Object.defineProperty(document, 'referrer', { value: `${location.origin}/`, configurable: true });
    expect(await shown('hi', 'en')).toBeUndefined();
    Object.defineProperty(document, 'referrer', { value: 'https://search.example/', configurable: true });
    expect(await shown('hi', 'en')).toContain('This page is also in English.');
  });

  it('keeps query and language: a link made by a script gets the prefix, a link with a language does not', async () => {
    await shown('kn', 'kn');
    history.replaceState(null, '', '/kn/doctors?q=x');
    document
      .querySelector('main')
      ?.insertAdjacentHTML(
        'beforeend',
        ['/', '/doctor/x', '/hi/doctors', '/api/x', '/blogs/feed.xml', 'https://example.org/x']
          .map((href) => `<a href="${href}"></a>`)
          .join(''),
      );
    const made = [...document.querySelectorAll<HTMLAnchorElement>('main a, header nav.languages a')];
    for (const link of made) {
      link.addEventListener('click', (event) => event.preventDefault());
      link.click();
    }
    expect(made.map(({ href }) => href.replace(location.origin, ''))).toEqual([
      '/doctors?q=x',
      '/hi/doctors?q=x',
      '/kn',
      '/kn/doctor/x',
      '/hi/doctors',
      '/api/x',
      '/blogs/feed.xml',
      'https://example.org/x',
    ]);
  });

  it.each(['pointerdown', 'focusin'])('adds the prefix at %s, for links opened in a new tab', async (type) => {
    await shown('kn', 'kn');
    history.replaceState(null, '', '/kn/doctors');
    const link = Object.assign(document.createElement('a'), { href: '/contact' });
    document.querySelector('main')?.append(link);
    link.dispatchEvent(new Event(type, { bubbles: true }));
    expect(link.pathname).toBe('/kn/contact');
  });
});
