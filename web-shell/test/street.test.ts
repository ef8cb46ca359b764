import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the street above the footer is what its script draws', async () => {
  const { FILE, street } = await import('../media/draw.mjs' as string);
  expect(readFileSync(FILE, 'utf8')).toBe(street());
});
