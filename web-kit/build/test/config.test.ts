import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hydratingModules, readConfig } from '../src/config.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hospital-config-'));
  writeFileSync(join(folder, 'package.json'), '{"version":"1.2.3"}');
  writeFileSync(join(folder, 'page.tsx'), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (config: object) => writeFileSync(join(folder, 'module.config.json'), JSON.stringify(config));

it('reports every mistake at once', () => {
  write({
    name: 'Team',
    contract: 2,
    modules: { './page': './missing.tsx', page: './page.tsx' },
    pages: [
      { route: '/x', module: './other', hydrate: 'sometimes' },
      { route: '/y.xml', module: './page', hydrate: 'load', contentType: 'xml' },
      {
        route: '/z',
        module: './page',
        hydrate: 'none',
        bare: true,
        fragments: ['part'],
        skeleton: { shape: 'cat', count: 13, label: 'a|b' },
      },
    ],
  });
  expect(() => readConfig(folder)).toThrow(
    /name:[^]*contract:[^]*'page' is not of the form[^]*'\.\/other' is not in modules[^]*hydrate must be one of[^]*contentType must be a media type[^]*hydrate must be none and[^]*page.*\/z: with bare[^]*skeleton\.shape must be one of card, text[^]*skeleton\.count must be from 1 to 12[^]*skeleton\.label must be a text[^]*missing\.tsx does not exist/,
  );
});

it('reserves the names of the shell’s small scripts', () => {
  const scripts = { './document': './page.tsx', './desk': './page.tsx' };
  write({ name: 'shell', modules: scripts, scripts, documentScript: './page.tsx', deskScript: './missing.ts' });
  expect(() => readConfig(folder)).toThrow(
    /'\.\/document' is the documentScript's name[^]*'\.\/desk' is the deskScript's name[^]*missing\.ts does not exist/,
  );
});

it('exposes the modules that a page or fragment hydrates', () => {
  const modules = { './a': './page.tsx', './b': './page.tsx', './c': './page.tsx', './d': './page.tsx' };
  write({
    name: 'team',
    modules,
    pages: [
      { route: '/a', module: './a', hydrate: 'none', siteMap: true, search: false },
      { route: '/c', module: './c', hydrate: 'load', siteMap: false, search: false },
    ],
    fragments: [
      { id: 'b', module: './b', hydrate: 'visible' },
      { id: 'd', module: './d', hydrate: 'interaction' },
    ],
  });
  const { config, packageVersion } = readConfig(folder);
  expect(hydratingModules(config)).toEqual(['./b', './c', './d']);
  expect(packageVersion).toBe('1.2.3');
});

it('requires every page to declare siteMap and search', () => {
  const page = { module: './a', hydrate: 'none' };
  write({
    name: 'team',
    modules: { './a': './page.tsx' },
    pages: [
      { ...page, route: '/forgotten' },
      { ...page, route: '/item/{id}', siteMap: true, search: { title: 'Item', summary: '', words: '' } },
      { ...page, route: '/half', siteMap: { data: '/halves' }, search: { title: 'Half' } },
      { ...page, route: '/fine/{id}', siteMap: { data: '/fine', list: 'fine' }, search: false, walk: ['/fine/1'] },
      { route: '/feed.xml', module: './a', hydrate: 'none', contentType: 'application/xml' },
    ],
  });
  let message = '';
  try {
    readConfig(folder);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message.split('\n').slice(1)).toEqual([
    '  page /forgotten: siteMap must be true, false or {data, list}',
    '  page /forgotten: search must be false or {title, summary, words}',
    '  page /item/{id}: siteMap must name the list that fills in its parameters',
    '  page /item/{id}: search must be false, because the route is not one page',
    '  page /item/{id}: walk needs at least one URL, for the tests',
    '  page /half: siteMap must be true, false or {data, list}',
    '  page /half: search must be false or {title, summary, words}',
  ]);
});

describe('pages of the staff area', () => {
  const access = { scope: 'appointments:read', label: 'Today' };
  const page = { route: '/staff/today', module: './a', hydrate: 'load' };
  const mistakes = (config: object): string[] => {
    write({ name: 'team', modules: { './a': './page.tsx' }, ...config });
    try {
      readConfig(folder);
    } catch (error) {
      return (error as Error).message.split('\n').slice(1);
    }
    return [];
  };

  it('need neither siteMap nor search', () => {
    expect(mistakes({ pages: [{ ...page, access }] })).toEqual([]);
    expect(mistakes({ pages: [{ ...page, access: { label: 'Start' }, siteMap: false, search: false }] })).toEqual([]);
    expect(mistakes({ pages: [{ ...page, route: '/staff/day/{day}', access }] })).toEqual([]);
  });

  it('declare access, and no other page does', () => {
    expect(mistakes({ pages: [{ ...page, siteMap: false, search: false }] })).toEqual([
      '  page /staff/today: access is required below /staff',
    ]);
    expect(mistakes({ pages: [{ ...page, route: '/staffroom', access }] })).toEqual([
      '  page /staffroom: access is for routes below /staff',
    ]);
    expect(mistakes({ pages: [{ ...page, route: '/staff/sign-out', access }] })).toEqual([
      '  page /staff/sign-out: the gateway answers this address itself',
    ]);
    expect(mistakes({ fragments: [{ id: 'a', module: './a', hydrate: 'none', access }] })).toEqual([
      '  fragments a: access is for pages only',
    ]);
    const composition = { route: '/staff', module: './a', fragments: [], siteMap: false, search: false };
    expect(mistakes({ compositions: [composition] })).toEqual([
      '  page /staff: access is for pages only, and /staff for pages with access',
    ]);
    expect(mistakes({ redirects: { '/staff/old': '/staff' } })).toEqual([
      '  /staff/old: /staff is for pages with access',
    ]);
  });

  it('declare nothing that would make them public', () => {
    const skeleton = { shape: 'card', count: 1, label: 'Loading' };
    const search = { title: 'a', summary: 'b', words: 'c' };
    const more = { resident: true, bare: true, ahead: true, siteMap: true, search, skeleton, cacheSeconds: 0 };
    for (const [key, value] of Object.entries(more)) {
      const found = mistakes({ pages: [{ ...page, hydrate: 'none', access, [key]: value }] });
      expect(found, key).toContain(`  page /staff/today: ${key} is not allowed with access`);
    }
    const raw = { ...page, hydrate: 'none', access, contentType: 'text/plain' };
    expect(mistakes({ pages: [raw] })).toEqual(['  page /staff/today: contentType is not allowed with access']);
  });

  it('declare a file only with access and an action', () => {
    const file = { ...page, file: 'picture' };
    expect(mistakes({ pages: [{ ...file, access, action: true }] })).toEqual([]);
    const wrong = '  pages /staff/today: file needs action and access';
    for (const half of [{ access }, { access, action: false }])
      expect(mistakes({ pages: [{ ...file, ...half }] })).toEqual([wrong]);
    const [unnamed] = mistakes({ pages: [{ ...file, file: 'A b', access, action: true }] });
    expect(unnamed).toContain('file must be a field name');
  });

  it('have a short label and a valid scope', () => {
    for (const [wrong, problem] of [
      [{}, 'label'],
      [{ label: '' }, 'label'],
      [{ label: 'x'.repeat(61) }, 'label'],
      [{ label: 'Today', scope: '' }, 'scope'],
      [{ label: 'Today', scope: 'a b' }, 'scope'],
      [{ label: 'Today', scope: 'a"b' }, 'scope'],
      [{ label: 'Today', scope: 'x'.repeat(65) }, 'scope'],
      [{ label: 'Today', scope: 1 }, 'scope'],
    ] as const) {
      const found = mistakes({ pages: [{ ...page, access: wrong }] });
      expect(found, JSON.stringify(wrong)).toEqual([expect.stringContaining(`access.${problem} must be`)]);
    }
  });
});
