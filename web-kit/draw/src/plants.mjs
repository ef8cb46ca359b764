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
  line(places.map(([x, y], index) => `M${Math.round(x)} ${Math.round(y)}l${index % 2 ? dx : Math.round(dx * 0.5)} ${dy}`).join(''), colour, width);

/** A leafy outline around an ellipse: round tufts of unequal size, about `tuft` across. */
export function crown(x, y, rx, ry, tuft, seed = 0) {
  const count = Math.max(5, Math.round((Math.PI * (rx + ry)) / tuft));
  const points = Array.from({ length: count }, (_, index) => {
    const angle = ((index + 0.3 * Math.sin(index * 5.1 + seed * 9)) / count) * 2 * Math.PI + seed;
    const far = 0.95 + 0.07 * Math.sin(index * 2.7 + seed * 5);
    return [Math.round(x + rx * far * Math.cos(angle)), Math.round(y + ry * far * Math.sin(angle))];
  });
  const arcs = points.map((from, index) => {
    const to = points[(index + 1) % count];
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const r = Math.max(1, Math.round(Math.hypot(dx, dy) * 0.56));
    return `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  });
  return `M${points[0].join(' ')}${arcs.join('')}z`;
}

const shade = (rx, x = 14) => oval(x, 0, rx, rx * 0.09, mix(C.granite, C.slate, 0.3));

/** Sampige (champaca) in flower, 300 high: an upright crown of long leaves with golden flowers. */
export function sampige(x, y, scale = 1, shadow = true) {
  const flowers = [
    [-34, -236], [8, -262], [36, -214], [-56, -180], [-10, -200], [58, -160], [20, -164], [-66, -128], [-30, -142], [44, -112],
    [2, -110], [-48, -92], [72, -118], [24, -84],
  ]; // prettier-ignore
  const star = (fx, fy) => `M${fx - 5} ${fy - 2}l10 4m-8 3l4-10m4 7l-9 1`;
  return at(x, y,
    (shadow ? shade(64) : '') +
    fill('M-9 0c4-30 2-62 4-94h12c-1 30 1 64 6 94z', C.bark) + fill('M4 0c0-30-2-60-1-94h4c-1 30 1 64 6 94z', mix(C.bark, C.ink, 0.3)) +
    line('M0-60l-34-34M3-50l36-44', C.bark, 6) +
    fill(crown(2, -150, 84, 82, 24, 0.2) + crown(4, -226, 54, 66, 20, 0.5), DARK_LEAF) +
    fill(crown(-8, -156, 74, 76, 22, 0.9) + crown(-4, -230, 46, 60, 19, 0.1), C.leaf) +
    fill(crown(-28, -164, 46, 50, 18, 0.7) + crown(-14, -240, 32, 42, 16, 0.2) + crown(34, -196, 22, 20, 13, 0.4), LIT_LEAF) +
    fill(crown(-40, -176, 24, 26, 14, 0.3) + crown(-20, -254, 18, 20, 12, 0.6), C.sunlit) +
    dabs(spread(34, 2, -166, 66, 96, 5), 3, 9, DARK_LEAF, 2.5) + dabs(spread(18, -34, -190, 34, 66, 2), -4, 8, WARM_LEAF, 2.5) +
    line(flowers.map(([fx, fy]) => star(fx, fy)).join(''), C.champaca, 4.5) + line(flowers.map(([fx, fy]) => `M${fx} ${fy}h0`).join(''), C.cream, 4.5),
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
    fill(crown(10, -164, 140, 36, 26, 0.3), DARK_LEAF) + fill(crown(-4, -174, 140, 42, 24, 0.7), C.leaf) +
    dabs(spread(40, 0, -158, 130, 30, 2), 9, 3, LIT_LEAF, 3) +
    fill(crown(46, -184, 88, 34, 19, 0.4) + crown(24, -212, 70, 32, 18, 0.9), red) +
    fill(crown(-58, -184, 76, 30, 18, 0.6) + crown(-8, -212, 76, 34, 18, 0.3) + crown(66, -196, 48, 20, 14, 0.2), C.gulmohar) +
    fill(crown(-66, -194, 44, 16, 13, 0.3) + crown(-22, -228, 46, 18, 13, 0.5), glow) +
    dabs(spread(34, 20, -180, 124, 40, 4), 5, 2, red, 4) + dabs(spread(22, 70, -176, 70, 30, 7), 5, -2, C.gulmohar, 5) +
    dabs(spread(22, -36, -200, 96, 40, 9), 5, -2, mix(glow, C.cream, 0.25), 3.5) + dabs(spread(12, 0, -152, 118, 20, 3), 4, 2, C.gulmohar, 6),
  scale); // prettier-ignore
}

/** Rain tree, 320 high and 420 wide: arching branches under a broad dome. */
export function rainTree(x, y, scale = 1) {
  return at(x, y,
    shade(130) +
    line('M0-6c4-44-6-72-2-104', C.bark, 20) +
    line('M-4-104c-12-46-62-54-112-98M-1-110c-2-46-22-66-30-104M2-108c14-46 66-56 118-92M2-108c6-40 24-62 40-104', C.bark, 9) + line('M7-6c3-40-3-68 0-100M10-120c20-36 60-46 104-78', mix(C.bark, C.ink, 0.3), 4) +
    fill(crown(10, -216, 204, 56, 34, 0.2) + crown(20, -262, 140, 54, 30, 0.5), DARK_LEAF) +
    fill(crown(-18, -226, 186, 52, 32, 0.6) + crown(-10, -268, 134, 50, 28, 0.1), C.leaf) +
    fill(crown(-86, -236, 104, 34, 26, 0.4) + crown(-30, -282, 92, 30, 24, 0.2) + crown(84, -250, 66, 22, 20, 0.2), LIT_LEAF) +
    fill(crown(-100, -246, 60, 18, 18, 0.3) + crown(-44, -292, 54, 16, 17, 0.2), C.sunlit) +
    dabs(spread(44, 20, -224, 170, 52, 6), 8, 4, DARK_LEAF, 3) + dabs(spread(24, -80, -250, 100, 44, 3), 7, 4, WARM_LEAF, 3),
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
    line('M-9-24q9 8 18 0M0-32v3', C.cream, 2.5) + line('M0-46v-22M0-56l-9-9M0-54l10-9', GREY_LEAF, 2.5) +
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
  const mounds = Array.from({ length: lobes }, (_, index) => [x + step * (index + 0.5), step * (0.62 + 0.18 * Math.sin(index * 2.4 + x))]);
  const mound = (mx, r) => `M${Math.round(mx - r)} ${y}a${Math.round(r)} ${Math.round(r)} 0 0 1 ${Math.round(2 * r)} 0z`;
  const places = mounds.flatMap(([mx, r], index) => spread(5, mx, y - r * 0.5, r * 0.7, r * 0.4, index));
  return (
    fill(mounds.map(([mx, r]) => mound(mx, r)).join(''), C.leaf) + fill(mounds.map(([mx, r]) => mound(mx - r * 0.2, r * 0.62)).join(''), C.sunlit) +
    line(places.map(([px, py]) => `M${Math.round(px)} ${Math.round(py)}h0`).join(''), flowers, 5)
  ); // prettier-ignore
}

/** One sampige flower seen from the front, 60 across, for close views. */
export function sampigeFlower(x, y, scale = 1) {
  const petal = 'M0-4C-9-12-8-24 0-31 8-24 9-12 0-4z';
  const petals = (angles, colour) => angles.map((angle) => `<path d="${petal}" fill="${colour}" transform="rotate(${angle})"/>`).join('');
  return at(x, y, petals([0, 144, 288], C.champaca) + petals([72, 216], mix(C.champaca, C.marigold, 0.45)) + dot(0, 0, 4.5, C.cream), scale);
}

/** Fallen flowers on the ground. */
export const fallen = (places) => many(places, (x, y) => line(`M${x - 3} ${y}l6 1M${x} ${y - 2}v3`, C.champaca, 3));
