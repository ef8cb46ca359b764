/**
 * Clothes of figures. A body gives points: `p(u, v)` is the point `u` right of the spine and `v` above the hips; `legs`
 * are hip, knee and foot of the far and of the near leg; `s`, `k` and `h` are half the widths of shoulders, waist and
 * hips. Clothes come in layers: `back` behind the body, `lower` and `upper` over it. `sleeve` is the covered share of
 * the arm, from 0 to 2 (1 is the elbow).
 */
import { between, limb, path } from './limbs.mjs';
import { PALETTE as C, mix } from './palette.mjs';
import { dot, fill, line } from './svg.mjs';

export const shadeOf = (colour) => mix(colour, C.ink, 0.16);
const lightOf = (colour) => mix(colour, C.white, 0.35);

/** A shoe with its sole at the ground, pointing right. */
export const shoe = (foot, colour, turned = 0) =>
  `<g transform="translate(${path`${foot}`})${turned ? ` rotate(${turned})` : ''}">${fill('M-4.2-5.4C-2-6.4 1-6.4 2.6-5.4 4-3.2 7.6-3 9-1 9.6 0 9 .4 8.4.4H-4C-5-1-5-3.6-4.2-5.4z', colour)}</g>`;

/** Torso from the neck to `v` above the hips, `w` half as wide there. */
function torso({ p, s, k, pregnant }, v, w, colour) {
  const right = pregnant
    ? path`L${p(w, v)}C${p(k + 16, 0)} ${p(k + 18, 18)} ${p(s - 1, 27)}`
    : path`L${p(w, v)}C${p(w, 6)} ${p(k, 8)} ${p(k, 13)}C${p(k, 20)} ${p(s - 1, 26)} ${p(s, 32)}`;
  return fill(
    path`M${p(-3.6, 43)}C${p(-6, 39.6)} ${p(-s - 0.6, 39.6)} ${p(-s - 0.8, 31)}C${p(-s + 0.6, 26)} ${p(-k, 20)} ${p(-k, 13)}C${p(-k, 8)} ${p(-w, 6)} ${p(-w, v)}` +
      right +
      path`C${p(s + 0.6, 39.6)} ${p(7, 39.8)} ${p(4.2, 43)}C${p(2, 39)} ${p(-1.6, 39)} ${p(-3.6, 43)}z`,
    colour,
  );
}

/** Soft shade on the far side of a torso. */
const torsoShade = ({ p, s, k, pregnant }, v, w, colour) =>
  pregnant ? '' : fill(path`M${p(s, 34)}C${p(s, 26)} ${p(k, 20)} ${p(k, 13)}C${p(k, 8)} ${p(w, 6)} ${p(w, v)}L${p(w - 5, v)}C${p(w - 4, 10)} ${p(k - 3, 22)} ${p(s, 34)}z`, shadeOf(colour)); // prettier-ignore

/** Skirt from the waist to `length` (1 is the ground). */
function skirt(b, length, flare, colour) {
  const { p, k, h, legs, hip, seated, pregnant, floor } = b;
  if (floor) return '';
  if (seated) {
    const [, knee, foot] = legs[1];
    const end = between(knee, foot, length);
    const top = hip[1] - 8;
    return fill(
      path`M${p(-k, 13)}C${[hip[0] - h - 4, hip[1] - 4]} ${[hip[0] - h - 3, hip[1] + 9]} ${[hip[0] - h + 6, hip[1] + 9]}L${[knee[0] - 11, hip[1] + 9]}L${[end[0] - 10 - flare / 2, end[1]]}Q${[end[0], end[1] + 2.4]} ${[end[0] + 8 + flare, end[1] - 1]}L${[knee[0] + 8.6, knee[1] + 3]}C${[knee[0] + 8, top - 1]} ${[knee[0] + 1, top - 2]} ${[knee[0] - 6, top - 1]}L${p(k, 11)}z`,
      colour,
    );
  }
  const feet = legs.map(([, , foot]) => foot[0]);
  const y = hip[1] * (1 - length);
  const [left, right] = [Math.min(...feet) - flare, Math.max(...feet) + flare];
  const front = pregnant
    ? path`C${[right - 1, y * 0.4 - 20]} ${p(k + 15, -14)} ${p(k + 14, 5)}`
    : path`C${[right - 1, (y + hip[1]) / 2]} ${p(h + 3.4, 1)} ${p(k, 13)}`;
  const back = path`M${p(-k, 13)}C${p(-h - 3.4, 1)} ${[left + 1, (y + hip[1]) / 2]} ${[left, y]}Q${[(left + right) / 2, y + 3]} ${[right, y]}`;
  return fill(`${back}${front}z`, colour);
}

/** Folds of a skirt from the waist down. */
function folds({ legs, hip, seated, p }, length, colour) {
  if (seated) {
    const [, knee, foot] = legs[1];
    const end = between(knee, foot, length - 0.06);
    return line(path`M${[knee[0] + 3, knee[1] - 4]}Q${[knee[0] + 4, knee[1] + 12]} ${[end[0] + 4, end[1]]}M${[knee[0] - 4, knee[1] - 4]}Q${[knee[0] - 2, knee[1] + 12]} ${[end[0] - 4, end[1]]}`, colour, 0.9); // prettier-ignore
  }
  const y = hip[1] * (1 - length) - 3;
  const middle = (legs[0][2][0] + legs[1][2][0]) / 2;
  return line(path`M${p(2, 8)}Q${[middle + 3, hip[1] / 2]} ${[middle + 2, y]}M${p(4.5, 8)}Q${[middle + 7, hip[1] / 2]} ${[middle + 7.5, y]}M${p(-1, 8)}Q${[middle - 2, hip[1] / 2]} ${[middle - 4, y]}`, colour, 0.9); // prettier-ignore
}

/** The border along the hem of a skirt. */
function hem({ legs, seated, hip }, length, flare, colour) {
  if (seated) {
    const [, knee, foot] = legs[1];
    const end = between(knee, foot, length);
    return line(path`M${[end[0] - 9 - flare / 2, end[1] - 1.6]}Q${[end[0], end[1] + 0.6]} ${[end[0] + 7 + flare, end[1] - 2.6]}`, colour, 2.4); // prettier-ignore
  }
  const feet = legs.map(([, , foot]) => foot[0]);
  const y = hip[1] * (1 - length) - 2;
  const [left, right] = [Math.min(...feet) - flare + 1.2, Math.max(...feet) + flare - 1.2];
  return line(path`M${[left, y]}Q${[(left + right) / 2, y + 3]} ${[right, y]}`, colour, 2.6);
}

const trousers = ({ legs }, colour, wide = 0) =>
  legs.map(([hip, knee, foot], index) => limb([hip, knee, between(knee, foot, 0.8)], [7 + wide, 6 + wide, 5 + wide], index ? colour : shadeOf(colour))).join(''); // prettier-ignore

const shoes = ({ legs, lifts = [] }, colour) =>
  legs.map(([, , foot], index) => shoe(foot, colour, lifts[index])).join('');
const neckline = ({ p }, depth, skin, w = 4) =>
  fill(path`M${p(-w, 42.4)}L${p(1.2, 42.4 - depth)}L${p(w + 0.8, 42.4)}z`, skin);

/** A cloth over both shoulders (dupatta) or hanging behind (pallu). */
const hanging = ({ p, s, hip, seated }, colour) =>
  fill(path`M${p(s - 6, 42)}C${p(s + 4, 40)} ${p(s + 5, 24)} ${[p(s + 6, 0)[0], hip[1] + (seated ? 4 : 20)]}L${[p(s - 5, 0)[0], hip[1] + (seated ? 6 : 23)]}z`, colour); // prettier-ignore

const saree = {
  sleeve: 0.62,
  sleeveColour: (look) => look.second ?? lightOf(look.colour),
  back: (b, look) => hanging(b, shadeOf(look.pallu ?? look.colour)),
  lower: (b, look, skin) =>
    shoes(b, mix(skin, C.bark, 0.5)) + skirt(b, 0.965, 6.4, look.colour) + folds(b, 0.95, shadeOf(look.colour)) + hem(b, 0.965, 6.4, look.second ?? lightOf(look.colour)),
  upper: (b, look, skin) => {
    const { p, s, k } = b;
    const blouse = look.second ?? lightOf(look.colour);
    const cloth = look.pallu ?? look.colour;
    const out = b.pregnant ? 13 : 0;
    return (
      torso(b, 9, k + (b.pregnant ? 1 : 0), skin) + (b.pregnant ? torso(b, 4, k + 2, look.colour) : '') +
      fill(path`M${p(-3.6, 43)}C${p(-6, 39.6)} ${p(-s - 0.6, 39.6)} ${p(-s - 0.8, 31)}L${p(-k - 0.6, 20)}Q${p(0, 17)} ${p(k, 21)}L${p(s, 32)}C${p(s + 0.6, 39.6)} ${p(7, 39.8)} ${p(4.2, 43)}L${p(2, 36)}z`, blouse) +
      neckline(b, 8, skin) +
      fill(path`M${p(s - 9, 43)}C${p(s - 3, 41)} ${p(s + 1, 38.6)} ${p(s + 0.2, 32)}C${p(k + 2 + out, 24)} ${p(k + 2 + out, 14)} ${p(k + 1 + out, 7)}C${p(2, 4)} ${p(-k, 6)} ${p(-k - 1, 12)}C${p(-k - 1, 18)} ${p(-3, 30)} ${p(s - 9, 43)}z`, cloth) +
      line(path`M${p(s - 8.6, 42.6)}C${p(-2.6, 31)} ${p(-k, 20)} ${p(-k - 0.4, 12.4)}`, look.second ?? lightOf(cloth), 1.8) +
      line(path`M${p(s - 5, 41)}C${p(1, 30)} ${p(-3, 20)} ${p(-4, 9)}M${p(s - 1.6, 39)}C${p(5, 28)} ${p(3, 18)} ${p(3, 8)}`, shadeOf(cloth), 0.8)
    );
  },
}; // prettier-ignore

const kurta = {
  sleeve: 1.75,
  lower: (b, look, skin) => shoes(b, mix(skin, C.bark, 0.5)) + trousers(b, look.lower ?? lightOf(look.colour)),
  upper: (b, look, skin) =>
    skirt(b, look.woman === false ? 0.36 : 0.46, 3, look.colour) + torso(b, -2, b.h + 1, look.colour) + torsoShade(b, -2, b.h + 1, look.colour) + neckline(b, 6, skin) +
    (look.pallu ? dupatta(b, look.pallu) : line(path`M${b.p(1.4, 36)}L${b.p(1.8, 22)}`, look.second ?? lightOf(look.colour), 1.6)),
}; // prettier-ignore

const dupatta = ({ p, s }, colour) =>
  fill(path`M${p(-s + 4, 41.4)}C${p(-6, 26)} ${p(7, 24)} ${p(s - 3, 41)}L${p(s + 0.6, 37)}C${p(s - 3, 18)} ${p(-s + 2, 16)} ${p(-s - 1, 36)}z`, colour); // prettier-ignore

const shirt = {
  sleeve: 0.75,
  lower: (b, look) => shoes(b, look.shoes ?? C.ink) + trousers(b, look.lower ?? C.slate),
  upper: (b, look, skin) => {
    const { p, h } = b;
    return (
      torso(b, -4, h + 0.6, look.colour) + torsoShade(b, -4, h + 0.6, look.colour) + neckline(b, 7, skin) +
      line(path`M${p(-4, 42.4)}L${p(1.2, 35.4)}L${p(5, 42)}M${p(1.2, 35.4)}L${p(1, 0)}`, shadeOf(look.colour), 1)
    );
  },
}; // prettier-ignore

const dhoti = {
  ...shirt,
  lower: (b, look, skin) =>
    shoes(b, mix(skin, C.bark, 0.5)) + skirt(b, 0.92, 4, look.lower ?? C.paper) + folds(b, 0.9, shadeOf(look.lower ?? C.paper)) + hem(b, 0.92, 4, look.second ?? C.champaca),
}; // prettier-ignore

const scrubs = {
  sleeve: 0.8,
  lower: (b, look) => shoes(b, look.shoes ?? C.paper) + trousers(b, look.lower ?? shadeOf(look.colour), 0.6),
  upper: (b, look, skin) =>
    torso(b, -6, b.h + 1.4, look.colour) + torsoShade(b, -6, b.h + 1.4, look.colour) + neckline(b, 9, skin, 4.4) +
    line(path`M${b.p(-4.8, 42)}L${b.p(1.2, 33)}L${b.p(5.6, 41.6)}`, lightOf(look.colour), 1.3),
}; // prettier-ignore

const frock = {
  sleeve: 0.6,
  lower: (b, look, skin) => b.legs.map((leg) => limb([leg[0], leg[1], between(leg[1], leg[2], 0.86)], [5.6, 4.4, 3.4], skin)).join('') + shoes(b, look.shoes ?? C.ink),
  upper: (b, look, skin) =>
    skirt(b, b.seated ? 0.3 : 0.46, 8, look.colour) + torso(b, 8, b.k, look.colour) + neckline(b, 4, skin) +
    line(path`M${b.p(-b.k, 11)}Q${b.p(0, 8)} ${b.p(b.k, 11)}`, look.second ?? lightOf(look.colour), 2),
}; // prettier-ignore

/** School clothes and play clothes of a boy. */
const shorts = {
  ...shirt,
  lower: (b, look, skin) =>
    frock.lower(b, look, skin) + b.legs.map(([hip, knee], index) => limb([hip, between(hip, knee, 0.5), between(hip, knee, 0.85)], [7.2, 6.6, 6.4], index ? (look.lower ?? C.slate) : shadeOf(look.lower ?? C.slate))).join(''),
}; // prettier-ignore

const stethoscope = ({ p }) =>
  line(
    path`M${p(-4.6, 42)}C${p(-6, 34)} ${p(-5, 29)} ${p(-2, 27)}M${p(5.4, 42)}C${p(7, 34)} ${p(5, 30)} ${p(-2, 27)}L${p(-2.6, 20)}`,
    C.deep,
    1.2,
  ) + dot(...p(-2.7, 19), 1.8, C.deep);

/** A white coat over other clothes (`look.over`, a kurta unless given). */
const coat = {
  sleeve: 1.75,
  sleeveColour: () => C.white,
  back: (b, look) => underOf(look).back?.(b, look) ?? '',
  lower: (b, look, skin) => underOf(look).lower(b, look, skin),
  upper: (b, look, skin) => {
    const { p, s, k, h, hip, seated } = b;
    const end = seated ? -4 : -24;
    const edge = mix(C.white, C.mist, 0.5);
    const low = (u) => (seated ? p(u, end) : [hip[0] + u, hip[1] - end]);
    const panel = (side) => fill(path`M${p(side * 4, 43)}C${p(side * 7, 40)} ${p(side * (s + 1), 40)} ${p(side * (s + 1), 31)}C${p(side * s, 26)} ${p(side * (k + 1), 20)} ${p(side * (k + 1), 13)}C${p(side * (k + 2), 6)} ${low(side * (h + 2))} ${low(side * (h + 3.4))}L${low(side < 0 ? -1.5 : 4.5)}L${p(1.4, 24)}z`, side < 0 ? C.white : mix(C.white, C.mist, 0.22)); // prettier-ignore
    return (
      underOf(look).upper(b, look, skin) + panel(1) + panel(-1) +
      line(path`M${p(-4, 42.6)}L${p(-7, 34)}L${p(-4.4, 32.6)}L${p(1.2, 23)}M${p(5, 42.6)}L${p(8, 34)}L${p(5.6, 32.6)}L${p(1.4, 23)}`, edge, 0.9) +
      line(path`M${p(-h + 1, 8)}h5.4`, edge, 0.9) + (look.stethoscope === false ? '' : stethoscope(b))
    );
  },
}; // prettier-ignore

export const DRESS = { saree, kurta, shirt, dhoti, scrubs, frock, shorts, coat };
const underOf = (look) => DRESS[look.over ?? 'shirt'];
