/** Portraits of the doctors and of reviewers. */
import { bust } from '@hospital/draw/bust';
import { compact } from '@hospital/draw/compact';
import { PALETTE as C, mix } from '@hospital/draw/palette';
import { at, box, dot } from '@hospital/draw/svg';
import { MOTIFS } from './motifs.mjs';
import { PEOPLE, REVIEWERS } from './people.mjs';

const GROUNDS = [[C.air, C.pale, C.teal], [C.cream, mix(C.cream, C.champaca, 0.34), C.champaca], [mix(C.pale, C.paper, 0.5), mix(C.mist, C.pale, 0.6), C.teal], [mix(C.cream, C.rose, 0.1), mix(C.cream, C.rose, 0.24), C.rose]]; // prettier-ignore

/** Head and shoulders before a ground of two tones, with room above. */
function portrait(look, index) {
  const [ground, light, tint] = GROUNDS[index % GROUNDS.length];
  const near = index % 2 === 0;
  const motif = at(near ? 166 : 36, 38, MOTIFS[look.motif](mix(light, tint, 0.3)), 0.9);
  const drawing = box(0, 0, 200, 200, ground, 0) + dot(near ? 74 : 128, 92, 78, light) + motif + bust(look);
  return compact(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="12 8 178 178">${drawing}</svg>\n`);
}

const drawAll = (folder, people) =>
  Object.entries(people).map(([name, look], index) => [`${folder}/${name}`, portrait(look, index)]);

/** Drawings by path below `media/drawn`, without extension. */
export const PORTRAITS = new Map([...drawAll('portraits', PEOPLE), ...drawAll('reviews', REVIEWERS)]);
