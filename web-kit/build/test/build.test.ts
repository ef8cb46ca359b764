import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import vm from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Window } from 'happy-dom';
import contract from '@hospital/page/contract.json';
import { buildPackage } from '../src/build.mjs';
import { className } from '../src/class-names.mjs';

const FIXTURE = join(import.meta.dirname, 'fixture');
const KIT_SHEET = join(import.meta.dirname, '../../ui/src/badge.module.css');
const BUILD_TIMEOUT_MS = 180_000;
const folders: string[] = [];

async function build() {
  const outDir = mkdtempSync(join(tmpdir(), 'hospital-build-'));
  folders.push(outDir);
  const { description } = await buildPackage({ packageDir: FIXTURE, outDir });
  return { outDir, description };
}

const text = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

describe('a built package', () => {
  let first: Awaited<ReturnType<typeof build>>;
  let second: Awaited<ReturnType<typeof build>>;
  beforeAll(async () => {
    first = await build();
    second = await build();
  }, BUILD_TIMEOUT_MS);
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

  it('is reproducible byte for byte', () => {
    const names = readdirSync(first.outDir).sort();
    expect(readdirSync(second.outDir).sort()).toEqual(names);
    for (const name of names) {
      expect(readFileSync(join(second.outDir, name)).equals(readFileSync(join(first.outDir, name))), name).toBe(true);
    }
  });

  it('has a version derived from its content', () => {
    const described = JSON.parse(text(first.outDir, 'module.json'));
    expect(described).toEqual(first.description);
    expect(described.version).toMatch(/^\d+\.\d+\.\d+-[0-9a-f]{8}$/);
    expect(described.contract).toBe(contract.version);
    expect(described.requires.api).toEqual(['/beds/{slug}', '/rooms']);
    expect(described.modules['./still']).toEqual({
      styles: ['kit-badge.css', 'shared-frame.css', 'still.css'],
      scripts: ['still.script.js'],
    });
    expect(described.modules['./counter'].styles).toEqual(['shared-frame.css', 'counter.css']);
    expect(described.scripts).toEqual(['document.script.js']);
  });

  it('renders without the APIs of Node or a browser', () => {
    const context = vm.createContext({});
    vm.runInContext(text(first.outDir, 'server.js'), context);
    const render = (input: object) => JSON.parse(vm.runInContext('hospitalRender', context)(JSON.stringify(input)));
    const props = {
      params: { slug: 'a&b' },
      query: {},
      data: {},
      action: null,
      now: '2026-11-21T09:30:00Z',
      path: '/still/a',
    };

    const still = render({ kind: 'fragment', module: './still', identifierPrefix: 'f0-', props });
    expect(still.head).toEqual({
      title: 'Still a&b',
      description: 'A page without script',
      canonicalPath: '/still/a&b',
    });
    expect(still.status).toBe(200);
    expect(still.html).toContain('a&amp;b');
    expect(still.html).toMatch(
      new RegExp(`src="/remotes/fixture/${first.description.version}/mark\\.[0-9a-f]{8}\\.svg"`),
    );

    const counter = render({ kind: 'fragment', module: './counter', identifierPrefix: 'f7-', props });
    expect(counter.html).toMatch(/id="_f7-/);
    expect(render({ kind: 'action', module: './counter', form: { a: ['1'] }, now: '' })).toEqual({
      request: { method: 'POST', path: '/counts', body: { a: ['1'] } },
    });
    const feed = {
      kind: 'fragment',
      module: './feed',
      identifierPrefix: 'f0-',
      props: { ...props, path: '/feed.xml' },
    };
    expect(render(feed)).toEqual({ raw: '<feed>/feed.xml</feed>', status: 200 });
    expect(render({ ...feed, props: { ...props, query: { late: '1' } } }).status).toBe(503);
    expect((first.description.pages as object[])[1]).toMatchObject({
      route: '/feed.xml',
      contentType: 'application/atom+xml',
    });
    expect(() => render({ kind: 'fragment', module: './nobody', identifierPrefix: '', props })).toThrow(
      'unknown module',
    );
    expect(() => render({ kind: 'action', module: './still', form: {}, now: '' })).toThrow('takes no form posts');
    expect(() => render({ kind: 'action', module: './feed', form: {}, now: '' })).toThrow('takes no form posts');
    expect(() => render({ kind: 'document' })).toThrow('renders no document');
  });

  it('renders in another language, and carries the translations that the script of the module can show', () => {
    const context = vm.createContext({});
    vm.runInContext(text(first.outDir, 'server.js'), context);
    const render = (language?: string) => {
      const props = { params: {}, query: {}, data: {}, action: null, now: '', path: '/', language };
      const input = { kind: 'fragment', module: './counter', identifierPrefix: '', props };
      return JSON.parse(vm.runInContext('hospitalRender', context)(JSON.stringify(input)));
    };
    expect(render('kn')).toMatchObject({
      html: expect.stringContaining('ಎಣಿಕೆ'),
      messages: { fixture: { count: 'ಎಣಿಕೆ' } },
    });
    expect(render('hi').messages).toEqual({ fixture: { count: 'गिनती' } });
    expect(render()).toMatchObject({ html: expect.stringContaining('count') });
    expect(render()).not.toHaveProperty('messages');
  });

  it('has no translation in a script for browsers', () => {
    const names = readdirSync(first.outDir).filter((name) => name.endsWith('.js') && name !== 'server.js');
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) expect(text(first.outDir, name), name).not.toMatch(/[\u0C80-\u0CFF\u0900-\u097F]/);
  });

  it('derives the same class names in style sheet and HTML', () => {
    const [, name] = /\.(f[A-Z]{4}\w+)\{/.exec(text(first.outDir, 'still.css')) ?? [];
    expect(name).toBeDefined();
    expect(text(first.outDir, 'server.js')).toContain(name);
  });

  it('has the design system in separate files, with the same names in every bundle', () => {
    const sheet = text(first.outDir, 'kit-badge.css');
    const [, name] = /\.(k[A-Z]{4}0)\{/.exec(sheet) ?? [];
    expect(name).toBeDefined();
    expect(text(first.outDir, 'server.js')).toContain(name);
    expect(text(first.outDir, 'still.css')).not.toMatch(/\.k[A-Z]{4}\d/);
    expect(className('other', KIT_SHEET, 'badge')).toBe(name);
  });

  it('passes small scripts only the elements of their own module', () => {
    const window = new Window();
    window.document.body.innerHTML =
      '<div data-module="fixture/still"><h1>ours</h1></div><div data-module="other/still"><h1>theirs</h1></div>';
    const script = text(first.outDir, 'still.script.js') + text(first.outDir, 'document.script.js');
    expect(script).not.toContain('import');
    vm.runInNewContext(script, { document: window.document });
    const [ours, theirs] = window.document.querySelectorAll('h1');
    theirs?.click();
    expect(window.document.title).toBe('');
    ours?.click();
    expect(window.document.title).toBe('Title: clicked');
    expect(window.document.documentElement.dataset.greeted).toBe('');
  });

  it('exposes only modules that hydrate, without React', () => {
    const manifest = JSON.parse(text(first.outDir, 'mf-manifest.json'));
    expect(manifest.exposes.map(({ path }: { path: string }) => path)).toEqual(['./counter']);
    const scripts = readdirSync(first.outDir).filter((name) => name.endsWith('.js') && name !== 'server.js');
    const size = scripts.reduce((sum, name) => sum + readFileSync(join(first.outDir, `${name}.br`)).length, 0);
    expect(size).toBeLessThan(9000);
    expect(existsIn(scripts, first.outDir, 'mark.')).toBe(false);
  });

  it('has compressed copies that unpack to the file', () => {
    const names = readdirSync(first.outDir).filter((name) => !/\.(br|gz)$/.test(name));
    for (const name of names) {
      const plain = readFileSync(join(first.outDir, name));
      expect(brotliDecompressSync(readFileSync(join(first.outDir, `${name}.br`))).equals(plain), name).toBe(true);
      expect(gunzipSync(readFileSync(join(first.outDir, `${name}.gz`))).equals(plain), name).toBe(true);
    }
  });
});

function existsIn(scripts: string[], folder: string, part: string): boolean {
  return scripts.some((name) => text(folder, name).includes(part));
}
