/** Draws this package's picture. Run `npm run draw -w @hospital/booking-web` after a change, and commit the result. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callAtHome } from '@hospital/draw/call';
import { compact, picture } from '@hospital/draw/svg';

const SCRIPT = fileURLToPath(import.meta.url);

/** Its natural size is small; see scene.tsx. */
export const SCENE = compact(picture(640, 360, callAtHome('tablet'))).replace('<svg ', '<svg width="64" height="36" ');

if (process.argv[1] === SCRIPT) writeFileSync(join(SCRIPT, '../../src/virtual-consultation/scene.svg'), SCENE);
