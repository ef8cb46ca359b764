/** Geometry of figures: paths from points, limbs of two segments, and where an elbow bends. */
import { fill } from './svg.mjs';

const number = (value) => String(Math.round(value * 10) / 10);
const text = (value) => (Array.isArray(value) ? `${number(value[0])} ${number(value[1])}` : number(value));

/** Path data from a template; points are written with one decimal place. */
export const path = (strings, ...values) => strings.reduce((done, string, at) => done + text(values[at - 1]) + string);
export const between = ([ax, ay], [bx, by], share) => [ax + (bx - ax) * share, ay + (by - ay) * share];

/** A segment with round ends, `ra` and `rb` half as wide as its ends. */
function segment(a, b, ra, rb) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  const off = ([x, y], r) => [x - ((b[1] - a[1]) / length) * r, y + ((b[0] - a[0]) / length) * r];
  return path`M${off(a, ra)}L${off(b, rb)}A${rb} ${rb} 0 0 0 ${off(b, -rb)}L${off(a, -ra)}A${ra} ${ra} 0 0 0 ${off(a, ra)}z`;
}

/** A limb through three points, of three half widths. */
export const limb = ([a, b, c], [ra, rb, rc], colour) => fill(segment(a, b, ra, rb) + segment(b, c, rb, rc), colour);
export const stump = (a, b, ra, rb, colour) => fill(segment(a, b, ra, rb), colour);

/**
 * The joint between `from` and `to` for segments of lengths `a` and `b`. Of the two possible joints, elbows choose the
 * lower one; those of a hanging arm the outer one (`side` -1 is left, 1 is right).
 */
export function joint(from, to, a, b, side) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const reach = Math.hypot(dx, dy) || 1;
  const distance = Math.min(reach, a + b - 0.2);
  const along = (a * a - b * b + distance * distance) / (2 * distance);
  const off = Math.sqrt(Math.max(0, a * a - along * along));
  const [ux, uy] = [dx / reach, dy / reach];
  const middle = [from[0] + ux * along, from[1] + uy * along];
  const [one, two] = [1, -1].map((sign) => [middle[0] - uy * off * sign, middle[1] + ux * off * sign]);
  const score = ([x, y]) => y + 0.7 * side * x;
  const end = [from[0] + ux * distance, from[1] + uy * distance];
  return { middle: score(one) > score(two) ? one : two, end };
}
