import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawnKeys, pictureAt } from '../../src/parts/drawings.ts';
import { isOfPalette } from '@hospital/draw/palette';
import { DRAWN } from './draw.mjs';

const DRAWN_FOLDER = join(import.meta.dirname, '../drawn');
const CONTENT = join(import.meta.dirname, '../../../content');
/**
 * Maximum size of a drawing per folder, in bytes; all pictograms are in one file. A face that one recognises at 56 px and
 * trusts at 320 px takes about 1.6 KB compressed, a picture with three people 3 KB, a banner with seven people 7 KB.
 */
const BYTES_MAX: Readonly<Record<string, number>> = {
  banners: 26_000,
  services: 14_000,
  surgeries: 9000,
  promos: 16_000,
  portraits: 5400,
  reviews: 5400,
  pictograms: 20_000,
};
const BYTES_MAX_OTHERS = 24_000;

const content = (file: string) => readFileSync(join(CONTENT, file), 'utf8');
/** Returns the values of one key in a content file. */
const values = (file: string, key: string) =>
  [...content(file).matchAll(new RegExp(`^${key} = "(.+)"$`, 'gm'))].map(([, value]) => value as string);
const keysIn = (folder: string) =>
  [...DRAWN.keys()].filter((key) => key.startsWith(`${folder}/`)).map((key) => key.slice(folder.length + 1));

describe('the drawings', () => {
  it('are exactly the files that the script draws', () => {
    const files = readdirSync(DRAWN_FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.svg'),
    );
    expect(files.sort()).toEqual([...DRAWN.keys()].map((key) => `${key}.svg`).sort());
    for (const [key, drawing] of DRAWN)
      expect(readFileSync(join(DRAWN_FOLDER, `${key}.svg`), 'utf8'), key).toBe(drawing);
    expect(new Set(DRAWN.values()).size).toBe(DRAWN.size);
  });

  it('are small and contain no scripts', () => {
    for (const [key, drawing] of DRAWN) {
      expect(drawing.length, key).toBeLessThan(BYTES_MAX[key.split('/')[0] as string] ?? BYTES_MAX_OTHERS);
      expect(drawing, key).not.toMatch(/<script|href|style=|\son\w+=|NaN|undefined/);
    }
  });

  it('have only colours of the palette, and mixtures of them', () => {
    const foreign = new Set<string>();
    for (const [key, drawing] of DRAWN)
      for (const [colour] of drawing.matchAll(/#[0-9a-f]{3,6}(?=")/g)) if (!isOfPalette(colour)) foreign.add(`${key} ${colour}`);
    expect([...foreign]).toEqual([]);
  });

  it('are found by folder', () => {
    const apart = /^(pictograms$|banners\/)/;
    expect(drawnKeys().sort()).toEqual([...DRAWN.keys()].filter((key) => !apart.test(key)).sort());
  });
});

describe('the content', () => {
  it('has a drawing for each service, surgery and doctor', () => {
    expect(keysIn('services').sort()).toEqual(values('services.toml', 'slug').sort());
    expect(keysIn('surgeries').sort()).toEqual(values('surgeries.toml', 'slug').sort());
    expect(keysIn('portraits').sort()).toEqual(values('doctors.toml', 'slug').sort());
    expect(keysIn('portraits')).toHaveLength(16);
  });

  it('has a pictogram for every name that it uses', () => {
    const drawn = DRAWN.get('pictograms') as string;
    const wanted = new Set([...values('services.toml', 'icon'), ...values('specialties.toml', 'icon')]);
    expect([...wanted].filter((name) => !drawn.includes(`<view id="${name}"`))).toEqual([]);
  });

  it('refers only to existing pictures', () => {
    const files = readdirSync(CONTENT).filter((name) => name.endsWith('.toml'));
    const picture = /"(?:\/images\/)?((?:articles|blogs|events|news|promos|reviews)\/[a-z0-9-]+)(?:\.svg)?"/g;
    const named = new Set(
      files.flatMap((file) => [...content(file).matchAll(picture)].map(([, key]) => key as string)),
    );
    expect(named.size).toBeGreaterThan(50);
    expect([...named].filter((key) => pictureAt(key) === undefined)).toEqual([]);
  });
});
