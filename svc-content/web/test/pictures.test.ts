import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtIn } from '../built-in/write.mjs';
import { DRAWN, table } from '../pictures/draw.mjs';
import { pictureAt } from '../src/images/address.ts';
import { PICTURES } from '../src/images/pictures.ts';

const WEB = join(import.meta.dirname, '..');
const CONTENT = join(WEB, '../content');
const KINDS = 'articles|blogs|events|news|promos|reviews';
const BYTES_MAX = 3500;

const read = (...path: string[]) => readFileSync(join(WEB, ...path), 'utf8');

describe('the drawings', () => {
  it('are those that the script draws', () => {
    for (const [key, drawing] of DRAWN) expect(read('src/images', `${key}.svg`), key).toBe(drawing);
    expect(read('src/images/pictures.ts')).toBe(table());
    for (const kind of KINDS.split('|')) {
      const drawn = [...DRAWN.keys()]
        .filter((key) => key.startsWith(`${kind}/`))
        .map((key) => `${key.split('/')[1]}.svg`);
      expect(readdirSync(join(WEB, 'src/images', kind)).sort()).toEqual(drawn.sort());
    }
  });

  it('are all that the content names, and each is another one', () => {
    const files = readdirSync(CONTENT)
      .filter((name) => name.endsWith('.toml'))
      .map((name) => readFileSync(join(CONTENT, name), 'utf8'));
    const named = new Set(
      files.flatMap((text) =>
        [...text.matchAll(new RegExp(`"(?:/images/)?((?:${KINDS})/[a-z0-9-]+)(?:\\.svg)?"`, 'g'))].map(
          ([, key]) => key as string,
        ),
      ),
    );
    expect(named.size).toBeGreaterThan(50);
    expect([...named].filter((key) => !Object.hasOwn(PICTURES, key))).toEqual([]);
    expect(new Set(DRAWN.values()).size).toBe(DRAWN.size);
  });

  it('are small and carry nothing that runs', () => {
    for (const [key, drawing] of DRAWN) {
      expect(drawing.length, key).toBeLessThan(BYTES_MAX);
      expect(drawing, key).not.toMatch(/<script|href|style=| on\w+=|NaN|undefined/);
    }
  });

  it('are found by path and by key; nothing of elsewhere is', () => {
    expect(pictureAt('/images/blogs/scene-lamps.svg')).toBe(PICTURES['blogs/scene-lamps']);
    expect(pictureAt('blogs/scene-lamps')).toBe(PICTURES['blogs/scene-lamps']);
    expect(pictureAt('https://elsewhere.example/a.svg')).toBeUndefined();
  });
});

it('what is built in is what the content says', () => {
  for (const [name, text] of builtIn()) {
    expect(existsSync(join(WEB, 'src/built-in', name))).toBe(true);
    expect(read('src/built-in', name), `run npm run built-in: ${name}`).toBe(text);
  }
});
