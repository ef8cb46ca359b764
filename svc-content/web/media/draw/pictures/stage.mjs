/**
 * Stages and things of the pictures. A stage is 376 by 212 units, people in it are 135 high and stand on FLOOR; it is
 * drawn 1.7 times as large.
 */
import { seated } from '@hospital/draw/figure';
import { PALETTE as C, SKIN, mix } from '@hospital/draw/palette';
import { palm, potted, rainTree, sampige, shrubs } from '@hospital/draw/plants';
import { chair, picturedFlower, room, windowAt } from '@hospital/draw/rooms';
import { at, box, dot, fill, line, many, oval, turn } from '@hospital/draw/svg';

export const FLOOR = 196;
const SCALE = 1.7;
const WOOD = mix(C.bark, C.champaca, 0.4);
const METAL = mix(C.grey, C.granite, 0.35);
const dark = (colour, share = 0.2) => mix(colour, C.ink, share);

/** A complete picture of 640 by 360 from a stage. */
export const stage = (content) => at(0, 0, content, SCALE);

/** A room at home, warm, with a window at `window`. */
export const home = ({ window = 40, wall = C.cream, light } = {}) =>
  room(377, 212, 174, { wall, dado: mix(wall, C.brick, 0.16), ground: mix(C.brick, C.cream, 0.42), light }) + (window === false ? '' : windowAt(window, 26, 76, 74));

/** A room of the hospital. */
export const clinic = ({ window = 276, wall = C.air, light } = {}) =>
  room(377, 212, 174, { wall, light }) + (window === false ? '' : windowAt(window, 26, 76, 74));

/** A room at night with the moon in the window. */
export const nightRoom = (window = 260) => {
  const wall = mix(C.night, C.teal, 0.5);
  return (
    box(0, 0, 377, 174, wall, 0) + box(0, 116, 377, 58, mix(wall, C.night, 0.22), 0) + box(0, 113, 377, 3, mix(wall, C.mist, 0.2), 0) + box(0, 166, 377, 46, mix(C.night, C.deep, 0.5), 0) +
    windowAt(window, 22, 84, 84, { pane: C.night, tree: false }) + dot(window + 56, 52, 12, C.lamp) + dot(window + 51, 48, 11, C.night)
  );
}; // prettier-ignore

/** A park: sky, hill, lawn, path. */
export const park = ({ sky = C.air, tree = 70, path = true } = {}) =>
  box(0, 0, 377, 212, sky, 0) + fill('M0 142C60 112 120 118 190 134s120 2 187-16v94H0z', mix(C.sunlit, C.pale, 0.62)) +
  fill('M0 160C110 148 260 152 377 162v50H0z', mix(C.sunlit, C.cream, 0.3)) + (tree === false ? '' : rainTree(tree, 172, 0.5)) +
  (path ? fill('M0 182C130 174 260 176 377 184v28H0z', mix(C.brick, C.cream, 0.6)) : '');

/** The yard before the hospital: its wall and trees behind. */
export const yard = () =>
  box(0, 0, 377, 212, mix(C.air, C.cream, 0.4), 0) + sampige(340, 160, 0.46, false) + palm(28, 166, 0.6) + fill('M0 120h377v46H0z', mix(C.cream, C.stone, 0.35)) + box(0, 116, 377, 7, C.teal, 0) + shrubs(0, 168, 377) + box(0, 166, 377, 46, mix(C.stone, C.cream, 0.35), 0);

/** A shamiana, the tent of every function, over the whole stage. */
export const shamiana = () => {
  const colours = [C.champaca, C.paper, C.gulmohar, C.paper];
  const strip = (index) => fill(`M${index * 29 - 8} 0h29v34q-14.5 16-29 0z`, colours[index % 4]);
  return (
    line('M14 30V196M363 30V196', WOOD, 4) + Array.from({ length: 14 }, (_, index) => strip(index)).join('') + fill('M0 0h377v10H0z', C.brick) +
    line('M18 44q4 40-4 60M359 44q-4 40 4 60', C.marigold, 4)
  );
}; // prettier-ignore

/** A person on a chair; a negative `side` faces left. The feet of a child don't reach the floor. */
export const sitting = (x, look, side = 1, colour = WOOD) =>
  at(x, FLOOR, chair(-24, 0, 1, colour), side, 1) + seated(x, FLOOR - (look.child ? 16 : 0), look, side);

/** A table of wood, `height` high. */
export const desk = (x, width, height = 66, colour = WOOD) =>
  line(`M${x + 8} ${FLOOR}v${-height}M${x + width - 8} ${FLOOR}v${-height}`, dark(colour, 0.25), 5) + box(x, FLOOR - height - 4, width, 8, colour, 2) + box(x, FLOOR - height + 1, width, 3, dark(colour), 1);

/** A desk of the hospital with a front. */
export const reception = (x, width, height = 76) =>
  box(x + 4, FLOOR - height, width - 8, height, C.white, 0) + box(x + 4, FLOOR - 30, width - 8, 30, mix(C.teal, C.white, 0.82), 0) + box(x, FLOOR - height - 5, width, 9, C.teal, 2);

/** A blood pressure monitor on a table. */
export const meter = (x, y) =>
  box(x, y - 20, 28, 20, C.paper, 4) + box(x + 4, y - 17, 14, 13, C.teal, 2) + line(`M${x + 7} ${y - 14}v6M${x + 11} ${y - 14}h4v3h-4v3h4`, C.lamp, 1.2) + dot(x + 23, y - 11, 2.4, C.champaca);
/** A cuff round an upper arm, at its middle. */
export const cuff = (x, y, degrees = 12) => turn(x, y, degrees, box(-7.5, -7, 15, 14, C.teal, 3) + line('M2-7v14', C.mist, 1.4));

export const cupOn = (x, y) => fill(`M${x - 5} ${y - 10}h10l-1.4 10h-7.2z`, C.grey) + oval(x, y - 10, 5, 1.4, C.bark);
export const plateOn = (x, y) => oval(x, y - 1.5, 19, 3.6, METAL) + oval(x - 6, y - 4, 9, 4.6, C.sunlit) + oval(x + 5, y - 4, 6, 4, C.paper) + oval(x + 12, y - 4, 4.6, 3.2, C.champaca);
export const bowlOn = (x, y, colour = METAL, food = C.sunlit) => oval(x, y - 9, 10, 3.6, food) + fill(`M${x - 11} ${y - 9}h22q-2 9-11 9t-11-9z`, colour);
export const laptop = (x, y, side = 1) => at(x, y, fill('M0-1h34l4 1v1H-3z', C.slate) + fill('M36-2 46-26h3L40-1z', C.ink), side, 1);
export const bookOn = (x, y) => fill(`M${x} ${y - 1}l3-5h16l2 3 3-3h16l2 5z`, C.paper) + line(`M${x + 21} ${y - 3}v2M${x + 7} ${y - 4}h10M${x + 27} ${y - 4}h10`, C.mist, 1);
export const bag = (x, y, colour = C.teal) => fill(`M${x} ${y}l3-26h38l3 26z`, colour) + fill(`M${x + 30} ${y - 26}h11l3 26h-10z`, dark(colour)) + line(`M${x + 12} ${y - 26}q1-12 10-12t10 12`, dark(colour), 2.6);
export const diya = (x, y, scale = 1) => at(x, y, fill('M0-18C4-13 4-8 0-8S-4-13 0-18z', C.lamp) + fill('M-9-7Q0-2 9-7C8-1 4 0 0 0S-8-1-9-7z', C.brick), scale);
export const bucket = (x, y) => fill(`M${x - 10} ${y - 20}h20l-3 20h-14z`, C.bus) + oval(x, y - 20, 10, 2.4, C.pale) + line(`M${x - 9} ${y - 20}q9-14 18 0`, METAL, 1.4);
export const ball = (x, y, r = 24) => dot(x, y - r, r, C.sea) + fill(`M${x + r * 0.5} ${y - r * 1.8}A${r} ${r} 0 0 1 ${x - r * 0.4} ${y - r * 0.1}Q${x + r * 0.7} ${y - r * 0.4} ${x + r * 0.5} ${y - r * 1.8}z`, dark(C.sea));
export const mat = (x, width, colour = C.champaca) => fill(`M${x} ${FLOOR + 5}l8-9h${width - 16}l8 9z`, colour);

/** A rope cot (charpai), 110 long, its top 40 high. */
export const charpai = (x, y = FLOOR) =>
  line(`M${x + 4} ${y}v-44M${x + 106} ${y}v-44`, WOOD, 5) + box(x, y - 42, 110, 5, WOOD, 2) + fill(`M${x + 4} ${y - 37}h102l-6 5H${x + 10}z`, C.cream) + fill(`M${x + 60} ${y - 43}h46v7H${x + 60}z`, C.brick);

/** A lounger for donors with its arm rest; the head is on the left. */
export const lounger = (x, y = FLOOR) =>
  line(`M${x + 20} ${y}v-28M${x + 88} ${y}v-26`, METAL, 4) + fill(`M${x - 8} ${y - 88}q-6-6 2-9 6-1 9 5l24 54h74q7 0 7 6t-7 6H${x + 24}q-6 0-9-6z`, C.teal);
/** A person on a lounger with one arm stretched out. */
export const donor = (x, look, y = FLOOR) =>
  seated(x, y + 2, { ...look, lean: -24, legs: [[[2, -46], [32, -46], [62, -44]], [[-2, -45], [30, -44], [60, -42]]], hands: [[22, -58], [24, -64]] }, 1); // prettier-ignore
export const bloodBag = (x, y) => line(`M${x} ${FLOOR}V${y - 8}h10`, METAL, 2.4) + box(x + 4, y - 4, 14, 20, C.paper, 3) + box(x + 4, y + 4, 14, 12, mix(C.gulmohar, C.ink, 0.25), 3);

export const syringe = (x, y, degrees = 0) => turn(x, y, degrees, at(0, 0, line('M-11 0h-7', METAL, 0.9) + box(-11, -2, 16, 4, C.paper, 1) + box(-9, -1.2, 9, 2.4, C.light, 0.5) + line('M5 0h6M11-2.4v4.8', C.teal, 1.4), 0.7));

/** A board on the wall with something on it. */
export const board = (x, y, width, height, content = '', colour = C.teal) => box(x - 4, y - 4, width + 8, height + 8, WOOD, 2) + box(x, y, width, height, colour, 0) + at(x, y, content);
/** A chart for the eyes. */
export const eyeChart = (x, y) => box(x, y, 46, 66, C.white, 2) + line(`M${x + 18} ${y + 8}v12M${x + 18} ${y + 9}h10M${x + 18} ${y + 14}h8M${x + 18} ${y + 20}h10`, C.ink, 2.6) + line(`M${x + 12} ${y + 30}v6h6M${x + 28} ${y + 30}h6M${x + 31} ${y + 30}v6M${x + 9} ${y + 44}h5M${x + 20} ${y + 44}h5M${x + 31} ${y + 44}h5M${x + 9} ${y + 54}h3M${x + 17} ${y + 54}h3M${x + 25} ${y + 54}h3M${x + 33} ${y + 54}h3`, C.ink, 1.8);
/** A framed certificate. */
export const certificate = (x, y, scale = 1) => at(x, y, box(-22, -16, 44, 32, WOOD, 1) + box(-19, -13, 38, 26, C.paper, 0) + line('M-8-8h16', C.teal, 2.4) + line('M-13-2h26M-10 3h16', C.mist, 1.2) + dot(11, 8, 3.6, C.champaca), scale);
/** X-ray film with ribs on a lit screen. */
export const film = (x, y, scale = 1) => at(x, y, box(0, 0, 50, 60, C.night, 2) + line('M25 8v44', C.pale, 3) + line('M23 14c-12-3-16 2-16 9M23 24c-12-3-16 2-16 9M23 34c-11-2-15 3-15 8M27 14c12-3 16 2 16 9M27 24c12-3 16 2 16 9M27 34c11-2 15 3 15 8', C.mist, 2), scale);
export const pot = (x, scale = 1) => potted(x, FLOOR - 12, scale);
export const flowerOnWall = (x, y) => picturedFlower(x, y, 0.62);
export const hand = (x, y, skin) => dot(x, y, 3.4, SKIN[skin]);
export const steps = (x, count, width = 24, height = 14) => fill(`M${x} ${FLOOR + 16}${Array.from({ length: count }, () => `v${-height}h${width}`).join('')}V${FLOOR + 16}z`, mix(C.granite, C.cream, 0.5)) + many(Array.from({ length: count }, (_, index) => [x + index * width, FLOOR + 16 - height * (index + 1)]), (sx, sy) => box(sx - 2, sy, width + 2, 3, mix(C.granite, C.cream, 0.3), 0)); // prettier-ignore
