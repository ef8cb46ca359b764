/** A consultation by video: a grandmother at her kitchen table, the doctor on the tablet. 640 by 360. */
import { bust } from './bust.mjs';
import { seated } from './figure.mjs';
import { PALETTE as C, SKIN, mix } from './palette.mjs';
import { tulsi } from './plants.mjs';
import { chair, picturedFlower, room, table, windowAt } from './rooms.mjs';
import { at, box, dot, fill, line } from './svg.mjs';
import { coffee } from './things.mjs';

const DOCTOR = { woman: true, jaw: 20, chin: 8.5, w: 28, brow: { thick: 1.9, arch: 3.4, y: 74 }, nose: { w: 6.2, l: 101 }, skin: 3, style: 'bun', smile: 1, bindi: 'small', earrings: 'stud', dress: 'saree', colour: C.rose, second: C.champaca, stethoscope: true }; // prettier-ignore

/** The tablet with the doctor, 236 by 178; `clip` is an id that is unique in a document. */
const tablet = (x, y, clip) =>
  at(x, y,
    box(0, 0, 236, 178, C.slate, 12) + box(8, 8, 220, 162, C.pale, 4) + `<clipPath id="${clip}"><path d="M8 8h220v162H8z"/></clipPath>` +
    `<g clip-path="url(#${clip})">${box(8, 8, 90, 60, mix(C.pale, C.white, 0.5), 0)}${at(20, -6, bust(DOCTOR), 0.96)}</g>` +
    box(176, 122, 44, 40, C.cream, 4) + dot(198, 138, 9, SKIN[3]) + fill('M189 136q0-11 10-11 9 1 8 11-8-5-18 0z', C.grey) + fill('M182 162q2-14 16-14t16 14z', C.teal) +
    dot(26, 154, 8, C.gulmohar) + dot(50, 154, 8, C.slate) + line('M23 154h6M50 151v6', C.paper, 2),
  ); // prettier-ignore

export const callAtHome = (clip) =>
  room(640, 360, 300, { wall: C.cream, dado: mix(C.cream, C.light, 0.3), ground: mix(C.light, C.stone, 0.4), light: 40 }) +
  windowAt(44, 44, 128, 128) + picturedFlower(208, 52, 1.1) +
  chair(132, 348, 1.7) + seated(182, 350, { skin: 3, style: 'bun', hair: 'grey', flowers: true, bindi: true, dress: 'saree', colour: C.teal, second: C.champaca, spectacles: true, hands: [[34, -72], [38, -82]], mood: 'smile' }, 1.72) +
  table(246, 352, 380, mix(C.bark, C.champaca, 0.4), 104) + fill('M392 243l90 0 16 0-20-14h-60z', C.slate) + tablet(330, 60, clip) + coffee(288, 243, 0.9) + tulsi(606, 243, 0.5); // prettier-ignore
