/**
 * The seven banners of the home page, each 890 by 356. Phones show only the middle 475 units, so the subject is there.
 */
import { baby } from '@hospital/draw/holding';
import { seated, standing, walking, wheelchair } from '@hospital/draw/figure';
import { ambulance, boardWords, building } from '@hospital/draw/hospital';
import { halo, haloGradient, inEvening, shining } from '@hospital/draw/light';
import { PALETTE as C, SKIN, mix } from '@hospital/draw/palette';
import { crown, fallen, gulmohar, palm, potted, sampige, shrubs, tulsi } from '@hospital/draw/plants';
import { armchair, bed, bench, chair, clock, cot, counter, curtain, drip, monitor, picturedFlower, room, shelf, stand, table, theatreLamp, windowAt } from '@hospital/draw/rooms';
import { auto, kerb, streetLamp, wall } from '@hospital/draw/street';
import { at, box, dot, fill, line, oval } from '@hospital/draw/svg';
import { bottle, clipboard, flask, jug, microscope, tubes } from '@hospital/draw/things';

const W = 890;
const H = 356;

/** The hall: the desk with the board above it, and the street in the door. */
const arrival =
  room(W, H, 280, { wall: mix(C.cream, C.paper, 0.5), dado: C.cream, light: 60 }) +
  // Glass doors to the street.
  box(20, 56, 190, 226, C.teal, 0) + box(28, 64, 174, 218, mix(C.air, C.white, 0.2), 0) +
  crown(60, 120, 80, 44, 24, C.leaf) + crown(40, 110, 54, 30, 18, C.gulmohar) + box(28, 214, 174, 24, mix(C.paper, C.stone, 0.3), 0) + box(28, 238, 174, 44, mix(C.stone, C.granite, 0.3), 0) + at(70, 266, auto(0, 0, 0.58)) + line('M115 64v218', C.teal, 6) + line('M106 170v24M124 170v24', C.deep, 4) +
  box(352, 36, 262, 62, C.teal, 5) + box(357, 41, 252, 52, C.deep, 4) + at(489, 68, boardWords(), 1.55) + clock(680, 66, 1.1) +
  standing(446, 300, { skin: 4, style: 'bun', flowers: true, dress: 'saree', colour: C.sea, second: C.light, hands: [[-20, -66], [22, -72]] }, 1.22) +
  counter(352, 310, 250, { height: 96, front: mix(C.bark, C.champaca, 0.42), top: C.deep, doors: 84 }) + at(520, 214, box(-30, -44, 60, 40, C.slate, 4) + box(-26, -40, 52, 32, C.pale, 2) + line('M0-6v6M-14 0h28', C.slate, 4)) + potted(578, 214, 0.5) +
  walking(258, 326, { skin: 3, style: 'bun', elder: true, stick: true, dress: 'saree', colour: C.rose, second: C.light }, 1.3) + walking(312, 330, { skin: 3, style: 'braid', dress: 'kurta', colour: C.champaca, holding: 'file' }, 1.3) +
  bench(668, 316, 176) + seated(716, 318, { skin: 5, dress: 'shirt', colour: C.pale, moustache: true, hair: 'grey' }, 1.22) + seated(782, 318, { skin: 4, child: true, dress: 'frock', colour: C.rose, style: 'pigtails' }, 1.22) + tulsi(640, 318, 0.9) + potted(862, 320, 1.1, C.sea); // prettier-ignore

const ward =
  room(W, H, 276, { light: 250 }) + windowAt(300, 30, 170, 150) + curtain(280, 22, 36, 176) + curtain(456, 22, 36, 176) + picturedFlower(620, 60) +
  curtain(730, 16, 130, 262, mix(C.pale, C.sea, 0.25)) + monitor(512, 74, 0.9) + line('M566 148v60', C.slate, 5) +
  drip(292, 300, 66, -66) +
  bed(308, 312, 1.24, { patient: at(44, -64, dot(0, 0, 0, C.white)), blanket: C.champaca }) +
  at(366, 222, fill('M-14 6q0-22 18-24 20 2 18 22-10 12-36 2z', C.granite) + oval(6, 0, 14, 15, SKIN[3]) + fill('M-9-6q2-12 16-12 14 2 14 10-14-4-20 0-6 0-10 2z', mix(C.grey, C.granite, 0.3)) + line('M6-1h4M15-1h3M9 8q4 3 8 0', C.ink, 1.8) + fill('M-2 16q12 8 22 2l30 10-8 16H0z', C.white)) +
  standing(486, 326, { skin: 4, woman: true, style: 'bun', dress: 'scrubs', colour: C.teal, hands: [[-30, -78], [20, -66]], mood: 'smile' }, 1.34) +
  chair(622, 326, 1.3) + seated(650, 328, { skin: 3, dress: 'shirt', colour: C.light, style: 'side' }, -1.28) + table(196, 316, 84, C.sea, 62) + jug(228, 249, 0.8) + potted(100, 320, 1.2); // prettier-ignore

const surgeon = (x, look, scale = 1.34) => standing(x, 326, { dress: 'scrubs', style: 'cap', cloth: C.teal, mask: true, ...look }, scale);
const theatre =
  room(W, H, 286, { wall: C.teal, dado: mix(C.teal, C.deep, 0.5), ground: C.deep }) + fill('M330 84h230l150 202H180z', mix(C.teal, C.sea, 0.3)) + theatreLamp(446, 82, 1.25) + theatreLamp(676, 62, 0.8) +
  box(60, 60, 150, 96, C.deep, 4) + line('M76 82h86M76 100h110M76 118h70M76 136h96', C.mist, 4) +
  surgeon(314, { skin: 4, hands: [[12, -72], [22, -70]], colour: C.sea }) + surgeon(446, { skin: 3, hands: [[-12, -64], [14, -64]], colour: C.sea, style: 'cap' }, 1.3) + surgeon(588, { skin: 5, hands: [[-22, -72], [-14, -68]], colour: C.sea }) +
  box(356, 234, 190, 26, C.white, 10) + fill('M348 244h206l10 44H338z', mix(C.sea, C.pale, 0.2)) + fill('M470 244h84l10 44h-74z', C.sea) + line('M450 288v30M412 320h78', mix(C.grey, C.granite, 0.3), 8) +
  surgeon(222, { skin: 2, woman: true, colour: C.champaca, cloth: C.champaca, holding: 'file' }, 1.34) +
  stand(724, 320, 120) + monitor(660, 116, 1.05) + table(760, 318, 96, C.slate, 66) + line('M776 246h18M802 246h10M820 246h20', C.light, 4) + drip(650, 322, -50, -90); // prettier-ignore

const laboratory =
  room(W, H, 288, { wall: mix(C.cream, C.paper, 0.4), dado: C.cream, light: 640 }) + windowAt(666, 40, 160, 136) +
  shelf(214, 88, 190, bottle(236, 88, C.sea, 40) + bottle(266, 88, C.champaca, 30) + bottle(294, 88, C.brick, 38) + bottle(326, 88, C.mist, 28) + flask(364, 88, 0.66)) + shelf(214, 158, 190, bottle(232, 158, C.mist, 32) + bottle(262, 158, C.sea, 42) + box(286, 126, 62, 32, C.teal, 3) + line('M296 142h40', C.cream, 4) + bottle(374, 158, C.light, 36)) +
  clock(470, 66) + standing(430, 308, { skin: 3, woman: true, style: 'bun', dress: 'coat', over: 'saree', colour: C.rose, spectacles: true, hands: [[20, -76], [34, -80]], nod: 10, lean: 5 }, 1.3) +
  counter(180, 332, 560, { height: 104, doors: 140 }) + microscope(520, 223, 1.15) + tubes(330, 223, 1.02) + flask(620, 223, 0.9, C.sea) + flask(664, 223, 0.7) + clipboard(238, 172, 0.46) + at(706, 223, box(-26, -40, 52, 40, C.white, 8) + fill('M8-40h10q8 0 8 8v24q0 8-8 8H8z', mix(C.white, C.stone, 0.5)) + oval(-2, -34, 18, 5, C.mist) + dot(-14, -12, 4, C.sunlit)) +
  walking(96, 336, { skin: 5, dress: 'coat', holding: 'tray' }, 1.32) + potted(842, 334, 1.2); // prettier-ignore

const mother =
  room(W, H, 282, { wall: C.cream, dado: mix(C.cream, C.light, 0.3), ground: mix(C.light, C.stone, 0.4), light: 250 }) + windowAt(258, 30, 160, 150) + curtain(236, 22, 36, 262, C.rose) + curtain(404, 22, 36, 262, C.rose) +
  oval(452, 324, 250, 20, mix(C.rose, C.cream, 0.55)) + picturedFlower(622, 56) + line('M690 0v34M726 0v60M762 0v26', C.slate, 2) + fill('M690 34l7 16h-14zM755 26h14l-7 16z', C.sea) + dot(726, 66, 8, C.champaca) +
  armchair(372, 326, 1.44, C.sea) + seated(440, 336, { skin: 3, style: 'braid', dress: 'saree', colour: C.champaca, second: C.teal, bindi: true, holding: 'baby', mood: 'smile', nod: 8 }, 1.36) +
  standing(566, 336, { skin: 4, dress: 'kurta', colour: C.pale, hands: [[30, -74], [18, -52]], nod: 8 }, -1.36) + cot(640, 330, 1.24, baby(0, 0, 3, C.rose, 0.01)) +
  table(166, 322, 78, mix(C.bark, C.champaca, 0.4), 60) + jug(194, 257, 0.8) + potted(100, 328, 1.3); // prettier-ignore

const evening =
  `<linearGradient id="sky" x2="0" y2="1"><stop stop-color="${C.night}"/><stop offset=".45" stop-color="${C.dusk}"/><stop offset=".8" stop-color="${C.duskLow}"/><stop offset="1" stop-color="${C.light}"/></linearGradient>` + haloGradient('halo'); // prettier-ignore
const glow = (x, y, rx, ry) => shining(halo('halo', x, y, rx, ry));
const ambulanceAtDusk =
  evening + fill('M0 0h890v300H0z', 'url(#sky)') + line('M90 40h0M190 72h0M318 30h0M560 46h0M760 76h0M838 30h0', C.cream, 3) +
  fill('M0 290V168h50v-24h60v50h44v-80h70v54h60v-30h50v152zM560 290V178h64v-40h56v60h60v-34h70v50h80v76z', mix(C.duskLow, C.dusk, 0.5)) + palm(700, 280, 0.7, mix(C.duskLow, C.dusk, 0.85), mix(C.duskLow, C.dusk, 0.85)) +
  inEvening(
    wall(0, 286, 890) + gulmohar(176, 292, 0.92) + sampige(796, 292, 0.94) + kerb(0, 300, 890, { pavement: 16, road: 42 }) + streetLamp(560, 296, 0.8, true),
  ) +
  inEvening(ambulance(270, 338, 1, true), 0.16) + shining(fill('M420 174h74v50h-74z', C.lamp)) + inEvening(line('M420 190h74M420 206h74', C.white, 3), 0.16) + glow(486, 150, 90) + glow(664, 276, 44) + glow(770, 330, 120, 14) + glow(622, 44, 70); // prettier-ignore

const garden =
  fill('M0 0h890v300H0z', C.air) + dot(690, 70, 46, mix(C.light, C.cream, 0.3)) + fill('M0 210q120-40 240-20t230-6 220-4 200-10v130H0z', mix(C.pale, C.air, 0.2)) +
  building(60, 262, 0.6) + fill('M0 248q220-14 450-4t440-4v116H0z', mix(C.sunlit, C.light, 0.35)) + fill('M0 330q220-34 440-26t450-10v62H0z', mix(C.stone, C.cream, 0.45)) +
  sampige(652, 290, 0.98) + gulmohar(822, 300, 0.9) + shrubs(0, 300, 150, C.rose) + shrubs(500, 292, 90) +
  bench(262, 318, 196) + seated(316, 320, { skin: 3, style: 'bun', hair: 'white', dress: 'saree', colour: C.teal, second: C.light, flowers: true }, 1.2) + seated(420, 320, { skin: 2, style: 'thin', hair: 'grey', dress: 'kurta', colour: C.paper, spectacles: true }, -1.2) +
  standing(548, 334, { skin: 5, woman: true, style: 'bun', dress: 'scrubs', colour: C.sea, hands: [[10, -74], [20, -74]] }, 1.26) + wheelchair(598, 336, { skin: 4, style: 'bun', hair: 'grey', dress: 'saree', colour: C.champaca, second: C.rose }, 1.2) +
  tulsi(488, 322, 0.86) + fallen([[640, 312], [672, 306], [704, 316], [610, 302], [690, 326]]); // prettier-ignore

export const SCENES = { arrival, ward, theatre, laboratory, mother, ambulance: ambulanceAtDusk, garden };
