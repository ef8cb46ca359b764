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

it('names every mistake at once', () => {
  write({
    name: 'Team',
    contract: 2,
    modules: { './page': './missing.tsx', page: './page.tsx' },
    pages: [
      { route: '/x', module: './other', hydrate: 'sometimes' },
      { route: '/y.xml', module: './page', hydrate: 'load', contentType: 'xml' },
    ],
  });
  expect(() => readConfig(folder)).toThrow(
    /name:[^]*contract:[^]*'page' is not of the form[^]*'\.\/other' is not in modules[^]*hydrate is one of[^]*contentType is a media type[^]*hydrate is none and[^]*missing\.tsx does not exist/,
  );
});

it('exposes what some page or fragment hydrates', () => {
  const modules = { './a': './page.tsx', './b': './page.tsx', './c': './page.tsx' };
  write({
    name: 'team',
    contract: 1,
    modules,
    pages: [
      { route: '/a', module: './a', hydrate: 'none' },
      { route: '/c', module: './c', hydrate: 'load' },
    ],
    fragments: [{ id: 'b', module: './b', hydrate: 'visible' }],
  });
  const { config, packageVersion } = readConfig(folder);
  expect(hydratingModules(config)).toEqual(['./b', './c']);
  expect(packageVersion).toBe('1.2.3');
});
