/** Draws the pictures of the home page. Run `npm run draw -w @hospital/shell` after a change, and commit the result. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STREETS } from './street.mjs';

const SCRIPT = fileURLToPath(import.meta.url);

/** Drawings by name below `src/drawn`, without extension. */
export const DRAWN = STREETS;

if (process.argv[1] === SCRIPT)
  for (const [name, drawing] of DRAWN) writeFileSync(join(SCRIPT, `../../src/drawn/${name}.svg`), drawing);
