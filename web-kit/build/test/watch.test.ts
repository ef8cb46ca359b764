import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Build } from '../src/build.mjs';
import { watchPackage, type Watch } from '../src/watch.mjs';

const TIMEOUT_MS = 60_000;

describe('a watching build', () => {
  // Inside this package, so the imports of the sources resolve.
  const packageDir = mkdtempSync(join(import.meta.dirname, 'watched-'));
  const workDir = mkdtempSync(join(tmpdir(), 'hospital-watch-'));
  const source = join(packageDir, 'src/still.tsx');
  const config = join(packageDir, 'module.config.json');
  const outcomes: (Build | string)[] = [];
  const waiting: ((outcome: Build | string) => void)[] = [];
  let watch: Watch | undefined;

  const take = (outcome: Build | string) => {
    const first = waiting.shift();
    if (first) first(outcome);
    else outcomes.push(outcome);
  };
  const next = () => {
    const outcome = outcomes.shift();
    return outcome === undefined
      ? new Promise<Build | string>((resolve) => waiting.push(resolve))
      : Promise.resolve(outcome);
  };
  const built = async () => {
    const outcome = await next();
    if (typeof outcome === 'string') throw new Error(outcome);
    return outcome;
  };
  const replace = (file: string, from: string, to: string) => {
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(from);
    writeFileSync(file, text.replace(from, to));
  };

  beforeAll(() => {
    cpSync(join(import.meta.dirname, 'fixture'), packageDir, { recursive: true });
    const pages = [{ route: '/only-here', module: './still', hydrate: 'none', siteMap: false, search: false }];
    writeFileSync(join(packageDir, 'module.dev.json'), JSON.stringify({ pages }));
    watch = watchPackage({ packageDir, workDir, onBuilt: take, onFailed: take });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await watch?.close();
    for (const folder of [packageDir, workDir]) rmSync(folder, { recursive: true });
  });

  it(
    'writes a complete folder per state, and continues after a mistake',
    async () => {
      const first = await built();
      const { pages } = JSON.parse(readFileSync(join(first.folder, 'module.json'), 'utf8'));
      expect(pages.map(({ route }: { route: string }) => route)).toContain('/only-here');
      expect(first.version).toMatch(/^\d+\.\d+\.\d+-dev-[0-9a-f]{8}$/);
      expect(first.changed).toEqual([]);

      replace(source, '<h1', '<h1 title="saved"');
      const second = await built();
      expect(second.changed).toEqual(['src/still.tsx']);
      expect(second.version).not.toBe(first.version);
      expect(readFileSync(join(second.folder, 'server.js'), 'utf8')).toContain('saved');
      // The folder contains unchanged files too, and the previous folder is left untouched.
      const described = JSON.parse(readFileSync(join(second.folder, 'module.json'), 'utf8'));
      for (const file of described.modules['./still'].styles) expect(existsSync(join(second.folder, file))).toBe(true);
      expect(existsSync(join(second.folder, 'mf-manifest.json'))).toBe(true);
      expect(readFileSync(join(first.folder, 'server.js'), 'utf8')).not.toContain('saved');

      replace(source, '<h1 title="saved"', '<h1 title=');
      expect(await next()).toContain('still.tsx');
      replace(source, '<h1 title=', '<h1 title="mended"');
      expect(readFileSync(join((await built()).folder, 'server.js'), 'utf8')).toContain('mended');
    },
    TIMEOUT_MS,
  );

  it(
    'applies a changed configuration, and reports its mistakes',
    async () => {
      replace(config, '"./still":', '"still":');
      expect(await next()).toContain("'still' is not of the form './name'");
      replace(config, '"still":', '"./still":');
      replace(config, '"/feed.xml"', '"/words.xml"');
      for (let build = await built(); ; build = await built()) {
        const { pages } = JSON.parse(readFileSync(join(build.folder, 'module.json'), 'utf8'));
        if (pages.some(({ route }: { route: string }) => route === '/words.xml')) break;
      }
    },
    TIMEOUT_MS,
  );
});
