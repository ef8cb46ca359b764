// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModuleConfig, PageProps } from '@hospital/page';
import { siteOf } from '@hospital/ui/site';
import { Footer } from '../src/footer.tsx';
import { Header } from '../src/header.tsx';
import HomeHero from '../src/home-hero.tsx';
import NotFound, { SECTIONS } from '../src/not-found.tsx';
import { SITE } from './site-example.ts';

const ROOT = join(import.meta.dirname, '../..');

const configs = [
  'web-shell',
  ...readdirSync(ROOT)
    .filter((name) => name.startsWith('svc-'))
    .map((name) => `${name}/web`),
].flatMap((folder): ModuleConfig[] => {
  try {
    return [JSON.parse(readFileSync(join(ROOT, folder, 'module.config.json'), 'utf8'))];
  } catch (error) {
    // Not every service has pages.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
});
const routes = configs.flatMap(({ pages = [], compositions = [] }) =>
  [...pages, ...compositions].map(({ route }) => route),
);

/** Returns whether the route of a declared page matches this path, exactly or with parameters. */
function isDeclared(path: string): boolean {
  const segments = path.split('/');
  return routes.some((route) => {
    const expected = route.split('/');
    const fits = (segment: string, index: number) => /^\{.*\}$/.test(segment) || segment === segments[index];
    return expected.length === segments.length && expected.every(fits);
  });
}

const site = siteOf({ ok: true, status: 200, body: SITE });
const props: PageProps<{ site: unknown }> = {
  params: {},
  query: {},
  data: { site: { ok: true, status: 200, body: SITE } },
  part: 'shell:/',
  action: null,
  now: '2026-11-21T09:30:00Z',
  path: '/',
};

afterEach(cleanup);

describe('links of the shell', () => {
  it('knows the pages of every team', () => {
    expect(configs.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['shell', 'content', 'booking', 'messaging']),
    );
    expect([isDeclared('/'), isDeclared('/doctor/x'), isDeclared('/doctor'), isDeclared('/nowhere')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it.each([
    ['header', <Header site={site} path="/" />],
    ['footer and bar', <Footer site={site} path="/" />],
    ['hero', <HomeHero {...props} />],
    ['404', <NotFound {...props} path="/blog/x" />],
  ])('of %s lead to declared pages', (_, part) => {
    const { container } = render(part);
    const links = 'a[href^="/"]:not([hreflang]), form[action^="/"]';
    const targets = [...container.querySelectorAll(links)].map(
      (element) => new URL(element.getAttribute('href') ?? element.getAttribute('action') ?? '', 'http://x').pathname,
    );
    expect(targets.length).toBeGreaterThan(0);
    expect(targets.filter((path) => !isDeclared(path))).toEqual([]);
  });

  it('of every section of the 404 page lead to declared pages, and every section has declared ones', () => {
    for (const [segment, { path }] of Object.entries(SECTIONS)) {
      expect(isDeclared(path), path).toBe(true);
      expect(
        routes.some((route) => route.split('/')[1] === segment),
        segment,
      ).toBe(true);
    }
  });
});
