/** The heading face: small enough, with the characters of headings, and never in the way of the first paint. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SHELL = join(import.meta.dirname, '..');
/** Both weights together. */
const BYTES_MAX = 16 * 1024;
const CSS = readFileSync(join(SHELL, 'src/style/fonts.css'), 'utf8');
const FACES = [...CSS.matchAll(/@font-face \{[^}]+\}/g)].map(([face]) => face);
const OWN = FACES.filter((face) => face.includes('url('));
const require = createRequire(import.meta.url);

/** Code points of a face's `unicode-range`. */
function range(face: string): number[] {
  const [, list = ''] = /unicode-range:([^;]+);/.exec(face) ?? [];
  return list.split(',').flatMap((entry) => {
    const [first = '', last = first] = entry.trim().replace('U+', '').split('-');
    const start = parseInt(first, 16);
    return Array.from({ length: parseInt(last, 16) - start + 1 }, (_, index) => start + index);
  });
}

/** Runs the build's loader on a face's file. */
async function built(face: string): Promise<Buffer> {
  const [, file = '', query = ''] = /url\("([^?"]+)(\?[^"]+)"\)/.exec(face) ?? [];
  const { default: load } = await import('@hospital/build/font-loader' as string);
  const source = readFileSync(require.resolve(file));
  return new Promise((done, failed) => {
    const async = () => (error: Error | null, font: Buffer) => (error ? failed(error) : done(font));
    load.call({ async, resourceQuery: query, rootContext: SHELL }, source);
  });
}

it('has two weights, which replace a system face after the first paint', () => {
  expect(OWN.map((face) => /font-weight: (\d+)/.exec(face)?.[1])).toEqual(['700', '400']);
  for (const face of OWN) expect(face).toContain('font-display: swap');
});

it('is small, and has the characters that its style sheet promises', async () => {
  const { SCRIPTS } = await import('@hospital/build/font-loader' as string);
  const fonts = await Promise.all(OWN.map(built));
  expect(fonts.reduce((sum, font) => sum + font.length, 0)).toBeLessThanOrEqual(BYTES_MAX);
  for (const font of fonts) expect(font.subarray(0, 4).toString()).toBe('wOF2');
  for (const face of OWN) expect(range(face)).toEqual(SCRIPTS.latin.characters);
});

it.each([
  ['kn', 'kannada', 30],
  ['hi', 'devanagari', 36],
])('has one weight for %s, with the letters of %s, of at most %i KB', async (code, script, kilobytes) => {
  const { SCRIPTS } = await import('@hospital/build/font-loader' as string);
  const css = readFileSync(join(SHELL, `src/style/${code}.css`), 'utf8');
  const [face = ''] = /@font-face \{[^}]+\}/.exec(css) ?? [];
  expect(face).toContain('font-display: swap');
  expect((await built(face)).length).toBeLessThanOrEqual(kilobytes * 1024);
  expect(range(face)).toEqual(SCRIPTS[script].characters);
});

it('covers the headings of the hospital', () => {
  const known = new Set(OWN.flatMap(range));
  const words = 'Dr. Shalini D’Souza: “What to bring” & ₹1,200–₹1,500 — 24/7 · 98.4 °F, 5 × 2½ café…? (OPD) 50% + 1';
  expect([...words].filter((character) => !known.has(character.codePointAt(0) ?? 0))).toEqual([]);
});

it('has a system face of its size for both weights, so nothing moves when it arrives', () => {
  const heading = /--font-heading: ([^;]+);/.exec(readFileSync(join(SHELL, 'src/style/tokens.css'), 'utf8'))?.[1] ?? '';
  for (const family of ['Anek Arial', 'Anek Roboto', 'Anek DejaVu']) {
    expect(heading).toContain(`"${family}"`);
    const faces = FACES.filter((face) => face.includes(`"${family}"`));
    expect(faces).toHaveLength(2);
    for (const face of faces) expect(face).toMatch(/size-adjust: [\d.]+%;\n\s*ascent-override: [\d.]+%/);
  }
});

it('is not loaded by bare pages', () => {
  expect(readFileSync(join(SHELL, 'src/style/bare.css'), 'utf8')).not.toMatch(/Anek|@font-face/);
});
