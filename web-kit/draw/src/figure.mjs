/**
 * People, about 135 units high, feet at (x, y), seen in three-quarter view to the right; a negative scale mirrors them.
 * A look: `skin` 1 to 6, `hair` (black, brown, grey, white, henna), `style` (short, side, curly, thin, bun, braid, long,
 * bob, tail, pigtails, baby, hijab, turban, veil, cap; `cloth` colours the last four), `dress` (saree, kurta, shirt,
 * dhoti, scrubs, frock, shorts, coat with `over`), `colour`, `second` (border, blouse), `pallu`, `lower` (trousers),
 * `hands` [[x, y], [x, y]] of the near (left) and the far hand, `holding`, `mood` (smile, calm, worried, laugh,
 * asleep), `nod` (degrees), `lean` (degrees), `beard`, `moustache`, `spectacles`, `bindi`, `flowers`, `mask`; and the
 * variants `child`, `toddler`, `elder` (stoops), `stick`, `pregnant`.
 */
import { DRESS, shadeOf } from './dress.mjs';
import { headBack, headFront, toneOf } from './head.mjs';
import { HOLDING } from './holding.mjs';
import { between, joint, limb, path, stump } from './limbs.mjs';
import { PALETTE as C, mix } from './palette.mjs';
import { at, dot, fill, line, oval } from './svg.mjs';

const LIMB = { upper: 25, fore: 24, thigh: 31, shin: 31 };
const WOMEN = new Set(['bun', 'braid', 'long', 'bob', 'tail', 'pigtails', 'hijab', 'veil']);
const COLOURS = { saree: C.teal, kurta: C.sea, shirt: C.pale, dhoti: C.white, scrubs: C.sea, frock: C.champaca, shorts: C.white, coat: C.sea }; // prettier-ignore
/** Height and size of the head of the young, relative to an adult. */
const YOUNG = { child: [0.66, 1.34], toddler: [0.48, 1.66] };

function complete(look) {
  const woman = look.woman ?? (look.dress === 'saree' || look.dress === 'frock' || WOMEN.has(look.style));
  const dress = look.dress ?? (woman ? 'saree' : 'shirt');
  return { skin: 3, hair: look.elder ? 'grey' : 'black', style: woman ? 'bun' : undefined, ...look, woman, dress, colour: look.colour ?? COLOURS[dress] }; // prettier-ignore
}

/** The points of a body that leans by `lean` degrees. */
function bodyOf(look, hip, legs, seated) {
  const young = look.child || look.toddler;
  const lean = ((look.lean ?? 0) + (look.elder ? 7 : 0)) * (Math.PI / 180);
  const [sin, cos] = [Math.sin(lean), Math.cos(lean)];
  const p = (u, v) => [hip[0] + u * cos + v * sin, hip[1] + u * sin - v * cos];
  const [s, k, h] = young ? [10.5, 9, 9.4] : look.woman ? [11.4, 8.6, 10.8] : [13.6, 10.8, 10.6];
  return { p, s, k, h, hip, legs, seated, pregnant: look.pregnant };
}

function armOf(look, body, index, hand) {
  const side = index ? 1 : -1;
  const shoulder = body.p(side * (body.s - 2.4), 34);
  const forward = hand[0] - shoulder[0] > 3 && hand[1] - shoulder[1] < 38;
  const { middle, end } = joint(shoulder, hand, LIMB.upper, LIMB.fore, forward ? -1 : side);
  const skin = toneOf(look);
  const dress = DRESS[look.dress];
  const cloth = dress.sleeveColour?.(look) ?? look.colour;
  const colour = index ? shadeOf(cloth) : cloth;
  const tone = index ? mix(skin, C.brick, 0.12) : skin;
  const sleeve = look.sleeve ?? dress.sleeve;
  const wrist = between(middle, end, 0.86);
  const [wide, elbow] = look.woman ? [4.5, 3.6] : [5.2, 4.2];
  const covered =
    sleeve > 1
      ? limb([shoulder, middle, between(middle, end, sleeve - 1)], [wide + 0.7, elbow + 1, 4.2], colour)
      : stump(shoulder, between(shoulder, middle, sleeve), wide + 0.6, elbow + 1, colour);
  const bare = sleeve > 1 ? stump(between(middle, end, 0.6), wrist, 3, 2.6, tone) : limb([shoulder, middle, wrist], [wide - 0.6, elbow, 2.6], tone);
  const tip = between(middle, end, 1.06);
  return bare + stump(wrist, tip, 2.9, 3.1, tone) + covered;
} // prettier-ignore

function headOf(look, body, draw) {
  const [x, y] = body.p(look.elder ? 3.4 : 1.4, 56);
  const size = look.toddler ? YOUNG.toddler[1] : look.child ? YOUNG.child[1] : 1;
  const nod = (look.nod ?? 0) + (look.elder ? 2 : 0);
  const place = `translate(${path`${[x, y - (size - 1) * 8]}`})${nod ? ` rotate(${nod})` : ''}${size === 1 ? '' : ` scale(${size})`}`;
  const content = draw(look);
  return content ? `<g transform="${place}">${content}</g>` : '';
}

/** Draws a person from joints. */
function figure(x, y, given, scale, { hip, legs, lifts, seated, hands, farBehind, floor }) {
  const look = complete(given);
  const body = { ...bodyOf(look, hip, look.legs ?? legs, seated), lifts, floor };
  const dress = DRESS[look.dress];
  const skin = toneOf(look);
  const item = HOLDING[look.holding];
  const [near, far] = look.hands ?? item?.hands?.(body) ?? hands(body);
  const behind = look.farBehind ?? ((farBehind && !look.hands && !item?.hands) || far[0] > hip[0] + 9);
  const farArm = armOf(look, body, 1, far);
  const drawn = [
    dress.back?.(body, look) ?? '',
    headOf(look, body, headBack),
    behind ? farArm : '',
    floor ? folded(look) : dress.lower(body, look, skin),
    dress.upper(body, look, skin),
    stump(body.p(0.4, 40), body.p(1.2, 47), 3.6, 3.4, mix(skin, C.brick, 0.22)),
    headOf(look, body, headFront),
    behind ? '' : farArm,
    look.holding && item.under ? item.draw(near, far, look) : '',
    armOf(look, body, 0, near),
    look.holding && !item.under ? item.draw(near, far, look) : '',
    look.stick ? HOLDING.stick.draw(near, far) : '',
  ].join('');
  const young = YOUNG[look.toddler ? 'toddler' : look.child ? 'child' : ''];
  return at(x, y, drawn, scale * (young?.[0] ?? 1));
}

/** Legs of a figure that sits cross-legged. */
function folded(look) {
  const colour = look.dress === 'saree' || look.dress === 'frock' ? look.colour : (look.lower ?? C.slate);
  return (
    fill('M-10-16C-24-15-31-8-30-3-29 1-20 1-8 1H20C29 1 33-1 32-4 31-9 22-15 10-16z', colour) +
    line('M-24-3.4C-10-8 4-2 18-2.4', shadeOf(colour), 1.4) + oval(21, -2.4, 6, 3, toneOf(look))
  );
} // prettier-ignore

const leg = (hip, knee, foot) => [hip, knee, foot];

/** A standing figure. */
export function standing(x, y, look = {}, scale = 1) {
  const hip = [0, -66];
  return figure(x, y, look, scale, {
    hip,
    legs: [leg([4.6, -64], [6.4, -34], [6.6, 0]), leg([-4.2, -64], [-4.6, -34], [-6, 0])],
    hands: ({ p, s }) => [look.stick ? [p(0, 0)[0] + 20, -62] : [p(-s - 2, 0)[0], -51.6], [p(s + 3, 0)[0], -51.6]],
  });
}

/** A walking figure, to the right. */
export function walking(x, y, look = {}, scale = 1) {
  return figure(x, y, { lean: 3, ...look }, scale, {
    hip: [0, -64.5],
    legs: [leg([3.6, -63], [2, -34], [-13, -2]), leg([-2.6, -63], [8.6, -35], [13, 0])],
    lifts: [24, -8],
    farBehind: true,
    hands: ({ p, s }) => [look.stick ? [24, -62] : [p(-s + 1, 0)[0] + 15, -55], [p(s, 0)[0] - 27, -55]],
  });
}

/** A figure seated 42 units above the ground, facing right. */
export function seated(x, y, look = {}, scale = 1) {
  return figure(x, y, look, scale, {
    hip: [0, -48],
    legs: [leg([2, -48], [31, -48], [36, 0]), leg([-2, -47], [27, -47], [27, 0])],
    seated: true,
    hands: () => [[20, -54], [26, -56]],
  });
} // prettier-ignore

/** A figure cross-legged on the ground, turned to the right. */
export const crossLegged = (x, y, look = {}, scale = 1) =>
  figure(x, y, look, scale, {
    hip: [0, -10],
    legs: [],
    seated: true,
    floor: true,
    hands: () => [
      [15, -14],
      [20, -14],
    ],
  });

/** A figure on its knees, turned to the right. */
export const kneeling = (x, y, look = {}, scale = 1) =>
  figure(x, y, look, scale, {
    hip: [0, -34],
    legs: [leg([3, -33], [17, -6], [-13, -3]), leg([-2, -33], [12, -6], [-18, -3])],
    lifts: [62, 62],
    seated: true,
    hands: () => [
      [19, -34],
      [24, -34],
    ],
  });

/** A figure on its back, head to the left, at (x, y). */
export const lying = (x, y, look = {}, scale = 1) =>
  `<g transform="translate(${x} ${y}) rotate(-90)">${standing(0, 0, look, scale)}</g>`;

/** A seated figure in a wheelchair. */
export const wheelchair = (x, y, look = {}, scale = 1) =>
  at(x, y, line('M-16-84L-14-40H26M-16-84h-8', C.slate, 3) + line('M26-40L34-10h12', C.slate, 2.6) + at(0, -7, seated(0, 0, look)) +
    dot(36, -5, 5, C.ink) + dot(36, -5, 2, C.pale) + `<circle cx="-2" cy="-22" r="21" fill="none" stroke="${C.ink}" stroke-width="3"/>` +
    line('M-2-43V-1M-23-22H19M-17-37L13-7M13-37L-17-7', C.granite, 0.8) + dot(-2, -22, 3, C.slate), scale); // prettier-ignore
