/** The hospital: its building, its gate in the compound wall, its ambulance. (x, y) is the left end on the ground. */
import { PALETTE as C, mix } from './palette.mjs';
import { sampigeFlower } from './plants.mjs';
import { shadow } from './street.mjs';
import { at, box, dot, fill, line, many } from './svg.mjs';
import { kannadaHospital, latinHospital } from './words.mjs';

const dark = (colour, share = 0.25) => mix(colour, C.ink, share);
const WALL = mix(C.paper, C.cream, 0.5);
const SHADED = mix(WALL, C.stone, 0.42);
const GLASS = mix(C.mist, C.slate, 0.25);

/** The emblem and the words of a board, 150 wide and 26 high, centred on (0, 0). */
export const boardWords = (colour = C.paper) =>
  sampigeFlower(-66, 0, 0.38) + kannadaHospital(-48, 5, colour) + latinHospital(4, 5, colour);

/** Tops of the windows of `building`, which are 34 by 44, at 26, 78, 130, 262, 314 and 366. */
const ROWS = [-262, -182, -102];
/** One stroke for each row of windows and side of the tower, interrupted between the windows. */
const rows = (shift, colour, height, long, from = 0) => {
  const d = ROWS.flatMap((top) => [26, 262].map((left) => `M${left + from} ${top + shift}h${104 + long}`)).join('');
  return `<path d="${d}" stroke="${colour}" stroke-width="${height}" stroke-dasharray="${long} ${52 - long}"/>`;
};

/**
 * The hospital from its street, 440 wide and 358 high: three storeys, shades over the windows, a stair tower of pierced
 * blocks with the emblem. `details` are drawn over the panes, `front` over all; `lit` is applied to the
 * emblem, the board and the door.
 */
export function building(
  x,
  y,
  scale = 1,
  { pane = GLASS, details = '', front = '', door = mix(C.pale, C.slate, 0.2), lit = (part) => part } = {},
) {
  return at(x, y,
    // Tanks and panels on the roof.
    fill('M46-304v-26q0-8 16-8t16 8v26zM84-304v-20q0-7 13-7t13 7v20z', C.slate) + fill('M296-304l14-26h74l-14 26z', dark(C.bus, 0.35)) + line('M310-306l13-22M328-306l13-22M346-306l13-22', C.mist, 1.5) +
    box(0, -300, 440, 300, WALL, 0) + fill('M406-300h34v300h-34z', SHADED) + fill('M-6-306h452v12H-6z', C.teal) + fill('M406-306h40v12h-40z', C.deep) +
    fill('M0-214h406v5H0zM0-134h406v5H0z', SHADED) + fill('M0-16h440v16H0z', C.granite) +
    rows(22, C.white, 52, 42, -4) + rows(22, pane, 44, 34) + details + rows(22, C.white, 46, 3, 16) + rows(16, C.white, 3, 36) + rows(-7, C.teal, 8, 48, -7) + rows(50, SHADED, 5, 44, -5) +
    // The stair tower and the entrance.
    box(172, -352, 76, 352, C.white, 0) + fill('M230-352h18v352h-18z', mix(C.white, C.stone, 0.5)) + fill('M168-358h84v10h-84z', C.teal) + lit(sampigeFlower(206, -322, 0.62)) +
    ['M191-290v140', 'M210-290v140', 'M229-290v140'].map((d) => `<path d="${d}" stroke="${C.mist}" stroke-width="10" stroke-dasharray="8 6"/>`).join('') +
    box(130, -146, 160, 34, C.teal, 4) + box(133, -143, 154, 28, C.deep, 3) + at(211, -129, lit(boardWords())) +
    box(176, -84, 68, 84, C.teal, 0) + lit(fill('M180-80h29v80h-29zM212-80h28v80h-28z', door)) + line('M204-44v10M217-44v10', C.deep, 2.5) + fill('M150-98h120l12 14H138z', C.champaca) + fill('M138-84h144v5H138z', dark(C.champaca)) + front,
  scale); // prettier-ignore
}

/** Two granite gate posts 154 high, `width` apart, with lamps and open leaves. */
export function gate(x, y, width, lit = false) {
  const globe = (gx) => line(`M${gx} -128v-8`, C.deep, 4) + dot(gx, -144, 10, lit ? C.lamp : C.light);
  const post = (px) =>
    box(px - 13, -124, 26, 124, C.granite, 0) +
    fill(`M${px + 4}-124h9v124h-9z`, dark(C.granite)) +
    box(px - 17, -132, 34, 9, mix(C.granite, C.paper, 0.4), 2) +
    line(`M${px - 12}-92h24M${px - 12}-62h24M${px - 12}-32h24`, mix(C.granite, C.paper, 0.3), 1.5) +
    globe(px);
  const leaf = (lx, slant) =>
    line(
      `M${lx}-104l${slant}-10v110l${-slant}-6zM${lx}-60l${slant}-2` +
        [0.25, 0.5, 0.75]
          .map((part) => `M${lx + slant * part} ${Math.round(-104 - 10 * part)}V${Math.round(-6 + 2 * part)}`)
          .join(''),
      C.deep,
      3,
    );
  return at(x, y, leaf(14, 42) + leaf(width - 14, -42) + post(0) + post(width));
}

/** The ambulance, 400 long and 196 high. */
export const ambulance = (x, y, scale = 1, lit = false) =>
  at(x, y,
    shadow(4, 0, 390) +
    fill('M0-30v-138q0-16 16-16h238q18 0 28 14l44 62 48 12q20 6 22 24l4 42z', C.white) + fill('M0-168q0-16 16-16h238q10 0 18 6l6 8H0z', mix(C.white, C.pale, 0.6)) + fill('M0-52h398l2 22H0z', mix(C.white, C.granite, 0.4)) +
    fill('M0-92h332l42 6q10 4 16 14H0z', C.champaca) + fill('M0-72h394l2 6H0z', C.teal) +
    fill('M262-166l42 58h-58v-58z', dark(C.slate, 0.35)) + fill('M246-166h10l-10 24zM272-152l20 28-16 16h-22z', mix(C.slate, C.pale, 0.4)) + fill('M150-164h74v50h-74z', mix(C.mist, C.pale, 0.4)) + line('M150-148h74M150-132h74', C.white, 3) +
    line('M236-176v144M128-176v144', mix(C.white, C.granite, 0.5), 2.5) + line('M210-104h12M246-100h12', C.slate, 4) + sampigeFlower(66, -128, 0.95) +
    box(196, -198, 50, 15, lit ? C.lamp : C.bus, 6) + fill('M196-190h50v7h-50z', dark(C.bus)) + box(382, -70, 16, 16, C.lamp, 5) + box(0, -76, 8, 28, C.gulmohar, 2) + box(356, -34, 46, 12, C.slate, 4) +
    fill('M46-30a40 40 0 0 1 80 0zM284-30a40 40 0 0 1 80 0z', dark(C.slate, 0.5)) + many([[86, 0], [324, 0]], (wx) => dot(wx, -31, 31, C.ink) + dot(wx, -31, 16, C.grey) + dot(wx, -31, 6, C.slate)),
  scale); // prettier-ignore
