import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import vm from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage, type BuiltPackage } from '@hospital/build';
import { SITE } from './site-example.ts';

const PACKAGE = join(import.meta.dirname, '..');
const BUILD_TIMEOUT_MS = 180_000;
/** Maximum size of the script that all teams share. An interactive page may have 105 KB in total. */
const SCRIPT_BYTES_MAX = 90 * 1024;

describe('the published shell', () => {
  let folder: string;
  let description: BuiltPackage['description'];
  let render: (input: object) => any;
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hospital-shell-'));
    ({ description } = await buildPackage({ packageDir: PACKAGE, outDir: folder }));
    const context = vm.createContext({});
    vm.runInContext(read('server.js'), context);
    render = (input) => JSON.parse(vm.runInContext('hospitalRender', context)(JSON.stringify(input)));
  }, BUILD_TIMEOUT_MS);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('renders a document without Node and without a browser', () => {
    const head = { title: 'T', description: 'D', canonicalPath: '/doctors' };
    const site = { ok: true, status: 200, body: SITE };
    const parts = render({
      kind: 'document',
      route: '/doctors',
      path: '/doctors',
      site,
      head,
      now: '2026-11-21T09:30:00Z',
    });
    expect(Object.keys(parts).sort()).toEqual(['after', 'before', 'head', 'htmlAttributes']);
    expect(parts.before).toContain('Sampige Hospital');
    const classes = [...(parts.before + parts.after).matchAll(/class="([^"]+)"/g)].flatMap(([, names]) =>
      names.split(' '),
    );
    expect(classes.length).toBeGreaterThan(20);
    for (const name of new Set(classes)) expect(name).toMatch(/^[sk][A-Z]{4}/);
    expect(read('shell.css')).toContain(classes[0]);
  });

  it('renders every module of its own', () => {
    const props = { params: {}, query: {}, data: {}, action: null, now: '2026-11-21T09:30:00Z', path: '/' };
    for (const module of Object.keys(description.modules as object)) {
      expect(
        render({ kind: 'fragment', module, identifierPrefix: 'f0-', props }).status,
        module,
      ).toBeGreaterThanOrEqual(200);
    }
    expect(render({ kind: 'fragment', module: './not-found', identifierPrefix: 'f0-', props }).status).toBe(404);
  });

  it('has the layers in order', () => {
    // The minifier may merge the statement into the first block of each layer.
    const names = [...read('shell.css').matchAll(/@layer ([\w, ]+)[{;]/g)].flatMap(
      ([, list]) => list?.split(/, */) ?? [],
    );
    expect([...new Set(names)]).toEqual(['reset', 'tokens', 'kit', 'page']);
  });

  it('keeps its script within the size budget', () => {
    expect(readFileSync(join(folder, `${description.script}.br`)).length).toBeLessThan(SCRIPT_BYTES_MAX);
  });

  it('measures pages without scripts with a small separate file', () => {
    const { measure } = description as any;
    expect(measure).toMatch(/^measure\.[0-9a-f]{8}\.js$/);
    expect(readFileSync(join(folder, `${measure}.br`)).length).toBeLessThan(5 * 1024);
    // It must not contain the start-up script's libraries.
    expect(read(measure)).not.toMatch(/react/i);
  });

  it('composes the home page from its eleven sections, in order, each declared once', () => {
    const [home] = (description as any).compositions;
    expect(home.fragments).toEqual([
      {
        fragment: 'shell:home-hero',
        slots: {
          now: 'booking:home-now',
          specialties: 'content:home-specialties',
          assessment: 'assessment:home-assessment',
        },
      },
      'content:home-ticker',
      'content:home-stats',
      'content:home-services',
      'content:home-about', 'content:home-carousel', // the banners are its pictures
      'content:home-doctors',
      'content:home-reviews',
      'booking:home-appointment',
      'content:home-blogs',
      'content:home-news',
      'messaging:home-contact',
    ]); // prettier-ignore
    const named = (home.fragments as (string | { fragment: string; slots: Record<string, string> })[]).flatMap(
      (entry) => (typeof entry === 'string' ? [entry] : [entry.fragment, ...Object.values(entry.slots)]),
    );
    const own = named.filter((name) => name.startsWith('shell:')).map((name) => name.slice(6));
    expect((description as any).fragments.map(({ id }: { id: string }) => id)).toEqual(own);
  });

  it('contains every file that it names', () => {
    const { root, styles, deskStyles, scripts, deskScripts, script, modules } = description as any;
    // Visitors' documents don't have them.
    expect(deskStyles).toHaveLength(1);
    expect(styles).not.toContain(deskStyles[0]);
    expect(deskScripts).toEqual(['desk.script.js']);
    expect(scripts).not.toContain(deskScripts[0]);
    const named = [
      ...Object.values(root),
      ...styles,
      ...deskStyles,
      ...scripts,
      ...deskScripts,
      script,
      ...Object.values<any>(modules).flatMap((module) => [...module.styles, ...module.scripts]),
    ];
    for (const name of named) expect(read(name as string).length, name as string).toBeGreaterThan(0);
    const icons = JSON.parse(read('site.webmanifest')).icons.map(({ src }: { src: string }) => src);
    const shared = ['/favicon.ico', '/share.png', '/site.webmanifest', '/languages.js', '/sw.js'];
    expect(Object.keys(root).sort()).toEqual([...icons, ...shared].sort());
  });
});
