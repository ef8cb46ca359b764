/**
 * The street in front of the hospital, in Jayanagar, by day and at dusk: 1200 by 520. Phones see the middle 600 units:
 * the gate, the auto and the sampige tree.
 */
import { building, gate } from '@hospital/draw/hospital';
import { PALETTE as C, mix } from '@hospital/draw/palette';
import { passer } from '@hospital/draw/passers';
import { gulmohar, palm, rainTree, sampige, shrubs } from '@hospital/draw/plants';
import { auto, bus, cycle, dog, flowerStall, kerb, scooter, streetLamp, wall } from '@hospital/draw/street';
import { at, box, compact, dot, fill, line } from '@hospital/draw/svg';

const KERB = 446;
const WALL = 412;

/** The colours of a part as they are in the evening light. */
const inEvening = (share) => (part) => part.replace(/#[0-9a-f]{6}/g, (colour) => mix(colour, C.night, share));

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
    box(22, -122, 44, 50, C.white, 2) + fill('M27-117h34v40H27z', lit ?? mix(C.mist, C.slate, 0.25)) + line('M44-117v40M27-104h34', C.white, 3) + box(92, -110, 40, 110, mix(C.bark, C.brick, 0.4), 0) + fill('M82-126h60v10H82z', C.brick),
  ); // prettier-ignore

const crossing = [
  [546, 440, { dress: 'saree', colour: C.teal, second: C.sea, hair: 'grey', skin: 3, stick: true, flowers: true }, 0.64],
  [516, 444, { dress: 'saree', colour: C.champaca, second: C.light, style: 'braid', skin: 4 }, 0.66],
  [668, 434, { dress: 'coat', colour: C.white, second: C.sea, skin: 4 }, -0.62],
  [716, 442, { colour: C.rose, second: C.deep, skin: 2 }, -0.66],
  [1064, 440, { dress: 'kurta', colour: C.cream, second: C.white, hair: 'white', skin: 3 }, -0.64],
]; // prettier-ignore

/** Draws the street. At dusk, parts lose light by their distance, and lamps and windows have theirs. */
function street(dusk) {
  const far = dusk ? inEvening(0.45) : (part) => part;
  const near = dusk ? inEvening(0.36) : (part) => part;
  const lit = dusk ? C.lamp : undefined;
  const glowing = mix(C.lamp, C.champaca, 0.35);
  const dim = mix(C.dusk, C.night, 0.5);
  const WINDOW = 'M78-182h34v44h-34z';
  const hospital = { pane: '#pane', door: dusk ? '#door' : undefined, details: dusk ? '<!--lit-->' : '' };
  const windows = fill('M26-262h34v44h-34zM366-262h34v44h-34zM314-182h34v44h-34zM26-102h34v44h-34zM262-102h34v44h-34zM314-102h34v44h-34z', mix(glowing, C.dusk, 0.3)) + fill(WINDOW, C.lamp) + fill('M84-138c0-16 3-22 8-24a6 6 0 1 1 6 0c5 2 8 8 8 24z', mix(C.bark, C.ink, 0.3)); // prettier-ignore
  const house1 = far(building(386, WALL, 0.98, dusk ? { ...hospital, pane: C.dusk, door: C.slate } : {})).replace(
    '<!--lit-->',
    windows,
  );
  const glow = (x, y, r, share = 0.22) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${C.lamp}" opacity="${share}"/>`;
  return compact(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 520" preserveAspectRatio="xMidYMax slice">' +
      (dusk
        ? sky([C.night, C.dusk, mix(C.dusk, C.duskLow, 0.6), C.duskLow, C.light], 'street-sky') +
          line('M90 60h0M214 34h0M330 96h0M496 40h0M742 62h0M880 30h0M1010 84h0M1120 50h0', C.cream, 3) +
          fill('M952 76a26 26 0 1 0 26 34 22 22 0 0 1-26-34z', C.cream)
        : sky([C.air, mix(C.air, C.cream, 0.6), C.cream], 'street-sky') +
          dot(300, 120, 44, mix(C.light, C.cream, 0.3))) +
      (dusk
        ? distance(mix(C.duskLow, C.dusk, 0.5), mix(C.dusk, C.duskLow, 0.2))
        : distance(mix(C.pale, C.air, 0.35), mix(C.pale, C.mist, 0.3))) +
      near(rainTree(1150, WALL, 0.9)) +
      far(house(926, dusk ? dim : undefined)) +
      house1 +
      (dusk ? glow(466, 254, 46) : '') +
      near(
        wall(0, WALL, 566) +
          wall(648, WALL, 560) +
          shrubs(420, WALL - 52, 70) +
          shrubs(700, WALL - 52, 60) +
          gulmohar(300, WALL + 6, 0.94) +
          kerb(0, KERB, 1200),
      ) +
      near(gate(560, WALL + 4, 92)) +
      (dusk
        ? glow(560, WALL - 140, 34) +
          dot(560, WALL - 140, 9, C.lamp) +
          glow(652, WALL - 140, 34) +
          dot(652, WALL - 140, 9, C.lamp) +
          glow(606, 400, 40, 0.3)
        : '') +
      near(sampige(808, 428, 1.06)) +
      near(
        flowerStall(
          826,
          438,
          0.62,
          passer(60, 0, { dress: 'saree', colour: C.rose, second: C.sea, skin: 5, flowers: true }),
        ),
      ) +
      near(cycle(1000, 436, 0.62)) +
      near(dog(930, 441, 0.8)) +
      near(streetLamp(172, 438, 0.86)) +
      near(crossing.map((one) => passer(...one)).join('')) +
      near(bus(-190, 494, 0.74)) +
      near(auto(352, 488, 0.74, passer(84, -14, { skin: 2, colour: C.light, second: C.slate }, 0.82))) +
      near(scooter(1010, 496, 0.66)) +
      (dusk
        ? glow(236, 166, 40, 0.3) +
          fill('M208 160h74l150 286H60z', C.lamp).replace('/>', ' opacity=".12"/>') +
          fill('M508 452l180 40v18z', C.lamp).replace('/>', ' opacity=".3"/>') +
          dot(505, 451, 5, C.lamp)
        : '') +
      '</svg>\n',
  );
}

export const STREETS = new Map([
  ['street-day', street(false)],
  ['street-dusk', street(true)],
]);
