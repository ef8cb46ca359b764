/** Pictograms, and scenes of services and surgeries. */
import { compact, picture } from '@hospital/draw/svg';
import { PICTOGRAMS } from './pictograms.mjs';
import { SERVICES } from './services.mjs';
import { SURGERIES } from './surgeries.mjs';

const FIELD = 48;
/** Distance between pictograms, with a gap so that neighbours do not show at the edge. */
const PITCH = FIELD + 16;

/** Draws all pictograms into one file; `#name` selects one of them. */
function drawPictograms() {
  const names = Object.keys(PICTOGRAMS);
  const parts = names.map((name, index) => {
    const x = index * PITCH;
    return `<view id="${name}" viewBox="${x} 0 ${FIELD} ${FIELD}"/><g transform="translate(${x})">${PICTOGRAMS[name]}</g>`;
  });
  return compact(picture(names.length * PITCH, FIELD, parts.join('')));
}

const scenes = (folder, drawings) =>
  Object.entries(drawings).map(([slug, content]) => [`${folder}/${slug}`, compact(picture(640, 360, content))]);

/** Drawings by path below `media/drawn`, without extension. */
export const DRAWINGS = new Map([
  ['pictograms', drawPictograms()],
  ...scenes('services', SERVICES),
  ...scenes('surgeries', SURGERIES),
]);
