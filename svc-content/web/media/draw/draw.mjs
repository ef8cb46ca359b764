/**
 * Draws every picture of this package, deterministically. Run `npm run draw -w @hospital/content-web` after a change,
 * and commit the result. There is no list of pictures; pages find the files by folder and name.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BANNERS } from './banners/draw.mjs';
import { DRAWINGS } from './drawings/draw.mjs';
import { PICTURES } from './pictures/draw.mjs';
import { PORTRAITS } from './portraits/draw.mjs';

/** Drawings by path below `media/drawn`, without extension. */
export const DRAWN = new Map([...BANNERS, ...DRAWINGS, ...PICTURES, ...PORTRAITS]);

const SCRIPT = fileURLToPath(import.meta.url);

if (process.argv[1] === SCRIPT) {
  const target = join(dirname(SCRIPT), '../drawn');
  rmSync(target, { recursive: true, force: true });
  for (const [key, drawing] of DRAWN) {
    const path = join(target, `${key}.svg`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, drawing);
  }
}
