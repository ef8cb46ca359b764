/**
 * Plants of Jayanagar. All stand at (x, y); light comes from the upper left. Leaves and flowers are short strokes,
 * spread like seeds in a sunflower, so that a crown is detailed and still small.
 */
import { PALETTE as C, mix } from './palette.mjs';
import { at, dot, fill, line, many, oval } from './svg.mjs';

const DARK_LEAF = mix(C.leaf, C.ink, 0.3);
const GREY_LEAF = mix(C.leaf, C.bark, 0.3);
const LIT_LEAF = mix(C.leaf, C.sunlit, 0.55);
const WARM_LEAF = mix(C.sunlit, C.champaca, 0.28);

/** `count` places in an ellipse, evenly spread, with a little disorder. */
export function spread(count, x, y, rx, ry, seed = 1) {
  return Array.from({ length: count }, (_, index) => {
    const angle = (index + seed) * 2.39996;
    const far = Math.sqrt((index + 0.6) / count) * (1 + 0.08 * Math.sin(index * 7.3 + seed));
    return [x + rx * far * Math.cos(angle), y + ry * far * Math.sin(angle)];
  });
}
/** Short strokes at the places, all leaning by (dx, dy), every second one less. */
export const dabs = (places, dx, dy, colour, width) =>
  line(
    places
      .map(([x, y], index) => `M${Math.round(x)} ${Math.round(y)}l${index % 2 ? dx : Math.round(dx * 0.5)} ${dy}`)
      .join(''),
    colour,
    width,
  );

/** Leaves around an ellipse: round tufts, about `tuft` across, made by one dotted stroke. */
export const crown = (x, y, rx, ry, tuft, colour) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx - Math.round(tuft / 2)}" ry="${ry - Math.round(tuft / 2)}" fill="${colour}" stroke="${colour}" stroke-width="${tuft}" stroke-dasharray="0 ${Math.round(tuft * 0.84)}" stroke-linecap="round"/>`;
/** Leaves or petals along a path: strokes `long`, with gaps. */
export const leaves = (d, colour, width, long, gap) =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-dasharray="${long} ${gap}" stroke-linecap="round"/>`;

const shade = (rx, x = 14) => oval(x, 0, rx, rx * 0.09, mix(C.granite, C.slate, 0.3));

/** Sampige (champaca) in flower, 310 high: an upright crown of long leaves with golden flowers. */
export function sampige(x, y, scale = 1, shadow = true) {
  const flowers = [[-34, -240], [8, -270], [34, -216], [-58, -182], [-12, -206], [58, -164], [18, -168], [-68, -132], [-30, -146], [44, -116], [2, -114], [-46, -96], [70, -126], [22, -86]]; // prettier-ignore
  const each = (path) => flowers.map(([fx, fy]) => `M${fx} ${fy}${path}`).join('');
  return at(x, y,
    (shadow ? shade(64) : '') +
    fill('M-9 0c4-30 2-62 4-94h12c-1 30 1 64 6 94z', C.bark) + fill('M4 0c0-30-2-60-1-94h4c-1 30 1 64 6 94z', mix(C.bark, C.ink, 0.3)) +
    line('M0-60l-34-34M3-50l36-44', C.bark, 6) +
    crown(4, -150, 88, 86, 26, DARK_LEAF) + crown(6, -232, 58, 72, 22, DARK_LEAF) +
    crown(-8, -156, 76, 76, 24, C.leaf) + crown(-3, -234, 48, 64, 20, C.leaf) +
    crown(-28, -164, 48, 52, 18, LIT_LEAF) + crown(-13, -244, 32, 44, 15, LIT_LEAF) + crown(38, -194, 22, 24, 13, LIT_LEAF) +
    crown(-40, -178, 24, 28, 14, C.sunlit) + crown(-20, -256, 18, 22, 12, C.sunlit) +
    leaves('M-64-120q60 40 130-20M-60-166q50 40 120-14M-40-206q40 36 86-6M-26-248q30 24 60 0M-40-94q40 16 90 0M20-280q34 60 10 110M50-200q24 60-10 90', DARK_LEAF, 3, 6, 24) +
    leaves('M-66-150q10-50 50-60M-40-226q8-40 40-50M-56-190q20-24 46-12', WARM_LEAF, 3, 5, 17) +
    line(each('m-5-2l10 4m-7 3l4-10m3 6l-9 1'), C.champaca, 4) + line(each('h0'), C.cream, 4),
  scale); // prettier-ignore
}

/** Gulmohar in bloom, 250 high and 300 wide: a flat crown of feathery leaves under red blossom. */
export function gulmohar(x, y, scale = 1) {
  const red = mix(C.gulmohar, C.ink, 0.22);
  const glow = mix(C.gulmohar, C.champaca, 0.42);
  return at(x, y,
    shade(104) +
    line('M0-4c2-40-2-64 4-96M2-80c-10-34-40-44-66-66M3-92c10-30 44-38 76-64M4-100c0-22-6-36-12-64', C.bark, 11) +
    line('M6-4c3-40-1-64 5-96M16-116c14-16 36-24 58-40', mix(C.bark, C.ink, 0.3), 4) +
    crown(12, -164, 146, 40, 26, DARK_LEAF) + crown(-6, -174, 146, 44, 24, C.leaf) +
    leaves('M-130-160q130 60 260-8M-110-144q110 40 220-10M-60-128q60 16 130-4', LIT_LEAF, 3.5, 7, 20) +
    crown(54, -184, 92, 36, 20, red) + crown(28, -214, 76, 34, 18, red) +
    crown(-58, -184, 82, 34, 19, C.gulmohar) + crown(-6, -212, 82, 38, 18, C.gulmohar) + crown(70, -196, 52, 22, 14, C.gulmohar) +
    crown(-64, -196, 48, 20, 14, glow) + crown(-20, -230, 48, 20, 13, glow) +
    leaves('M-120-176q60 30 130 10t120-4M-50-206q60 26 130-2M-20-186q60 20 120-8', red, 4.5, 3, 24) + leaves('M-116-160q60 14 110 12t130-20M-70-146q60 20 130 0', C.gulmohar, 6, 3, 21) +
    leaves('M-108-196q40-20 80-4t60-30M-60-228q40-18 80 2M20-196q40-16 80 0', mix(glow, C.cream, 0.3), 3.5, 3, 19),
  scale); // prettier-ignore
}

/** Rain tree, 320 high and 420 wide: arching branches under a broad dome. */
export function rainTree(x, y, scale = 1) {
  return at(x, y,
    shade(130) +
    line('M0-6c4-44-6-72-2-104', C.bark, 20) +
    line('M-4-104c-12-46-62-54-112-98M-1-110c-2-46-22-66-30-104M2-108c14-46 66-56 118-92M2-108c6-40 24-62 40-104', C.bark, 9) + line('M7-6c3-40-3-68 0-100M10-120c20-36 60-46 104-78', mix(C.bark, C.ink, 0.3), 4) +
    crown(12, -216, 210, 60, 38, DARK_LEAF) + crown(20, -264, 146, 58, 34, DARK_LEAF) +
    crown(-18, -226, 190, 54, 34, C.leaf) + crown(-10, -270, 138, 54, 30, C.leaf) +
    crown(-86, -236, 108, 36, 28, LIT_LEAF) + crown(-30, -284, 96, 32, 26, LIT_LEAF) + crown(88, -250, 70, 24, 22, LIT_LEAF) +
    crown(-100, -248, 62, 20, 20, C.sunlit) + crown(-44, -294, 56, 18, 18, C.sunlit) +
    leaves('M-170-206q160 50 340-10M-60-236q100 40 220-10M-120-186q120 30 250 0M40-282q70 10 80 40', DARK_LEAF, 4, 8, 36) + leaves('M-180-236q40-40 110-36t110-36M-150-222q60-20 130 0', WARM_LEAF, 3.5, 6, 26),
  scale); // prettier-ignore
}

/** A coconut palm, 260 high. */
export const palm = (x, y, scale = 1, colour = C.leaf, trunk = C.bark) =>
  at(x, y,
    line('M0 0c10-80 0-140 12-204', trunk, 7) +
    fill('M12-206c-18-34-52-34-74-12 26-8 50-4 74 14zm0 0c-12-40 2-56 26-66-12 22-16 44-22 68zm0 0c20-34 54-30 72-8-26-8-46-2-70 12zm0 0c-34-8-60 10-66 38 20-22 42-30 66-34zm0 0c30-8 58 12 60 40-18-24-38-32-60-36z', colour),
  scale); // prettier-ignore

/** Strings of jasmine hanging from a bar of the given width: one stroke of beads for each string. */
export function jasmineStrings(x, y, width, lengths, colour = C.paper, bead = 5) {
  const step = width / Math.max(1, lengths.length - 1);
  const beads = lengths.map((length, index) => `M${Math.round(x + index * step)} ${y + 3}v${length}`).join('');
  return (
    `<path d="${beads}" fill="none" stroke="${colour}" stroke-width="${bead}" stroke-linecap="round" stroke-dasharray="0 ${bead}"/>` +
    `<path d="${beads}" fill="none" stroke="${mix(C.sunlit, C.paper, 0.4)}" stroke-width="${bead / 2}" stroke-linecap="round" stroke-dasharray="0 ${bead * 3}"/>`
  );
}

/** Tulsi in its square painted pot, 92 high. */
export const tulsi = (x, y, scale = 1) =>
  at(x, y,
    fill('M-20-6h40v6h-40zM-15-40h30l-3 34h-24zM-19-46h38v8h-38z', C.brick) + fill('M2-40h13l-3 34h-10zM4-46h15v8h-15zM10-6h10v6h-10z', mix(C.brick, C.ink, 0.28)) +
    line('M0-34l8 11-8 11-8-11zM0-23h0', C.cream, 2.5) + line('M0-46v-22M0-56l-9-9M0-54l10-9', GREY_LEAF, 2.5) +
    dabs(spread(22, 0, -70, 21, 20, 2), 4, -4, C.leaf, 5.5) + dabs(spread(13, -4, -74, 15, 14, 5), -3, -4, C.sunlit, 4) + line('M-4-90v-6M8-86l2-6M-14-82l-3-5', mix(C.rose, C.slate, 0.4), 2.5),
  scale); // prettier-ignore

/** A plant in a pot for rooms, 88 high. */
export const potted = (x, y, scale = 1, pot = C.brick) =>
  at(x, y,
    fill('M0-34c-6-26-26-32-34-44 24 0 34 16 35 34 0-24-6-36-2-50 12 14 12 30 8 50 4-20 14-30 30-34-4 22-14 34-26 46z', C.leaf) + fill('M0-34c-4-22-16-30-28-38 18 2 26 14 28 30zM4-40c4-16 12-24 24-28-6 16-12 24-24 32z', C.sunlit) +
    fill('M-22-36h44v9h-44zM-18-27h36l-5 27h-26z', pot) + fill('M6-36h16v9h-16zM4-27h14l-5 27h-9z', mix(pot, C.ink, 0.25)),
  scale); // prettier-ignore

/** Low shrubs along a bed or wall, `width` wide. */
export function shrubs(x, y, width, flowers = C.champaca) {
  const lobes = Math.max(2, Math.round(width / 34));
  const step = width / lobes;
  const mounds = Array.from({ length: lobes }, (_, index) => [
    x + step * (index + 0.5),
    step * (0.62 + 0.18 * Math.sin(index * 2.4 + x)),
  ]);
  const mound = (mx, r) =>
    `M${Math.round(mx - r)} ${y}a${Math.round(r)} ${Math.round(r)} 0 0 1 ${Math.round(2 * r)} 0z`;
  const places = mounds.flatMap(([mx, r], index) => spread(5, mx, y - r * 0.5, r * 0.7, r * 0.4, index));
  return (
    fill(mounds.map(([mx, r]) => mound(mx, r)).join(''), C.leaf) + fill(mounds.map(([mx, r]) => mound(mx - r * 0.2, r * 0.62)).join(''), C.sunlit) +
    line(places.map(([px, py]) => `M${Math.round(px)} ${Math.round(py)}h0`).join(''), flowers, 5)
  ); // prettier-ignore
}

/** One sampige flower seen from the front, 60 across, for close views. */
export function sampigeFlower(x, y, scale = 1) {
  const petal = 'M0-4C-9-12-8-24 0-31 8-24 9-12 0-4z';
  const petals = (angles, colour) =>
    angles.map((angle) => `<path d="${petal}" fill="${colour}" transform="rotate(${angle})"/>`).join('');
  return at(
    x,
    y,
    petals([0, 144, 288], C.champaca) + petals([72, 216], mix(C.champaca, C.marigold, 0.45)) + dot(0, 0, 4.5, C.cream),
    scale,
  );
}

/** Fallen flowers on the ground. */
export const fallen = (places) => many(places, (x, y) => line(`M${x - 3} ${y}l6 1M${x} ${y - 2}v3`, C.champaca, 3));
