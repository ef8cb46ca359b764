/** Pictures of the promotions, 640 by 360. */
import { callAtHome } from '@hospital/draw/call';
import { kneeling, seated, standing } from '@hospital/draw/figure';
import { PALETTE as C, mix } from '@hospital/draw/palette';
import { gulmohar, potted, sampige } from '@hospital/draw/plants';
import { chair, clock, picturedFlower, room, shelf, table, windowAt } from '@hospital/draw/rooms';
import { kerb, wall } from '@hospital/draw/street';
import { at, box, dot, fill, line } from '@hospital/draw/svg';
import { bandage, bottle, clipboard, firstAid, heart } from '@hospital/draw/things';

const CLOTH = [C.champaca, C.gulmohar, C.teal];

/** A tent for a day of health checks, 320 wide and 190 high. */
const tent = (x, y) =>
  at(x, y,
    line('M14 0v-120M306 0v-120', C.bark, 6) + box(14, -108, 292, 30, mix(C.paper, C.stone, 0.2), 0) + fill('M-6-116L160-190 326-116z', C.paper) + fill('M-6-116L160-190 50-116zM160-190l-54 74h54zM160-190l110 74h-54z', C.champaca) + fill('M160-190l166 74h-56z', mix(C.champaca, C.ink, 0.15)) +
    CLOTH.map((colour, index) => fill([0, 3, 6].map((step) => `M${-6 + (step + index) * 37} -116h37q-4 22-18.5 22t-18.5-22z`).join(''), colour)).join(''),
    1.22,
  ); // prettier-ignore

export const PROMOS = {
  'virtual-consultation': callAtHome('promo'),

  'health-check':
    room(640, 360, 290, { light: 60 }) + windowAt(40, 40, 130, 124) + clock(228, 70, 1.2) + box(470, 40, 130, 150, C.white, 4) + heart(535, 92, 0.9) + line('M486 142h98M486 158h70M486 174h84', C.pale, 5) +
    chair(160, 340, 1.6) + seated(204, 342, { skin: 4, dress: 'shirt', colour: C.champaca, hair: 'grey', moustache: true, hands: [[34, -68], [38, -64]] }, 1.6) + table(258, 342, 190, mix(C.bark, C.champaca, 0.4), 100) + at(330, 237, box(-36, -46, 72, 46, C.white, 8) + dot(0, -24, 15, C.air) + line('M0-24l7-8', C.gulmohar, 3) + line('M-24-8h16M6-8h18', C.mist, 4)) + line('M298 222q-24 26-44 6', C.slate, 4) + fill('M232 222l26 6-4 18-26-6z', C.bus) +
    standing(498, 346, { skin: 3, woman: true, style: 'bun', dress: 'coat', over: 'saree', colour: C.rose, hands: [[30, -84], [22, -70]], nod: 6 }, -1.56) + clipboard(392, 168, 0.6), // prettier-ignore

  'first-aid':
    room(640, 360, 262, { wall: C.cream, dado: mix(C.cream, C.light, 0.3), ground: mix(C.bark, C.champaca, 0.45) }) + windowAt(54, 30, 130, 124) + picturedFlower(236, 50, 1.2) + shelf(430, 120, 180, bottle(462, 120, C.sea, 42) + bottle(498, 120, C.champaca, 32) + bottle(534, 120, C.brick, 40) + potted(584, 120, 0.6)) +
chair(196, 340, 1.3, C.champaca) + seated(232, 318, { skin: 4, child: true, dress: 'shirt', colour: C.light, lower: C.teal, mood: 'calm' }, 1.5) + kneeling(352, 344, { skin: 4, woman: true, style: 'braid', dress: 'kurta', colour: C.rose, lower: C.deep, hands: [[38, -44], [42, -40]], nod: 10 }, -1.6) + line('M276 262l18-3', C.paper, 8) +
    firstAid(500, 340, 1.05) + bandage(396, 344, 0.7), // prettier-ignore

  events:
    fill('M0 0h640v300H0z', C.air) + dot(320, 70, 40, mix(C.light, C.cream, 0.3)) + wall(0, 272, 640) + gulmohar(80, 284, 0.95) + sampige(588, 284, 0.86) + kerb(0, 336, 640, { pavement: 64, road: 14 }) +
    tent(126, 306) +
    standing(336, 308, { skin: 3, dress: 'coat', hands: [[-10, -66], [16, -66]] }, 1.08) + table(196, 322, 230, C.sea, 56) + at(250, 262, box(-20, -30, 40, 30, C.white, 4) + dot(0, -16, 9, C.air)) + standing(466, 332, { skin: 4, style: 'braid', woman: true, dress: 'saree', colour: C.champaca, second: C.leaf, flowers: true }, -1.3) + standing(516, 334, { skin: 4, child: true, style: 'pigtails', dress: 'frock', colour: C.rose }, -1.3) + standing(120, 334, { skin: 5, elder: true, stick: true, dress: 'dhoti', colour: C.white }, 1.3), // prettier-ignore
};
