import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOfPalette } from '@hospital/draw/palette';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SCENE } from '../../draw/draw.mjs';
import { VideoScene } from './scene.tsx';

it('is what the script draws, small and of the palette', () => {
  expect(readFileSync(join(import.meta.dirname, 'scene.svg'), 'utf8')).toBe(SCENE);
  expect(SCENE.length).toBeLessThan(15_000);
  for (const [colour] of SCENE.matchAll(/#[0-9a-f]{3,6}(?=")/g)) expect(isOfPalette(colour), colour).toBe(true);
});

it('is a decoration that is not fetched before the text, and does not shift the page', () => {
  expect(renderToStaticMarkup(<VideoScene />)).toMatch(/^<img [^>]*alt="" width="640" height="360"/);
  expect(SCENE).toContain('width="64" height="36"');
});
