/**
 * The street in front of the hospital, in Jayanagar, by day and at dusk: 1200 by 520. Phones see the middle 600 units:
 * the gate, the auto and the sampige tree.
 */
import { building, gate } from '@hospital/draw/hospital';
import { halo, haloGradient, inEvening, shining } from '@hospital/draw/light';
import { PALETTE as C, mix } from '@hospital/draw/palette';
import { passer } from '@hospital/draw/passers';
import { gulmohar, palm, rainTree, sampige, shrubs } from '@hospital/draw/plants';
import { auto, bus, cycle, dog, flowerStall, kerb, streetLamp, wall } from '@hospital/draw/street';
import { at, box, compact, dot, fill, line } from '@hospital/draw/svg';

const KERB = 446;
const WALL = 412;

/** The sky from top to horizon. A gradient, because bands would cut through the trees. */
function sky(colours, id) {
  const stops = colours
    .map((colour, index) => `<stop offset="${index / (colours.length - 1)}" stop-color="${colour}"/>`)
    .join('');
  return `<linearGradient id="${id}" x2="0" y2="1">${stops}</linearGradient><path d="M0 0h1200v420H0z" fill="url(#${id})"/>`;
}

/** Houses and palms far away, and the Ashoka pillar. */
const distance = (far, near) =>
  fill('M0 420V262h60v-22h70v36h40v-60h84v40h50v-26h64v46h70v140zM760 420V250h56v-30h86v46h44v-28h70v30h60v-50h76v34h48v168z', far) +
  fill('M1003 262l3-96h-5v-5h4l1-12h-4v-4h4q5-9 10 0h4v4h-4l1 12h4v5h-5l3 96z', near) + fill('M0 420V300h44v-14h52v34h60v-20h48v120zM930 420v-96h60v-18h70v30h56v-22h84v106z', near) +
  palm(330, 330, 0.7, near, near) + palm(1120, 340, 0.62, near, near) + palm(1150, 340, 0.5, near, near); // prettier-ignore

/** The neighbour's house with its tiled roof and red oxide steps. */
const house = (x, lit) =>
  at(x, WALL,
    box(0, -150, 190, 150, mix(C.light, C.paper, 0.45), 0) + fill('M150-150h40v150h-40z', mix(C.light, C.stone, 0.4)) + fill('M-14-146l30-52h150l38 52z', C.brick) + fill('M150-198h16l38 52h-30z', mix(C.brick, C.ink, 0.25)) +
    box(22, -122, 44, 50, C.white, 2) + fill('M27-117h34v40H27z', lit || mix(C.mist, C.slate, 0.25)) + line('M44-117v40M27-104h34', C.white, 3) + box(92, -110, 40, 110, mix(C.bark, C.brick, 0.4), 0) + fill('M82-126h60v10H82z', C.brick),
  ); // prettier-ignore

/** People on the pavement, from left to right. */
const PEOPLE = [
  [526, 437, { dress: 'saree', colour: C.champaca, second: C.light, style: 'braid', skin: 4 }, 0.66],
  [563, 437, { dress: 'saree', colour: C.teal, second: C.sea, hair: 'grey', stick: true, flowers: true }, 0.62],
  [642, 424, { dress: 'coat', colour: C.white, second: C.sea, skin: 4 }, -0.6],
  [716, 440, { colour: C.rose, second: C.deep, skin: 2 }, -0.66],
  [742, 442, { colour: C.champaca, second: C.teal, skin: 2 }, -0.4],
  [1030, 434, { dress: 'kurta', colour: C.cream, second: C.white, hair: 'white' }, -0.64],
]; // prettier-ignore

const LIT = [[26, -262], [366, -262], [130, -182], [314, -182], [26, -102], [314, -102]]; // prettier-ignore
/** Windows of the hospital in the evening; in one of them somebody stands and looks out. */
const windows =
  fill(LIT.map(([x, y]) => `M${x} ${y}h34v44h-34z`).join(''), mix(C.lamp, C.bark, 0.38)) + fill('M78-182h34v44H78z', C.lamp) + fill('M86-138c0-15 2-20 8-22a5 6 0 1 1 4 0c6 2 8 7 8 22z', mix(C.bark, C.ink, 0.4)); // prettier-ignore
const riders = fill(
  [52, 132, 226, 290, 372].map((x) => `M${x}-148c0-14 4-18 10-20a8 9 0 1 1 10 0c6 2 10 6 10 20z`).join(''),
  C.ink,
);

/** The street by day, or at dusk with lights in windows, board, gate, lamp, bus and auto. */
function street(dusk) {
  const light = dusk ? inEvening : (part) => part;
  const evening = (part) => (dusk ? shining(part) : '');
  const glow = (x, y, rx, ry) => evening(halo('street-glow', x, y, rx, ry));
  const [far, near] = dusk
    ? [mix(C.duskLow, C.dusk, 0.5), mix(C.duskLow, C.dusk, 0.8)]
    : [mix(C.pale, C.air, 0.35), mix(C.pale, C.mist, 0.3)];
  const hospital = building(
    386,
    WALL,
    0.98,
    dusk ? { pane: mix(C.dusk, C.slate, 0.4), door: C.lamp, details: shining(windows), lit: shining } : {},
  );
  const back =
    rainTree(1150, WALL, 0.9) + house(926, dusk && C.dusk) + hospital + glow(481, 255, 66) + glow(594, 372, 70, 90) +
    wall(0, WALL, 500) + wall(690, WALL, 510) + shrubs(404, WALL - 60, 84) + shrubs(704, WALL - 60, 60) + gulmohar(300, WALL + 6, 0.94) + kerb(0, KERB, 1200); // prettier-ignore
  const front =
    gate(504, WALL + 2, 182, dusk) + glow(504, 270, 44) + glow(686, 270, 44) + streetLamp(172, 438, 0.86, dusk) + glow(234, 168, 70) + glow(240, 440, 190, 34) +
    sampige(808, 428, 1.06) + flowerStall(826, 438, 0.62, passer(60, 0, { dress: 'saree', colour: C.rose, second: C.sea, skin: 5, flowers: true })) + glow(886, 390, 54) + cycle(952, 432, 0.62) + dog(748, 441, 0.8) +
    PEOPLE.map((person) => passer(...person)).join('') +
    bus(-190, 494, 0.74, dusk ? { pane: shining(C.light), people: shining(riders) } : { people: riders }) + auto(312, 488, 0.74, passer(88, -26, { skin: 2, colour: C.light }, 0.74) + passer(132, -26, { colour: C.stone }, 0.72)) + glow(468, 452, 26) + glow(550, 482, 90, 14) + glow(228, 446, 24) + auto(1046, 486, 0.72); // prettier-ignore
  return compact(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 520">${dusk ? haloGradient('street-glow') : ''}` +
      (dusk ? SKY.dusk : SKY.day) + distance(far, near) + light(back) + light(front) + '</svg>\n',
  ); // prettier-ignore
}

const SKY = {
  day: sky([C.air, mix(C.air, C.cream, 0.6), C.cream], 'street-day-sky') + dot(350, 86, 42, mix(C.light, C.cream, 0.3)),
  dusk:
    sky([C.deep, mix(C.deep, C.dusk, 0.7), mix(C.dusk, C.duskLow, 0.6), C.duskLow, C.light], 'street-dusk-sky') + line('M90 60h0M214 34h0M330 96h0M496 40h0M742 62h0M880 30h0M1010 84h0M1120 50h0', C.cream, 3) + fill('M952 76a26 26 0 1 0 26 34 22 22 0 0 1-26-34z', C.cream),
}; // prettier-ignore

export const STREETS = new Map([['street-day', street(false)], ['street-dusk', street(true)]]); // prettier-ignore
