import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { renderToStaticMarkup } from 'react-dom/server';
import { isOfPalette } from '@hospital/draw/palette';
import { describe, expect, it } from 'vitest';
import { DRAWN } from '../draw/draw.mjs';
import { HomeScene } from '../src/home-scene.tsx';

const GZIP_BYTES_MAX = 7500;

describe('the street of the home page', () => {
  it.each([...DRAWN])('%s is what the script draws, and small', (name, drawing) => {
    expect(readFileSync(join(import.meta.dirname, `../src/drawn/${name}.svg`), 'utf8')).toBe(drawing);
    expect(gzipSync(drawing, { level: 9 }).length).toBeLessThan(GZIP_BYTES_MAX);
    for (const [colour] of drawing.matchAll(/#[0-9a-f]{3,6}(?=")/g)) expect(isOfPalette(colour), colour).toBe(true);
    expect(drawing).not.toMatch(/<script|href|style=|\son\w+=|NaN|undefined/);
  });

  it('is a decoration with another picture at dusk, and does not shift the page', () => {
    const [day, dusk] = [false, true].map((evening) => renderToStaticMarkup(<HomeScene dusk={evening} />));
    expect(day).toMatch(/<img [^>]*alt="" width="1200" height="520"/);
    expect(dusk).not.toBe(day);
  });
});
