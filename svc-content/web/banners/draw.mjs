/**
 * Draws the banners of the home page into src/images/banners. Same scenes, same bytes: run
 * `npm run banners -w @hospital/content-web` after a change and commit the result.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCENES } from './scenes.mjs';

export const BANNERS = Object.keys(SCENES);

/** Round line ends everywhere; shapes name their own fill. */
export function drawBanner(name) {
  const content = SCENES[name].replace(/-?\d+\.\d{2,}/g, (number) => String(Math.round(Number(number) * 10) / 10));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 890 356" fill="none" stroke-linecap="round" stroke-linejoin="round">${content}</svg>\n`;
}

if (process.argv[1]?.endsWith('draw.mjs')) {
  const target = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../src/images/banners');
  mkdirSync(target, { recursive: true });
  for (const name of BANNERS) writeFileSync(join(target, `${name}.svg`), drawBanner(name));
}
