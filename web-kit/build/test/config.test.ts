import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
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
