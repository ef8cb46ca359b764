/** Pictograms, and the scenes of services and surgeries. */
import { PICTOGRAMS } from './pictograms.mjs';
import { SERVICES } from './services.mjs';
import { SURGERIES } from './surgeries.mjs';

const FIELD = 48;
/** Nothing of one pictogram shows at the edge of its neighbour. */
const PITCH = FIELD + 16;

/** All pictograms in one file; `#name` shows one of them. */
function drawPictograms() {
  const names = Object.keys(PICTOGRAMS);
  const parts = names.map((name, index) => {
    const x = index * PITCH;
    return `<view id="${name}" viewBox="${x} 0 ${FIELD} ${FIELD}"/><g transform="translate(${x})">${PICTOGRAMS[name]}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${names.length * PITCH} ${FIELD}">${parts.join('')}</svg>\n`;
}

/** One scene on a field of 320 by 180. */
function drawScene(content) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180">${content}</svg>\n`;
}

/** Path below `media/drawn`, without its ending, to the drawing. */
export const DRAWINGS = new Map([
  ['pictograms', drawPictograms()],
  ...scenes('services', SERVICES),
  ...scenes('surgeries', SURGERIES),
]);

function scenes(folder, drawings) {
  return Object.entries(drawings).map(([slug, content]) => [`${folder}/${slug}`, drawScene(content)]);
}
