/** Things that figures hold. `hands` are the default places of the hands; `under` things lie below the near hand. */
import { path } from './limbs.mjs';
import { PALETTE as C, SKIN } from './palette.mjs';
import { box, dot, fill, line } from './svg.mjs';

const move = ([x, y], content) => `<g transform="translate(${path`${[x, y]}`})">${content}</g>`;
const low = (u) => (body) => [[body.p(-body.s - 2, 0)[0], body.hip[1] + 14.4], [body.p(body.s + u, 0)[0], body.hip[1] + 14.4]]; // prettier-ignore
const chest = (near, far) => (body) => [body.p(...near), body.p(...far)];

/** A baby in a cloth, its head to the left. */
export const baby = (x, y, skin = 3, wrap = C.paper, scale = 1) =>
  `<g transform="translate(${path`${[x, y]}`}) rotate(-14)${scale === 1 ? '' : ` scale(${scale})`}">${
    fill('M-10-7C0-11 16-8 21-1 23 4 18 8 8 8.4-4 9-12 4-10-7z', wrap) +
    dot(-9, -3, 7, SKIN[skin]) + fill('M-15.6-5C-15-10-9-12-5-9-9-9-12-8-15.6-5z', C.ink) +
    line('M-12.4-2.4q1.2 1 2.4 0M-7.6-2.4q1.2 1 2.2 0M-10.4 1q1.2.8 2.4 0', C.ink, 0.6) +
    line('M-3-8C2-4 2 2-2 8', C.light, 1.6)
  }</g>`; // prettier-ignore

export const HOLDING = {
  bag: { hands: low(3), under: true, draw: (near) => move(near, line('M-3 2C-3-3 5-3 5 2', C.bark, 1.6) + fill('M-8 2h18l2 18q0 2-2 2h-18q-2 0-2-2z', C.brick) + line('M-9 8h20', C.light, 1.6)) },
  basket: { hands: low(3), under: true, draw: (near) => move(near, line('M-9 10C-8-5 10-5 11 10', C.bark, 1.8) + fill('M-5 8c-5-10 4-12 5-4 1-10 9-9 8 3z', C.sunlit) + fill('M-12 8h26l-4 14h-18z', C.champaca)) },
  case: { hands: low(3), under: true, draw: (near) => move(near, line('M-3 3v-5h8v5', C.ink, 1.6) + box(-9, 2, 20, 14, C.bark, 2)) },
  stick: { draw: ([x, y]) => line(path`M${[x - 3.4, y - 2.4]}Q${[x + 2, y - 5]} ${[x + 2, y + 1]}L${[x + 5, 0]}`, C.bark, 2) },
  umbrella: { hands: (b) => [b.p(13, 24), b.p(b.s + 3, -14.4)], draw: ([x, y]) => line(path`M${[x + 1, y + 8]}L${[x + 1, y - 64]}`, C.ink, 1.6) + fill(path`M${[x - 36, y - 50]}C${[x - 26, y - 80]} ${[x + 28, y - 80]} ${[x + 38, y - 50]}Q${[x + 26, y - 57]} ${[x + 14, y - 50]}Q${[x + 1, y - 57]} ${[x - 12, y - 50]}Q${[x - 24, y - 57]} ${[x - 36, y - 50]}z`, C.teal) },
  phone: { hands: (b) => [b.p(16, 26), b.p(b.s + 3, -14.4)], under: true, draw: ([x, y]) => `<g transform="translate(${path`${[x + 2, y - 4]}`}) rotate(-12)">${box(-3.4, -6, 7, 12, C.ink, 1.4) + box(-2.4, -4.6, 5, 8.6, C.pale, 0)}</g>` },
  file: { hands: chest([4, 12], [9, 0]), under: true, draw: ([x, y]) => `<g transform="translate(${path`${[x + 2, y - 6]}`}) rotate(-6)">${box(-11, -14, 22, 28, C.teal, 2) + box(-8.6, -10.6, 17.2, 22, C.paper, 1) + line('M-5.4-5h11M-5.4 0h11M-5.4 5h7', C.mist, 1.2)}</g>` },
  flowers: { hands: chest([11, 17], [14, 15]), under: true, draw: ([x, y]) => move([x + 1, y], line('M0 6L-6-12M0 6L1-16M0 6L7-11', C.leaf, 1.4) + [[-7, -14], [1, -18], [8, -13], [-2, -11], [4, -9]].map(([dx, dy], n) => dot(dx, dy, 3.6, n % 2 ? C.paper : C.champaca)).join('') + fill('M-4 0h8l-1.6 10h-4.8z', C.paper)) },
  garland: { hands: chest([10, 18], [15, 18]), draw: ([x, y]) => line(path`M${[x - 3, y]}q6 24 10 0`, C.marigold, 4.4) },
  baby: { hands: chest([13, 15], [-3, 15]), under: true, draw: ([x, y], far, look) => baby(x - 8, y - 4, look.skin) },
  cup: { hands: chest([14, 22], [13, -9]), under: true, draw: ([x, y]) => move([x + 1, y - 5], fill('M-3.4-4h6.8l-.8 8h-5.2z', C.paper) + line('M3-2.4c3 0 3 4-.2 4.4', C.paper, 1)) },
  tray: { hands: chest([13, 14], [16, 12]), under: true, draw: ([x, y]) => move([x, y], fill('M-12-2h30v2.6h-30z', C.granite) + box(-8, -7, 6, 5, C.paper, 1) + box(1, -9, 5, 7, C.pale, 1)) },
}; // prettier-ignore
