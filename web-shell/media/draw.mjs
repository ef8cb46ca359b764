/**
 * Draws the street above the footer: `node web-shell/media/draw.mjs`. A test draws it again and compares.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PALETTE, mix } from '@hospital/draw/palette';
import { at, box, dot, fill, line, many, oval, picture } from '@hospital/draw/svg';

/** In units of the drawing, which are CSS pixels at its usual height. The middle 360 are seen on a phone. */
const [WIDTH, HEIGHT] = [1600, 120];
const {
  air,
  auto,
  autoGreen,
  bark,
  brick,
  bus,
  champaca,
  cream,
  deep,
  granite,
  gulmohar,
  ink,
  leaf,
  light,
  pale,
  sea,
} = PALETTE;
const { stone, sunlit, teal, white } = PALETTE;

const gulmoharTree = (x, scale) =>
  at(
    x,
    HEIGHT,
    line('M0 0C0-22-3-30-12-44M0-20C2-32 8-38 16-46', bark, 5) +
      oval(-18, -54, 26, 16, leaf) +
      oval(16, -58, 30, 18, leaf) +
      many([[-30, -60], [-14, -66], [2, -60], [14, -72], [28, -64], [38, -56], [-6, -50], [22, -52]], (a, b) =>
        oval(a, b, 7, 4.5, gulmohar),
      ),
    scale,
  ); // prettier-ignore
const sampige = (x, scale) =>
  at(
    x,
    HEIGHT,
    line('M0 0V-40', bark, 4) +
      oval(0, -58, 19, 30, leaf) +
      oval(-5, -66, 9, 15, sunlit) +
      many([[-9, -50], [6, -44], [10, -64], [-3, -78], [1, -58]], (a, b) => dot(a, b, 2.6, champaca)),
    scale,
  ); // prettier-ignore
const palm = (x, scale) =>
  at(
    x,
    HEIGHT,
    line('M0 0C-2-30 4-56 2-84', bark, 4) +
      many([[-26, -72], [-22, -94], [4, -106], [28, -94], [30, -74]], (a, b) =>
        line(`M2-84Q${a / 2} ${b - 4} ${a} ${b}`, leaf, 4),
      ),
    scale,
  ); // prettier-ignore
const windows = (places) => many(places, (x, y, lit) => box(x, y, 9, 12, lit ? light : deep, 1));
const house = (x, width, height, wall, roof, lit = []) =>
  box(x, HEIGHT - height, width, height, wall, 0) +
  fill(`M${x - 5} ${HEIGHT - height}H${x + width + 5}L${x + width - 8} ${HEIGHT - height - 15}H${x + 8}Z`, roof) +
  windows(lit.map((isLit, index) => [x + 10 + index * 18, HEIGHT - height + 12, isLit])) +
  box(x + width / 2 - 6, HEIGHT - 22, 12, 22, bark, 1);
const flats = (x, width, height, wall, floors) =>
  box(x, HEIGHT - height, width, height, wall, 0) +
  box(x + width - 26, HEIGHT - height - 12, 18, 12, granite, 2) +
  many(floors, (y, ...lit) => windows(lit.map((isLit, index) => [x + 9 + index * 17, HEIGHT - height + y, isLit])));
const wheel = (x) => dot(x, -6, 6, ink) + dot(x, -6, 2.4, stone);
const rickshaw = (x) =>
  at(
    x,
    HEIGHT,
    fill('M0-8H46L44-22H30L26-36H6Q0-36 0-28Z', autoGreen) +
      fill('M2-26Q2-38 10-38H27L31-26Z', auto) +
      fill('M24-34H27L30-23H22Z', air) +
      wheel(9) +
      wheel(39),
  );
const cityBus = (x) =>
  at(
    x,
    HEIGHT,
    box(0, -46, 104, 40, bus, 6) +
      box(0, -22, 104, 5, white, 0) +
      many([[8], [26], [44], [62]], (a) => box(a, -40, 14, 12, air, 2)) +
      box(82, -40, 16, 34, air, 2) +
      wheel(20) +
      wheel(78),
  ); // prettier-ignore
const flowerSeller = (x) =>
  at(
    x,
    HEIGHT,
    line('M2 0V-44M50 0V-44', bark, 2.5) +
      fill('M-6-42H58L52-54H0Z', champaca) +
      many([[0], [16], [32]], (a) => fill(`M${a + 2}-42h8l-1 6h-6Z`, cream)) +
      box(0, -18, 52, 18, brick, 2) +
      many([[6, -20], [16, -22], [26, -20], [36, -22], [46, -20]], (a, b) => dot(a, b, 5, a % 4 ? gulmohar : champaca)),
  ); // prettier-ignore
const hospital = (x) =>
  at(
    x,
    HEIGHT,
    box(0, -86, 168, 86, mix(white, air, 0.6), 0) +
      box(0, -90, 168, 6, teal, 0) +
      box(60, -104, 48, 20, teal, 3) +
      many([0, 72, 144, 216, 288].map((turn) => [turn]), (turn) =>
        `<path d="M0-1C-3-3-3-7 0-9 3-7 3-3 0-1Z" fill="${champaca}" transform="translate(84 -94)rotate(${turn})"/>`,
      ) +
      many([[-76, 1, 0, 1, 0, 0, 1, 0, 1], [-54, 0, 1, 1, 0, 0, 1, 1, 0]], (y, ...lit) =>
        many(lit.map((isLit, index) => [12 + index * 19, isLit]), (a, isLit) =>
          box(a, y, 11, 14, isLit ? light : pale, 1),
        ),
      ) +
      box(62, -32, 44, 32, sea, 2) +
      box(66, -28, 17, 28, cream, 1) +
      box(85, -28, 17, 28, cream, 1) +
      fill('M52-34H116L110-42H58Z', teal),
  ); // prettier-ignore
const wall = (x, width) =>
  box(x, HEIGHT - 15, width, 15, mix(stone, white, 0.4), 0) + box(x, HEIGHT - 18, width, 4, granite, 1);
const lamp = (x) => at(x, HEIGHT, line('M0 0V-72Q0-80 8-80H14', granite, 2.5) + oval(15, -77, 5, 3, light));

export function street() {
  const back = [
    flats(40, 84, 92, mix(air, stone, 0.35), [[12, 0, 1, 0, 0], [34, 1, 0, 0, 1], [56, 0, 0, 1, 0]]),
    house(176, 78, 50, cream, brick, [1, 0, 0]),
    flats(330, 66, 78, mix(cream, stone, 0.3), [[10, 1, 0, 1], [32, 0, 0, 1]]),
    house(470, 84, 54, mix(brick, cream, 0.6), mix(brick, ink, 0.25), [0, 1, 1]),
    hospital(730),
    house(1010, 76, 48, mix(pale, cream, 0.5), brick, [1, 0, 1]),
    flats(1130, 84, 96, mix(cream, stone, 0.2), [[12, 1, 0, 1, 0], [36, 0, 0, 1, 1], [60, 0, 1, 0, 0]]),
    house(1290, 82, 52, cream, mix(brick, ink, 0.2), [0, 1, 0]),
    flats(1440, 100, 84, mix(air, stone, 0.25), [[12, 0, 1, 0, 0, 1], [36, 1, 0, 0, 1, 0]]),
  ]; // prettier-ignore
  const walls = [wall(0, 700), wall(925, 675)];
  const trees = [
    ...[[20, 0.9], [286, 1.15], [620, 1.2], [1112, 1], [1418, 1.15]].map(([x, scale]) => gulmoharTree(x, scale)),
    ...[[154, 0.9], [440, 1], [706, 0.95], [944, 1.05], [1246, 0.9], [1580, 1]].map(([x, scale]) => sampige(x, scale)),
    ...[[570, 1], [1396, 0.95]].map(([x, scale]) => palm(x, scale)),
  ]; // prettier-ignore
  const road = [lamp(232), lamp(676), lamp(1094), lamp(1540), cityBus(350), flowerSeller(640), rickshaw(972)];
  return picture(WIDTH, HEIGHT, [...back, ...walls, ...trees, ...road, rickshaw(1190), rickshaw(88)].join(''));
}

export const FILE = join(import.meta.dirname, 'street.svg');
if (process.argv[1] === import.meta.filename) writeFileSync(FILE, street());
