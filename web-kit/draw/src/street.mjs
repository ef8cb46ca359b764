/**
 * Things that stand in a street of Jayanagar. Measures are those of people 135 units high; (x, y) is on the ground,
 * at the left end unless said otherwise. Vehicles face right, as they pass the hospital's side; a negative scale turns
 * them.
 */
import { PALETTE as C, mix } from './palette.mjs';
import { jasmineStrings, leaves } from './plants.mjs';
import { at, box, dot, fill, line, oval } from './svg.mjs';

const dark = (colour, share = 0.25) => mix(colour, C.ink, share);
const lighter = (colour, share = 0.35) => mix(colour, C.paper, share);
const ASPHALT = mix(C.slate, C.granite, 0.45);
const SLAB = mix(C.stone, C.granite, 0.25);
const GLASS = mix(C.pale, C.air, 0.4);

/** Shadow on the ground, below a thing that is `width` wide. */
export const shadow = (x, y, width, colour = dark(ASPHALT, 0.3)) =>
  oval(x + width / 2 + 4, y, width / 2, Math.max(3, width * 0.03), colour);

/** Pavement of slabs, granite kerb and road, from `x` over `width`; the kerb's top is at `y`. */
export function kerb(x, y, width, { pavement = 40, road = 64, step = 52 } = {}) {
  const joints = (middle, height, colour, shift) =>
    `<path d="M${x + shift} ${middle}h${width}" stroke="${colour}" stroke-width="${height}" stroke-dasharray="2 ${step - 2}"/>`;
  return (
    box(x, y - pavement, width, pavement, SLAB, 0) + joints(y - pavement / 2, pavement, dark(SLAB, 0.12), 30) + box(x, y - Math.round(pavement * 0.45), width, 2, dark(SLAB, 0.12), 0) +
    box(x, y, width, 14, C.granite, 0) + box(x, y, width, 4, lighter(C.granite, 0.5), 0) + joints(y + 7, 14, dark(C.granite), 12) +
    box(x, y + 14, width, road, ASPHALT, 0) + box(x, y + 14, width, 5, dark(ASPHALT, 0.3), 0)
  ); // prettier-ignore
}

const wheel = (x, r) => dot(x, -r, r, C.ink) + dot(x, -r, r * 0.5, C.grey) + dot(x, -r, r * 0.2, C.slate);

/** An auto rickshaw, 216 long and 146 high. `riders` are drawn in the seat. */
export const auto = (x, y, scale = 1, riders = '') =>
  at(x, y,
    shadow(6, 0, 204) +
    fill('M58-128h96l22 50-28 44H66z', dark(C.slate, 0.6)) + fill('M66-74c0-10 30-10 32 0l2 36H66z', C.bark) + fill('M66-100q16-4 20 4l4 26H66z', dark(C.bark)) + riders +
    line('M140-62l12-24M146-80l12 4', C.ink, 4) +
    fill('M152-128l18 2 24 50-4 4h-30z', GLASS) + fill('M160-110l6 0 14 34h-8z', C.paper) +
    fill('M4-30L1-76h58l8 36h64l16-38h44c10 8 18 24 20 42l2 12q0 6-6 6h-9a22 22 0 0 0-43 0H66a24 24 0 0 0-47 0h-9q-5 0-6-12z', C.autoGreen) +
    fill('M131-40l16-38h44c4 3 7 7 10 12h-42l-12 26z', lighter(C.autoGreen, 0.25)) + fill('M5-30l-1-12h64l1 12zM131-42h79l2 12h-82z', dark(C.autoGreen)) +
    fill('M0-74c-2-36 4-62 16-66 34-8 108-8 136-2 10 2 16 10 20 20l-9 4q-4-8-12-8H68q-6 0-6 8l-2 44z', C.auto) + fill('M8-122c2-8 4-14 8-18 34-8 108-8 136-2l8 4H60c-22 0-38 4-52 16z', lighter(C.auto)) + fill('M0-74l-1-12h62l-1 12z', dark(C.auto, 0.3)) +
    box(14, -116, 34, 24, GLASS, 5) + line('M150-127l28 53', C.ink, 4) + line('M66-122v48', dark(C.auto, 0.45), 4) +
    dot(205, -50, 8, C.cream) + dot(205, -50, 5, C.lamp) + box(-2, -54, 7, 12, C.gulmohar, 2) + box(16, -62, 30, 12, C.auto, 2) + line('M20-56h22', C.ink, 3) +
    fill('M160-56h30l4 16h-38z', dark(C.autoGreen, 0.1)) + at(42, 0, wheel(0, 21)) + at(184, 0, wheel(0, 20)) + fill('M162-34q4-16 22-16t26 16l-6 2q-8-10-20-10t-18 8z', dark(C.autoGreen, 0.35)),
  scale); // prettier-ignore

/** A city bus, 560 long and 262 high, with its front on the right; `people` sit behind the windows (y = -140). */
export function bus(x, y, scale = 1, { people = '', pane = dark(C.slate, 0.45) } = {}) {
  const panes = (middle, height, long, colour) =>
    `<path d="M30 ${middle}h${312 + long}" stroke="${colour}" stroke-width="${height}" stroke-dasharray="${long} ${78 - long}"/>`;
  return at(x, y,
    shadow(0, 0, 560) +
    fill('M0-34v-196q0-28 26-28h496q26 0 30 26l8 92v106z', C.bus) + fill('M0-232q2-26 26-26h496q26 0 30 26z', lighter(C.bus, 0.75)) +
    panes(-181, 66, 68, pane) + fill('M420-214h46v66h-46zM482-214h60l8 84h-68z', pane) + people + panes(-203, 22, 68, mix(dark(C.slate, 0.45), C.pale, 0.3)) + panes(-190, 3, 68, C.grey) + fill('M482-214h30l-18 84h-12z', mix(dark(C.slate, 0.45), C.pale, 0.3)) +
    box(0, -128, 560, 22, C.paper, 0) + box(0, -106, 560, 8, C.champaca, 0) + fill('M0-60h559v26H0z', dark(C.bus, 0.3)) +
    box(414, -250, 122, 26, C.ink, 5) + line('M426-244v14M436-244h8v7h-8v7h8M454-244v14M464-230v-14h8v14zM490-237h36', C.lamp, 3) +
    line('M0-80h556', dark(C.bus, 0.15), 3) + box(546, -82, 14, 22, C.lamp, 4) + box(0, -86, 7, 26, C.gulmohar, 2) + line('M556-196h14v34', C.ink, 5) +
    fill('M64-34a42 42 0 0 1 84 0zM408-34a42 42 0 0 1 84 0z', C.ink) + at(106, 0, wheel(0, 33)) + at(450, 0, wheel(0, 33)),
  scale); // prettier-ignore
}

/** A scooter on its stand, 136 long and 104 high. */
export const scooter = (x, y, scale = 1, colour = C.rose) =>
  at(x, y,
    shadow(6, 0, 124) + at(24, 0, wheel(0, 17)) + at(114, 0, wheel(0, 17)) + line('M60-14l-8 13', C.slate, 4) +
    fill('M2-34c2-24 24-32 54-30l4 28c10 6 22 6 28 0l10-46 12-4 10 50c8 6 12 14 12 22h-14c-2-12-18-16-24-6l-6 10H46c-4-18-26-26-44-8z', colour) + fill('M88-36l10-46 12-4 4 18-8 36z', lighter(colour, 0.3)) + fill('M2-34c2-24 24-32 54-30l1 8c-26-2-44 6-55 22z', lighter(colour, 0.3)) +
    fill('M10-66c14-8 38-6 50 2l-4 8H16z', C.ink) + line('M104-86l-10-8M100-84l6-12', C.ink, 4) + dot(112, -74, 5, C.lamp) + line('M98-94l-4-12', C.slate, 2.5) + dot(93, -108, 5, C.slate),
  scale); // prettier-ignore

/** A bicycle leaning on something, 140 long and 92 high. */
export const cycle = (x, y, scale = 1, colour = C.teal) =>
  at(x, y,
    `<path d="M6-30a26 26 0 1 0 52 0a26 26 0 1 0-52 0M86-30a26 26 0 1 0 52 0a26 26 0 1 0-52 0" fill="none" stroke="${C.ink}" stroke-width="4"/>` +
    line('M32-30v-24M32-30l18 16M112-30l-17-19M14-44l36 28M94-44l36 28M14-16l36-28M94-16l36-28', C.grey, 1.5) +
    line('M32-30l22-34h44l-34 36zM64-28L50-72M112-30L96-78', colour, 4) + line('M40-74h20M88-82h18q6 4 2 8', C.ink, 5) + line('M20-60h26M24-60v10', C.slate, 3) + dot(64, -28, 6, C.slate),
  scale); // prettier-ignore

/** A street lamp, 330 high, its arm to the right. */
export const streetLamp = (x, y, scale = 1, lit = false) =>
  at(
    x,
    y,
    line('M0 0v-300q0-22 22-22h34', C.slate, 6) +
      box(-7, -22, 14, 22, dark(C.slate), 3) +
      fill('M48-328h40q8 0 8 8H48z', dark(C.slate)) +
      fill('M52-320h42l-4 7H56z', lit ? C.lamp : C.paper),
    scale,
  );

/** A low compound wall with a granite foot, a coping and a grille, 96 high. */
export const wall = (x, y, width, colour = C.paper) =>
  `<path d="M${x + 4} ${y - 77}h${width - 4}" stroke="${C.deep}" stroke-width="30" stroke-dasharray="3 10"/>` + box(x, y - 90, width, 4, C.deep, 0) +
  box(x, y - 58, width, 58, mix(colour, C.stone, 0.3), 0) + box(x, y - 64, width, 9, colour, 0) + box(x, y - 55, width, 4, mix(colour, C.granite, 0.55), 0) + box(x, y - 18, width, 18, C.granite, 0) +
  `<path d="M${x + 20} ${y - 9}h${width - 20}" stroke="${mix(C.granite, C.paper, 0.3)}" stroke-width="18" stroke-dasharray="2 42"/>`; // prettier-ignore

/** Garlands and baskets under a parasol, 190 wide and 214 high; the seller sits at (62, 0). */
export function flowerStall(x, y, scale = 1, seller = '') {
  const basket = (bx, colour, second) =>
    fill(`M${bx - 25}-22h50l-8 22h-34z`, mix(C.bark, C.champaca, 0.35)) + line(`M${bx - 22}-15h44M${bx - 20}-8h40`, dark(C.bark), 1.5) +
    leaves(`M${bx - 22}-24h44M${bx - 15}-31h32`, colour, 11, 0, 9) + leaves(`M${bx - 17}-27h36M${bx - 8}-33h18`, second, 6, 0, 13); // prettier-ignore
  return at(x, y,
    shadow(0, 0, 190, dark(SLAB, 0.2)) + line('M96 0v-196', C.slate, 4) +
    line('M6-112h84', C.bark, 4) + jasmineStrings(12, -112, 66, [46, 60, 40, 56, 48]) + line('M20-110v38M52-110v42', C.marigold, 6) + line('M36-110v30', C.gulmohar, 6) + seller +
    basket(30, C.marigold, C.champaca) + basket(128, C.paper, mix(C.paper, C.sunlit, 0.25)) + basket(166, C.rose, lighter(C.rose, 0.4)) +
    fill('M-2-160q22-52 98-56 76 4 98 56-14-10-33 0-16-12-33 0-16-12-32 0-16-12-33 0-16-12-33 0-17-11-32 0z', C.gulmohar) +
    fill('M31-160q14-44 65-56-20 14-32 56-16-12-33 0zM96-216q18 14 32 56-16-12-32 0zM161-160q-14-44-65-56 76 4 98 56-14-10-33 0z', C.champaca) + fill('M161-160q-14-44-65-56 76 4 98 56-14-10-33 0z', dark(C.gulmohar, 0.2)) + dot(96, -217, 4, C.slate),
  scale); // prettier-ignore
}

/** A tea stall on wheels, 170 wide and 190 high; the owner stands behind it at (120, 0). */
export const teaStall = (x, y, scale = 1, owner = '') =>
  at(x, y,
    shadow(0, 0, 170, dark(SLAB, 0.2)) + line('M12-80v-92M158-80v-92', C.slate, 4) + owner +
    box(4, -86, 162, 62, C.sea, 3) + fill('M4-86h162v9H4z', C.pale) + fill('M130-77h36v53h-36z', dark(C.sea)) + line('M30-64h70M30-48h50', C.cream, 5) + at(36, 0, wheel(0, 16)) + at(134, 0, wheel(0, 16)) +
    fill('M24-88l4-30h30l4 30z', C.grey) + line('M28-118q15-14 30 0M62-108l12-8', C.slate, 4) + line('M40-128q-6-8 0-16t0-14', C.paper, 3) + fill('M84-88l-2-12h12l-2 12zM100-88l-2-12h12l-2 12z', C.light) + box(122, -104, 30, 16, GLASS, 3) + line('M128-96h18', C.marigold, 6) +
    fill('M-4-172l14-20h150l14 20z', C.champaca) + fill('M28-172l8-20h28l-4 20zM88-172v-20h28l4 20zM148-172l-8-20h20l14 20z', C.paper),
  scale); // prettier-ignore

/** A board on two posts; `words` are drawn in a field of `width` by 40 with its corner at (0, 0). */
export const nameBoard = (x, y, width, words = '', height = 96) =>
  at(
    x,
    y,
    line(`M12 0v${-height}M${width - 12} 0v${-height}`, C.slate, 5) +
      box(0, -height - 4, width, 44, C.teal, 4) +
      box(3, -height - 1, width - 6, 38, C.deep, 3) +
      at(0, -height - 2, words),
  );

/** A dog asleep, 50 long. */
export const dog = (x, y, scale = 1, coat = mix(C.champaca, C.bark, 0.5)) =>
  at(
    x,
    y,
    fill('M2 0c-6-18 16-26 30-20 10 4 12 12 10 20z', coat) +
      fill('M34-2c-2-10 4-18 12-16 6 2 10 8 12 12l-4 6H38z', mix(coat, C.paper, 0.25)) +
      fill('M38-14c-4-2-6 4-4 10l6-2z', dark(coat, 0.4)) +
      line('M2-2c-8 0-10-8-4-12', coat, 4) +
      line('M47-9l4 1', C.ink, 1.5) +
      dot(57, -5, 1.8, C.ink),
    scale,
  );
