import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawAll } from '../drawings/draw.mjs';
import { PICTOGRAMS } from '../drawings/pictograms.mjs';
import { SERVICES } from '../drawings/services.mjs';
import { SURGERIES } from '../drawings/surgeries.mjs';

const web = join(import.meta.dirname, '..');
const content = (file: string, key: string) =>
  [...readFileSync(join(web, '../content', file), 'utf8').matchAll(new RegExp(`^${key} = "(.+)"$`, 'gm'))].map(
    ([, value]) => value as string,
  );

describe('drawings', () => {
  it('are those that the script draws', () => {
    const files = drawAll();
    for (const [path, text] of files) expect(readFileSync(join(web, 'drawings', path), 'utf8'), path).toBe(text);
    const drawn = ['services', 'surgeries'].flatMap((folder) =>
      readdirSync(join(web, 'drawings/drawn', folder)).map((file) => `drawn/${folder}/${file}`),
    );
    expect(drawn.filter((path) => !files.has(path))).toEqual([]);
  });

  it('are one for each service and surgery of the content', () => {
    expect(Object.keys(SERVICES).sort()).toEqual(content('services.toml', 'slug').sort());
    expect(Object.keys(SURGERIES).sort()).toEqual(content('surgeries.toml', 'slug').sort());
  });

  it('have a pictogram for every name that the content gives', () => {
    const wanted = new Set([...content('services.toml', 'icon'), ...content('specialties.toml', 'icon')]);
    expect([...wanted].filter((name) => !(name in PICTOGRAMS))).toEqual([]);
  });

  it('are small and carry nothing that runs', () => {
    for (const [path, text] of drawAll()) {
      if (!path.endsWith('.svg')) continue;
      expect(text.length, path).toBeLessThan(path.includes('pictograms') ? 20_000 : 3500);
      expect(text).not.toMatch(/script|href|style=|\son\w+=|NaN|undefined/);
    }
  });
});
