/** Things on tables and shelves. (x, y) is the middle of the foot unless said otherwise. */
import { PALETTE as C, mix } from './palette.mjs';
import { at, box, dot, fill, line, many, oval, turn } from './svg.mjs';

const dark = (colour, share = 0.25) => mix(colour, C.ink, share);
const GLASS = mix(C.air, C.white, 0.35);
const METAL = mix(C.grey, C.granite, 0.35);

/** A microscope, 96 high, its eyepiece to the left. */
export const microscope = (x, y, scale = 1) =>
  at(
    x,
    y,
    fill('M-32-6q0-4 4-4h58q6 0 6 5v5h-68z', C.teal) +
      line('M18-10c22-12 24-50-2-62', C.teal, 9) +
      line('M22-14c18-14 18-42 0-54', dark(C.teal, 0.3), 3) +
      box(-28, -34, 46, 6, C.slate, 2) +
      box(-14, -38, 18, 4, C.pale, 1) +
      turn(
        4,
        -66,
        -26,
        box(-9, -30, 18, 40, C.paper, 4) +
          fill('M2-30h7v40H2z', mix(C.paper, C.stone, 0.6)) +
          box(-6, -44, 12, 15, C.ink, 3) +
          box(-6, 9, 12, 12, METAL, 2),
      ) +
      dot(19, -40, 7, C.slate) +
      dot(19, -40, 3, C.mist),
    scale,
  );

/** A rack of tubes, 92 wide and 46 high. */
export const tubes = (x, y, scale = 1, colours = [C.gulmohar, C.champaca, C.gulmohar, C.sea, C.light]) =>
  at(
    x,
    y,
    colours
      .map(
        (colour, index) =>
          box(-38 + index * 17, -46, 10, 40, GLASS, 5) +
          fill(`M${-38 + index * 17}-${24 + (index % 3) * 4}h10v${13 + (index % 3) * 4}a5 5 0 0 1-10 0z`, colour) +
          box(-39 + index * 17, -49, 12, 6, index % 2 ? C.teal : C.slate, 2),
      )
      .join('') +
      box(-46, -26, 92, 7, mix(C.bark, C.champaca, 0.45), 2) +
      box(-46, -7, 92, 7, mix(C.bark, C.champaca, 0.35), 2) +
      line('M-43-26v20M43-26v20', mix(C.bark, C.champaca, 0.35), 5),
    scale,
  );

/** A bottle with a label. */
export const bottle = (x, y, colour, height = 40, width = 20) =>
  box(x - width / 2, y - height, width, height, colour, 4) +
  fill(
    `M${x + width * 0.2} ${y - height + 2}h${width * 0.3 - 2}v${height - 4}h${2 - width * 0.3}z`,
    dark(colour, 0.18),
  ) +
  box(x - width / 4, y - height - 9, width / 2, 10, C.slate, 2) +
  box(x - width / 2, y - height * 0.62, width, height * 0.34, C.paper, 0);

/** A flask with something in it, 60 high. */
export const flask = (x, y, scale = 1, colour = C.champaca) =>
  at(
    x,
    y,
    fill('M-7-58H7v20L24-6q2 6-4 6h-40q-6 0-4-6l17-32z', GLASS) +
      fill('M-15-22h30L24-6q2 6-4 6h-40q-6 0-4-6z', colour) +
      fill('M4-22h11L24-6q2 6-4 6H8q4-10-4-22z', dark(colour, 0.16)) +
      line('M-10-58h20', C.slate, 4) +
      dot(-5, -10, 3, C.cream),
    scale,
  );

/** A steel tumbler of coffee in its bowl, with steam, as at every table of Bengaluru; 40 high without the steam. */
export const coffee = (x, y, scale = 1) =>
  at(
    x,
    y,
    fill('M-20-14h40l-5 14h-30z', METAL) +
      fill('M6-14h14l-5 14H5z', dark(METAL, 0.25)) +
      fill('M-15-40h30l-3 28h-24z', C.grey) +
      fill('M5-40h10l-3 28H4z', dark(C.grey, 0.3)) +
      oval(0, -39, 14, 4, mix(C.bark, C.cream, 0.35)) +
      line('M-18-40h36M-22-14h44', mix(C.grey, C.white, 0.4), 3) +
      line('M-5-50q-5-6 0-12t0-12M6-52q-4-5 0-10t0-10', mix(C.white, C.mist, 0.35), 2.5),
    scale,
  );

/** A clipboard from its upper left corner, 84 by 108, with ticks. */
export const clipboard = (x, y, scale = 1) =>
  at(
    x,
    y,
    box(0, 0, 84, 108, mix(C.bark, C.champaca, 0.35), 5) +
      box(7, 10, 70, 92, C.white, 2) +
      fill('M62 10h15v92H48q14-40 14-92z', mix(C.white, C.stone, 0.2)) +
      line('M34 36h34M34 58h28M34 80h32', C.pale, 5) +
      line('M15 34l4 5 8-9M15 56l4 5 8-9M15 78l4 5 8-9', C.leaf, 3.5) +
      box(24, -5, 36, 15, C.slate, 4) +
      dot(42, 1, 3, C.paper),
    scale,
  );

/** A stethoscope lying open, about 100 wide. */
export const stethoscope = (x, y, scale = 1) =>
  at(
    x,
    y,
    line('M-44-30c0 40 34 40 34 6v-10M-44-30l6-8M-10-34l-6-8', METAL, 4) +
      line('M-28 0c0 44 64 40 64 4', C.deep, 5.5) +
      dot(36, -6, 14, METAL) +
      dot(36, -6, 9, C.paper) +
      dot(36, -6, 4, C.pale),
    scale,
  );

/** A syringe with its point to the left. */
export const syringe = (x, y, degrees = 0, scale = 1) =>
  turn(
    x,
    y,
    degrees,
    at(
      0,
      0,
      line('M-52 0h-26', METAL, 2.5) +
        box(-46, -10, 84, 20, GLASS, 4) +
        box(-42, -6, 48, 12, C.light, 2) +
        line('M8 0h58M66-12v24M38-14v28', C.teal, 5) +
        line('M-26-9v7M-10-9v7M6-9v7', C.mist, 2),
      scale,
    ),
  );

/** A dial of blood pressure or a monitor's heart. */
export const heart = (x, y, scale = 1, colour = C.gulmohar) =>
  at(
    x,
    y,
    fill('M0 32C-48 0-38-36-16-36-7-36 0-29 0-24 0-29 7-36 16-36 38-36 48 0 0 32z', colour) +
      fill('M0 32c34-23 40-48 32-60 12 12 10 36-32 60z', dark(colour, 0.2)) +
      line('M-27-12q0-11 9-13', mix(colour, C.cream, 0.5), 4),
    scale,
  );

/** A box for first aid, 150 wide and 112 high. */
export const firstAid = (x, y, scale = 1) =>
  at(
    x,
    y,
    line('M-28-96v-12q0-10 10-10h36q10 0 10 10v12', C.slate, 8) +
      box(-75, -98, 150, 98, C.teal, 12) +
      fill('M47-98h16q12 0 12 12v74q0 12-12 12H47z', dark(C.teal)) +
      box(-75, -64, 150, 5, C.deep, 0) +
      dot(0, -48, 33, C.paper) +
      line('M-17-48h34M0-65v34', C.leaf, 11) +
      box(-52, -68, 16, 13, METAL, 3) +
      box(36, -68, 16, 13, METAL, 3),
    scale,
  );

/** A roll of bandage on its side, 44 across. */
export const bandage = (x, y, scale = 1) =>
  at(
    x,
    y,
    fill('M0 0h62q4 0 2-7l-28-4z', C.paper) +
      dot(0, -22, 22, C.cream) +
      dot(0, -22, 16, mix(C.cream, C.stone, 0.35)) +
      dot(0, -22, 11, C.cream) +
      dot(0, -22, 4, mix(C.stone, C.bark, 0.2)),
    scale,
  );

/** A sheet of paper from its corner with lines of writing. */
export const paper = (x, y, width = 60, height = 76, rows = 4) =>
  box(x, y, width, height, C.white, 2) +
  line(
    Array.from(
      { length: rows },
      (_, index) => `M${x + 9} ${y + 14 + index * 13}h${index % 3 === 2 ? width - 32 : width - 18}`,
    ).join(''),
    C.pale,
    4,
  );

/** A jug and a tumbler for a bedside. */
export const jug = (x, y, scale = 1) =>
  at(
    x,
    y,
    fill('M-16-40h26l8-8-4 12q4 8 4 18l-2 18h-32l-2-18q0-12 2-22z', GLASS) +
      fill('M-18-22h36l-2 22h-32z', C.pale) +
      line('M-16-34q-14 2-12 14t10 8', GLASS, 4) +
      many([[32, 0]], (gx) => fill(`M${gx - 9}-24h18l-2 24h-14z`, GLASS) + fill(`M${gx - 8}-14h16l-1 14h-14z`, C.pale)),
    scale,
  );
