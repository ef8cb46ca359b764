import { describe, expect, it } from 'vitest';
import * as figures from './figure.mjs';
import { isOfPalette } from './palette.mjs';

const DRESSES = ['saree', 'kurta', 'shirt', 'dhoti', 'scrubs', 'frock', 'shorts', 'coat'];
const STYLES = 'short side curly thin bun braid long bob tail pigtails baby hijab turban veil cap'.split(' ');
const VARIANTS = [
  'child',
  'toddler',
  'elder',
  'stick',
  'pregnant',
  'flowers',
  'bindi',
  'spectacles',
  'moustache',
  'mask',
];
const HELD = ['bag', 'basket', 'case', 'umbrella', 'phone', 'file', 'flowers', 'garland', 'baby', 'cup', 'tray'];
const MOODS = ['smile', 'calm', 'worried', 'laugh', 'asleep'];

const LOOKS = [
  {},
  ...DRESSES.map((dress) => ({ dress })),
  ...STYLES.map((style) => ({ style })),
  ...VARIANTS.map((variant) => ({ [variant]: true })),
  ...HELD.map((holding) => ({ holding })),
  ...MOODS.map((mood) => ({ mood })),
];

describe('a figure', () => {
  it.each(Object.entries(figures))('%s is drawn in each look with colours of the palette', (_, draw) => {
    for (const look of LOOKS) {
      const drawing = draw(100, 200, look, -1.2);
      expect(drawing, JSON.stringify(look)).not.toMatch(/NaN|undefined|null/);
      const foreign = [...drawing.matchAll(/#[0-9a-f]{6}/g)].filter(([colour]) => !isOfPalette(colour));
      expect(foreign, JSON.stringify(look)).toEqual([]);
    }
  });

  it('changes with every part of its look', () => {
    const drawings = LOOKS.map((look) => figures.standing(0, 0, look));
    const plain = drawings[0];
    // A shirt, short hair and a smile are the defaults; a bun goes with a saree.
    expect(drawings.filter((drawing) => drawing === plain)).toHaveLength(4);
    expect(new Set(drawings).size).toBe(LOOKS.length - 4);
  });
});
