/**
 * Rooms and their furniture. Measures are those of people 135 units high; (x, y) is the left end on the floor unless
 * said otherwise.
 */
import { PALETTE as C, mix } from './palette.mjs';
import { sampigeFlower } from './plants.mjs';
import { at, box, dot, fill, line, many, oval } from './svg.mjs';

const dark = (colour, share = 0.25) => mix(colour, C.ink, share);
const METAL = mix(C.grey, C.granite, 0.35);

/** Shadow on the floor, below a thing `width` wide. */
export const under = (x, y, width, floor = C.mist) => oval(x + width / 2 + 3, y, width / 2, 4, dark(floor, 0.18));

/** Wall, dado, skirting and a floor whose near edge is `height`; `light` is the left end of a patch of sun. */
export function room(
  width,
  height,
  floor,
  { wall = C.air, dado = mix(wall, C.mist, 0.25), ground = mix(C.pale, C.mist, 0.45), light } = {},
) {
  const deep = height - floor;
  return (
    box(0, 0, width, floor, wall, 0) + box(0, Math.round(floor * 0.66), width, Math.round(floor * 0.34), dado, 0) + box(0, Math.round(floor * 0.66) - 3, width, 3, mix(wall, C.white, 0.7), 0) +
    box(0, floor - 8, width, 8, dark(dado, 0.12), 0) + box(0, floor, width, deep, ground, 0) +
    (light === undefined ? '' : fill(`M${light} ${floor}h150l${deep} ${deep}h-180z`, mix(ground, C.cream, 0.5)))
  ); // prettier-ignore
}

/** A window with bars and a ledge; (x, y) is its upper left corner. The sampige looks in. */
export function windowAt(x, y, width = 120, height = 110, { pane = mix(C.air, C.white, 0.3), tree = true } = {}) {
  const [w, h] = [width - 12, height - 12];
  const leaf = `M0 ${h}v${-h * 0.42}q${w * 0.16}-${h * 0.22} ${w * 0.4}-${h * 0.1}q${w * 0.26}-${h * 0.06} ${w * 0.3} ${h * 0.22}q${w * 0.16} ${h * 0.1} ${w * 0.1} ${h * 0.3}z`;
  return at(x, y,
    box(0, 0, width, height, C.white, 2) +
    at(6, 6, box(0, 0, w, h, pane, 0) + (tree ? fill(leaf, C.leaf) + fill(`M0 ${h}v${-h * 0.26}q${w * 0.2}-${h * 0.12} ${w * 0.34} ${h * 0.04}q${w * 0.1} ${h * 0.1} ${w * 0.04} ${h * 0.22}z`, C.sunlit) + sampigeFlower(w * 0.3, h * 0.58, 0.26) + sampigeFlower(w * 0.62, h * 0.72, 0.26) + sampigeFlower(w * 0.14, h * 0.8, 0.22) : '') + fill(`M0 0h${w * 0.3}l${-w * 0.3} ${h * 0.5}z`, mix(pane, C.white, 0.7))) +
    line(`M${width / 2} 4v${height - 8}M4 ${height * 0.36}h${width - 8}`, C.white, 5) + box(-6, height - 2, width + 12, 8, mix(C.paper, C.stone, 0.35), 2),
  ); // prettier-ignore
}

/** A curtain drawn aside, from its rail at (x, y). */
export const curtain = (x, y, width, height, colour = C.light) =>
  fill(`M${x} ${y}h${width}q-${width * 0.1} ${height * 0.5} ${width * 0.04} ${height}h-${width * 1.08}q${width * 0.12}-${height * 0.5} ${width * 0.04}-${height}z`, colour) +
  line([0.25, 0.5, 0.75].map((part) => `M${x + width * part} ${y + 6}q-${width * 0.06} ${height * 0.5} 0 ${height - 12}`).join(''), dark(colour, 0.14), 3) + line(`M${x - 8} ${y}h${width + 16}`, C.slate, 4); // prettier-ignore

/** A hospital bed, 236 long, its mattress 56 high; `patient` lies with the head at (44, -66). The blanket covers from 84 on. */
export const bed = (x, y, scale = 1, { patient = '', blanket = C.sea, legs = true } = {}) =>
  at(x, y,
    (legs ? under(0, 0, 236) : '') + line('M6-6v-92M230-6v-62', METAL, 6) + fill('M3-96h6v52H3z', C.teal) + line('M6-30h224M30-30l-8 22M206-30l8 22', METAL, 5) +
    box(8, -58, 220, 22, C.white, 5) + fill('M8-44h220v4q0 4-5 4H13q-5 0-5-4z', mix(C.white, C.stone, 0.4)) + box(14, -76, 58, 22, C.paper, 9) + fill('M18-60h50q4 0 4 4H16q0-4 2-4z', mix(C.paper, C.stone, 0.35)) + patient +
    (blanket ? fill('M84-58q6-20 34-20h54q34 0 52 16 4 4 4 12v14H92q-8 0-8-8z', blanket) + fill('M84-58q3-10 10-15l14 37H92q-8 0-8-8z', C.white) + fill('M130-42q40 2 98-8v14H120z', dark(blanket, 0.18)) : '') +
    (legs ? dot(22, -6, 6, C.slate) + dot(214, -6, 6, C.slate) : '') + box(224, -70, 12, 34, C.teal, 3),
  scale); // prettier-ignore

/** Chair facing right, its seat 44 high. */
export const chair = (x, y, scale = 1, colour = C.teal) =>
  at(
    x,
    y,
    line('M4-2L8-44M40-2l-2-40M14-2l2-40', dark(colour, 0.3), 4) +
      fill('M0-96q0-6 6-6t7 6l3 48h26q4 0 4 4t-4 4H8q-4 0-5-5z', colour) +
      fill('M12-48h30q4 0 4 4t-4 4H10z', dark(colour, 0.2)),
    scale,
  );

/** An armchair seen from the front, 110 wide. */
export const armchair = (x, y, scale = 1, colour = C.sea) =>
  at(
    x,
    y,
    under(4, 0, 104) +
      line('M16-4v4M94-4v4', C.bark, 6) +
      box(10, -104, 90, 96, colour, 20) +
      fill('M100-84v60H66q20-30 16-80 18 4 18 20z', dark(colour, 0.15)) +
      box(16, -52, 78, 24, mix(colour, C.paper, 0.22), 8) +
      box(0, -62, 22, 58, dark(colour, 0.12), 9) +
      box(88, -62, 22, 58, dark(colour, 0.26), 9),
    scale,
  );

/** A bench with a back, `width` wide. */
export const bench = (x, y, width, colour = mix(C.bark, C.champaca, 0.35)) =>
  line(`M${x + 14} ${y - 76}v74M${x + width - 14} ${y - 76}v74`, C.slate, 5) +
  box(x, y - 78, width, 11, colour, 3) +
  box(x, y - 62, width, 9, colour, 3) +
  box(x - 2, y - 44, width + 4, 10, mix(colour, C.paper, 0.2), 3) +
  box(x - 2, y - 38, width + 4, 5, dark(colour, 0.25), 2);

/** A table, `width` wide; its top is `height` high. */
export const table = (x, y, width, colour = mix(C.bark, C.champaca, 0.4), height = 58) =>
  line(`M${x + 12} ${y}v${-height}M${x + width - 12} ${y}v${-height}`, dark(colour, 0.25), 6) +
  box(x, y - height - 5, width, 9, colour, 3) +
  box(x, y - height + 1, width, 4, dark(colour, 0.2), 2);

/** A counter or laboratory bench with fronts, `width` wide and `height` high. */
export function counter(x, y, width, { height = 78, front = C.white, top = C.teal, doors = 70 } = {}) {
  const seams = Array.from(
    { length: Math.max(0, Math.round(width / doors) - 1) },
    (_, index) => x + (width / Math.round(width / doors)) * (index + 1),
  );
  return (
    box(x + 4, y - height, width - 8, height, front, 0) + fill(`M${x + width - 30} ${y - height}h26v${height}h-26z`, mix(front, C.stone, 0.4)) + line(seams.map((sx) => `M${Math.round(sx)} ${y - height + 16}v${height - 26}`).join(''), mix(front, C.granite, 0.35), 2) +
    line(seams.map((sx) => `M${Math.round(sx) - 9} ${y - height + 24}v12`).join(''), C.mist, 3) + box(x + 4, y - 7, width - 8, 7, mix(front, C.granite, 0.5), 0) + box(x, y - height - 5, width, 11, top, 2) + box(x, y - height + 2, width, 4, dark(top), 0)
  ); // prettier-ignore
}

/** A screen with a curve, 120 by 82, its upper left corner at (x, y). */
export const monitor = (x, y, scale = 1, trace = 'M12 44h22l6-16 10 32 8-24 5 8h44') =>
  at(
    x,
    y,
    box(0, 0, 120, 82, C.slate, 7) +
      box(6, 6, 108, 70, C.night, 3) +
      line(trace, C.lamp, 3) +
      line('M12 64h30M52 64h18', C.mist, 3) +
      dot(104, 63, 4, C.sunlit),
    scale,
  );
/** A stand for a monitor or drip, from the floor up to `height`. */
export const stand = (x, y, height) =>
  line(`M${x} ${y - height}V${y - 6}M${x - 20} ${y - 3}L${x} ${y - 10}l20 7`, METAL, 4) +
  dot(x - 20, y - 3, 3, C.slate) +
  dot(x + 20, y - 3, 3, C.slate);
/** A drip on its stand, 168 high; the tube ends at (x + dx, y + dy). */
export const drip = (x, y, dx = 40, dy = -70) =>
  stand(x, y, 166) +
  line(`M${x - 14} ${y - 162}q14-10 28 0`, METAL, 3) +
  box(x + 5, y - 160, 18, 32, mix(C.air, C.white, 0.5), 5) +
  box(x + 5, y - 146, 18, 18, C.light, 4) +
  line(`M${x + 14} ${y - 128}c0 40 ${dx - 14} 20 ${dx} ${128 + dy}`, mix(C.mist, C.white, 0.3), 2);

/** A ceiling lamp of a theatre; (x, y) is the middle of its rim. */
export const theatreLamp = (x, y, scale = 1, arm = 120) =>
  at(x, y, line(`M0-26v${-arm}`, METAL, 6) + fill('M-72 0q6-34 72-34t72 34z', C.white) + fill('M20-33q46 4 52 33H40q0-20-20-33z', mix(C.white, C.granite, 0.4)) + box(-66, -2, 132, 9, METAL, 4) + many([[-40, 5], [0, 5], [40, 5]], (lx, ly) => oval(lx, ly, 15, 5, C.lamp)), scale); // prettier-ignore

/** A glass cot on wheels, 108 wide and 92 high; `baby` lies at (54, -66). */
export const cot = (x, y, scale = 1, baby = '') =>
  at(x, y, under(6, 0, 100) + line('M18-44v40M90-44v40M18-24h72', METAL, 4) + dot(18, -4, 5, C.slate) + dot(90, -4, 5, C.slate) + box(8, -60, 92, 12, C.cream, 5) + baby + fill('M0-88h108l-8 46H8z', mix(C.pale, C.white, 0.4)).replace('/>', ' opacity=".5"/>') + line('M0-88h108', METAL, 4) + box(10, -44, 88, 6, C.teal, 2), scale); // prettier-ignore

/** Shelves, `width` wide; `rows` are the heights of their boards above y, each with its things. */
export const shelf = (x, y, width, things = '') =>
  things +
  box(x, y, width, 6, mix(C.bark, C.champaca, 0.4), 1) +
  line(`M${x + 12} ${y + 6}v10M${x + width - 12} ${y + 6}v10`, C.slate, 4);

/** A clock, 36 across. */
export const clock = (x, y, scale = 1) =>
  at(x, y, dot(0, 0, 18, C.teal) + dot(0, 0, 14, C.paper) + line('M0 0v-9M0 0l6 4', C.ink, 2), scale);
/** A picture on the wall: a sampige flower. */
export const picturedFlower = (x, y, scale = 1) =>
  at(
    x,
    y,
    box(0, 0, 52, 62, mix(C.bark, C.champaca, 0.4), 1) +
      box(5, 5, 42, 52, C.cream, 0) +
      line('M26 56V36', C.leaf, 3) +
      sampigeFlower(26, 29, 0.52),
    scale,
  );
/** A hanging lamp; (x, y) is where the cord leaves the ceiling. */
export const pendant = (x, y, length, lit = C.lamp) =>
  line(`M${x} ${y}v${length}`, C.slate, 2.5) +
  fill(`M${x - 24} ${y + length + 22}q2-24 24-24t24 24z`, C.teal) +
  oval(x, y + length + 22, 18, 4, lit);
