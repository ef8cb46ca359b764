/** Scenes of the services, 640 by 360, by slug: people at work in the rooms that a visitor will know. */
import { baby } from '@hospital/draw/holding';
import { seated, standing, walking } from '@hospital/draw/figure';
import { ambulance, boardWords } from '@hospital/draw/hospital';
import { HAIR, PALETTE as C, SKIN, mix } from '@hospital/draw/palette';
import { fallen, gulmohar, potted, sampige, tulsi } from '@hospital/draw/plants';
import { armchair, bed, clock, cot, counter, curtain, drip, monitor, picturedFlower, room, shelf, stand, table, theatreLamp, windowAt } from '@hospital/draw/rooms';
import { kerb, wall } from '@hospital/draw/street';
import { at, box, dot, fill, line, oval } from '@hospital/draw/svg';
import { bottle, flask, jug, microscope, tubes } from '@hospital/draw/things';

const W = 640;
const H = 360;
const METAL = mix(C.grey, C.granite, 0.35);

/** Head and shoulders of the patient in `bed`. */
export const sleeper = (skin = 3, hair = 'black', gown = C.air) =>
  fill('M58-60q10-14 30-10l14 12v18H60z', gown) + oval(46, -70, 13, 14, SKIN[skin]) + fill('M33-68c-3-18 14-24 26-14-6 0-12 2-14 6-4 0-6 6-6 10z', HAIR[hair]) + line('M43-71h4M52-70h3M46-62q4 2 7 0', C.ink, 1.6); // prettier-ignore

const warm = { wall: C.cream, dado: mix(C.cream, C.light, 0.3), ground: mix(C.light, C.stone, 0.4) };
const theatre = { wall: C.teal, dado: mix(C.teal, C.deep, 0.5), ground: C.deep };
const nurse = (look) => ({ woman: true, style: 'bun', dress: 'scrubs', colour: C.teal, ...look });
const surgeon = (x, look, y = 334, scale = 1.5) => standing(x, y, { dress: 'scrubs', style: 'cap', cloth: C.teal, mask: true, colour: C.sea, ...look }, scale);
const ribs = (x, y, scale) =>
  at(x, y, line('M0-44v88', C.paper, 5) + line('M-5-34c-18-4-32 4-36 18M-5-18c-20-4-36 4-40 22M-5-2c-20-4-36 6-40 24M-5 14c-18-3-32 6-36 22M5-34c18-4 32 4 36 18M5-18c20-4 36 4 40 22M5-2c20-4 36 6 40 24M5 14c18-3 32 6 36 22', C.pale, 4) + line('M-34-44c10-6 24-4 34 2 10-6 24-8 34-2', C.mist, 4) + fill('M6 0c4-8 20-6 20 6 0 10-12 16-20 22z', C.champaca), scale); // prettier-ignore

export const SERVICES = {
  'icu-intensive-care-unit':
    room(W, H, 284, { light: 40 }) + curtain(18, 14, 90, 268, mix(C.pale, C.sea, 0.25)) + windowAt(128, 34, 116, 124, { tree: false }) + clock(300, 58) +
    box(440, 40, 176, 124, C.slate, 8) + box(448, 48, 160, 108, C.night, 4) + line('M456 80h26l8-20 12 40 10-30 6 10h82', C.lamp, 3.5) + line('M456 116h20q8-16 16 0t16 0 16 0 16 0 16 0h42', C.mist, 3) + line('M456 140h44M520 140h26M566 140h32', C.sunlit, 4) + line('M528 164v70', C.slate, 6) +
    drip(180, 312, 72, -66) + bed(196, 326, 1.4, { patient: sleeper(4) }) + standing(420, 344, nurse({ skin: 3, holding: 'file' }), -1.46), // prettier-ignore

  'emergency-services':
    room(W, H, 284, { light: 300 }) + box(24, 60, 230, 226, C.teal, 0) + box(34, 70, 210, 216, mix(C.air, C.white, 0.2), 0) + at(44, 280, ambulance(0, 0, 0.52)) + line('M139 70v216', C.teal, 7) + line('M128 170v28M150 170v28', C.deep, 4) +
    box(300, 30, 300, 62, C.teal, 5) + at(450, 62, boardWords(), 1.6) +
    walking(284, 338, { skin: 4, dress: 'scrubs', colour: C.teal, hands: [[22, -66], [26, -68]] }, 1.46) + at(300, 330, line('M6-14h228M40-16l-8 12M196-16l8 12', METAL, 5) + dot(30, -6, 7, C.slate) + dot(206, -6, 7, C.slate) + at(0, -14, bed(0, 0, 1, { patient: sleeper(5), legs: false, blanket: C.champaca }))) + standing(574, 340, { skin: 3, dress: 'coat', woman: true, style: 'bun', over: 'saree', colour: C.rose, hands: [[16, -74], [22, -66]] }, -1.46), // prettier-ignore

  'laboratory-services':
    room(W, H, 300, { ...warm, light: 420 }) + windowAt(474, 40, 136, 130) + shelf(36, 100, 200, bottle(60, 100, C.sea, 42) + bottle(92, 100, C.champaca, 32) + bottle(122, 100, C.brick, 40) + flask(164, 100, 0.76) + bottle(204, 100, C.mist, 34)) + clock(380, 60, 1.1) +
    standing(264, 318, { skin: 3, woman: true, style: 'bun', dress: 'coat', over: 'saree', colour: C.rose, spectacles: true, hands: [[22, -78], [36, -84]], nod: 10, lean: 6 }, 1.56) + counter(16, 352, 608, { height: 104, doors: 150 }) + microscope(376, 243, 1.4) + tubes(118, 243, 1.3) + flask(490, 243, 1.1, C.sea) + flask(550, 243, 0.86), // prettier-ignore

  'digital-x-ray':
    room(W, H, 290, { light: 30 }) + line('M60 20h250', METAL, 8) + at(0, 44, line('M200-20v90', METAL, 8) + box(160, 66, 84, 58, C.white, 8) + fill('M214 66h22q8 0 8 8v42q0 8-8 8h-22z', mix(C.white, C.stone, 0.5)) + box(244, 80, 20, 30, C.slate, 3) + fill('M264 84l56-26v112l-56-60z', C.light).replace('/>', ' opacity=".55"/>')) +
    box(404, 44, 204, 178, C.slate, 9) + box(414, 54, 184, 158, C.night, 4) + ribs(506, 130, 1.5) + line('M506 222v34M466 258h80', C.slate, 8) + table(420, 330, 176, C.sea, 66) +
    box(330, 76, 40, 214, C.white, 4) + standing(300, 336, { skin: 4, dress: 'kurta', colour: C.champaca, hair: 'grey', moustache: true, lower: C.white }, 1.46) + standing(104, 340, nurse({ skin: 3, hands: [[20, -96], [24, -70]] }), 1.46), // prettier-ignore

  'modular-ot':
    room(W, H, 290, theatre) + fill('M226 92h188l140 200H86z', mix(C.teal, C.sea, 0.3)) + theatreLamp(320, 92, 1.35) + stand(560, 330, 130) + monitor(500, 120, 1) + surgeon(160, { skin: 4, hands: [[14, -72], [24, -70]] }) + surgeon(320, { skin: 3, hands: [[-12, -66], [14, -66]] }, 326, 1.44) + surgeon(478, { skin: 5, hands: [[14, -72], [24, -70]] }, 334, -1.5) +
    box(212, 238, 216, 26, C.white, 10) + fill('M204 250h232l12 48H192z', mix(C.sea, C.pale, 0.2)) + fill('M340 250h96l12 48H352z', C.sea) + line('M320 298v34M276 336h90', METAL, 9) + table(24, 336, 92, C.slate, 64) + line('M40 266h20M68 266h10M86 266h18', C.light, 4), // prettier-ignore

  'gynecology-ot':
    room(W, H, 290, { ...theatre, wall: mix(C.sea, C.teal, 0.35), dado: mix(C.sea, C.teal, 0.7) }) + fill('M150 96h190l120 196H40z', mix(C.sea, C.mist, 0.3)) + theatreLamp(246, 96, 1.3) + surgeon(164, { skin: 3, woman: true, colour: C.champaca, cloth: C.champaca, hands: [[14, -72], [24, -70]] }) + surgeon(340, { skin: 4, woman: true, hands: [[8, -80], [14, -80]] }, 334, -1.5) + baby(318, 214, 3, C.rose, 1.5) +
    box(64, 246, 60, 90, C.white, 4) + line('M64 276h60M64 306h60', C.mist, 3) + cot(450, 336, 1.5) + clock(540, 70, 1.4), // prettier-ignore

  'ambulance-services':
    fill('M0 0h640v300H0z', C.air) + dot(520, 76, 46, mix(C.light, C.cream, 0.3)) + fill('M0 290V180h60v-30h54v50h40v-74h66v50h70v-30h60v144zM360 290V190h60v-40h66v64h54v-40h60v30h40v86z', mix(C.pale, C.air, 0.35)) + wall(0, 282, 640) + gulmohar(96, 290, 0.92) + sampige(574, 288, 0.84) + kerb(0, 296, 640, { pavement: 16, road: 50 }) + ambulance(126, 342, 1.06) + fallen([[560, 292], [590, 290]]), // prettier-ignore

  'ultrasound-services':
    room(W, H, 288, { ...warm, light: 20 }) + curtain(22, 14, 96, 272, C.rose) + picturedFlower(150, 50, 1.2) + box(410, 40, 196, 158, C.slate, 9) + box(420, 50, 176, 138, C.night, 4) + fill('M498 60h22l62 92q-72 40-146 0z', mix(C.slate, C.mist, 0.5)) + fill('M514 156c-24 0-38-10-38-26 0-6 2-10 6-12 12 8 18 8 28 6 4-8 10-10 18-8 10 2 14 12 14 20 0 14-12 20-28 20z', C.pale) + dot(492, 108, 14, C.pale) + line('M508 198v42', C.slate, 8) + counter(430, 336, 160, { height: 92, front: C.white }) + box(452, 228, 60, 12, C.pale, 4) + dot(548, 234, 5, C.champaca) +
    bed(96, 330, 1.36, { patient: sleeper(3), blanket: '' }) + fill('M196 250q16-44 54-44 26 0 40 26l110 14v8H196z', C.rose) + fill('M300 236l100 10v8h-80z', mix(C.rose, C.ink, 0.18)) + standing(384, 340, { skin: 4, woman: true, style: 'bun', dress: 'coat', over: 'saree', colour: C.teal, hands: [[32, -92], [20, -70]], nod: 8 }, -1.46), // prettier-ignore

  'labour-room':
    room(W, H, 288, { ...warm, light: 420 }) + windowAt(416, 34, 150, 136) + curtain(394, 24, 34, 260, C.sea) + curtain(556, 24, 34, 260, C.sea) + oval(260, 330, 220, 18, mix(C.rose, C.cream, 0.55)) + armchair(146, 336, 1.6, C.sea) + seated(222, 346, { skin: 4, style: 'braid', dress: 'saree', colour: C.rose, second: C.light, bindi: true, holding: 'baby', nod: 10 }, 1.56) + standing(372, 346, { skin: 3, dress: 'shirt', colour: C.pale, hands: [[32, -74], [18, -56]], nod: 8, beard: 'short' }, -1.56) + cot(462, 340, 1.3) + tulsi(70, 334, 1.1) + picturedFlower(60, 60, 1.1), // prettier-ignore

  wards:
    room(W, H, 284, { light: 240 }) + windowAt(250, 32, 136, 128) + curtain(18, 14, 70, 268, mix(C.pale, C.sea, 0.25)) + curtain(556, 14, 70, 268, mix(C.pale, C.sea, 0.25)) + picturedFlower(460, 56) +
    drip(116, 312, 60, -66) + bed(130, 328, 1.36, { patient: sleeper(3, 'grey'), blanket: C.champaca }) + table(474, 320, 76, C.sea, 62) + jug(500, 253, 0.8) + standing(398, 344, nurse({ skin: 4, holding: 'tray' }), -1.52) + potted(590, 336, 1.1), // prettier-ignore
};
