/**
 * Faces of portraits, in a field of 200 by 200: skull from y = 36 to the chin at about 126, eyes at y = 84, turned a
 * little to the right. A look has, besides `skin` and `hair` of the palette:
 * `w` half width at the temples (27–31), `jaw` and `chin` half widths (19–26, 8–14), `len` y of the chin (121–129),
 * `open` of the eyes (0.8–1.1), `brow` {thick, arch, y}, `nose` {w, l}, `lips` (0.8–1.3), `smile` (0 closed, 1 open),
 * `age` (0 young to 3 old).
 */
import { path } from './limbs.mjs';
import { HAIR, PALETTE as C, SKIN, mix } from './palette.mjs';
import { at, dot, fill, line, oval } from './svg.mjs';

const DEEP = mix(C.bark, C.ink, 0.5);

/** The tones of a face. */
export function tones({ skin = 3, hair = 'black' }) {
  const base = SKIN[skin];
  const strands = HAIR[hair];
  return {
    skin: base,
    soft: mix(base, DEEP, 0.1),
    shade: mix(base, DEEP, 0.2),
    crease: mix(base, DEEP, 0.42),
    light: mix(base, C.cream, 0.26),
    glow: mix(base, C.rose, 0.2),
    lip: mix(base, mix(C.rose, C.brick, 0.4), skin > 4 ? 0.4 : 0.5),
    mouth: mix(mix(C.brick, C.ink, 0.45), base, 0.12),
    eye: mix(DEEP, C.bark, 0.3),
    hair: strands,
    shine: mix(strands, hair === 'black' ? C.slate : C.white, hair === 'black' ? 0.55 : 0.24),
    brow: mix(strands, base, hair === 'grey' || hair === 'white' ? 0.12 : 0.1),
  };
}

const shape = (look) => ({ w: 29, jaw: 22, chin: 10, len: 126, age: 1, open: 1, lips: 1, smile: 0, ...look });

function skullPath({ w, jaw, chin, len }) {
  const [l, r] = [100 - w, 100 + w - 1];
  return path`M${[l, 74]}C${[l - 1, 46]} ${[82, 35]} ${[101, 35]}C${[120, 35]} ${[r + 1, 47]} ${[r, 74]}C${[r, 90]} ${[100 + jaw + 5, 101]} ${[100 + jaw + 1, 109]}C${[100 + jaw - 4, 118]} ${[103 + chin, len]} ${[103, len]}C${[103 - chin, len]} ${[100 - jaw + 2, 119]} ${[100 - jaw - 2.5, 109]}C${[l + 2.4, 99]} ${[l, 90]} ${[l, 74]}z`;
}

/** Neck with the shade of the chin. */
export function neck(look) {
  const t = tones(look);
  const n = look.neck ?? (look.woman ? 13.5 : 17);
  return (
    fill(path`M${[101 - n, 96]}L${[101 + n, 96]}C${[101 + n, 124]} ${[101 + n, 130]} ${[119, 137]}L${[103, 172]}L${[85, 137]}C${[101 - n, 130]} ${[101 - n, 124]} ${[101 - n, 96]}z`, t.skin) +
    fill(path`M${[101 - n, 108]}C${[93, 133]} ${[112, 133]} ${[101 + n, 108]}L${[101 + n, 120]}C${[110, 138]} ${[97, 139]} ${[101 - n, 124]}z`, t.shade)
  );
} // prettier-ignore

/** Ear and skull with light and shade. */
export function skull(look) {
  const k = shape(look);
  const t = tones(look);
  const l = 100 - k.w;
  return (
    (look.style === 'hijab' ? '' : oval(l - 0.8, 87, 5, 8.6, t.skin) + line(path`M${[l - 2.8, 83]}C${[l - 0.6, 83]} ${[l + 0.2, 87]} ${[l - 1.8, 91]}`, t.crease, 1.1)) +
    fill(skullPath(k), t.skin) +
    fill(path`M${[l, 74]}C${[l, 90]} ${[l + 2.4, 99]} ${[97.5 - k.jaw, 109]}C${[102 - k.jaw, 119]} ${[103 - k.chin, k.len]} ${[103, k.len]}C${[96, k.len - 4]} ${[103 - k.jaw, 112]} ${[101.5 - k.jaw, 103]}C${[l + 5, 95]} ${[l + 3, 84]} ${[l, 74]}z`, t.soft)
  );
} // prettier-ignore

const LEFT = 89;
const RIGHT = 115.5;
const EYES = 85;

function eye(x, y, size, { open, age, lashes }, t) {
  const h = 3.2 * open;
  const out = size > 0 ? -1 : 1;
  const edge = 6.4 * Math.abs(size);
  const content =
    fill(path`M${[-edge, 0.8]}C${[-3.6, -h - 0.6]} ${[2.8, -h - 0.8]} ${[edge - 0.4, 0.4]}C${[3.4, 3]} ${[-3.4, 3.3]} ${[-edge, 0.8]}z`, mix(C.paper, t.skin, 0.2)) +
    dot(0.4, -0.4, 3.3, t.eye) + dot(1.6, -1.6, 0.9, C.paper) +
    line(path`M${[-edge - (lashes && out < 0 ? 1.6 : 0), lashes && out < 0 ? -0.2 : 0.9]}C${[-3.6, -h - 0.7]} ${[2.8, -h - 0.9]} ${[edge + (lashes && out > 0 ? 1 : -0.4), lashes && out > 0 ? -0.4 : 0.4]}`, mix(C.ink, t.skin, lashes ? 0.06 : 0.2), lashes ? 1.7 : 1.4) +
    line(path`M${[-5, -h - 0.9]}C${[-2.6, -h - 3]} ${[2.4, -h - 3]} ${[4.8, -h - 1.2]}`, t.crease, 0.8) +
    line(age > 1 ? 'M-5 3.4C-2 6.4 2.4 6.4 5 3.2' : 'M-4.6 2.8C-2 5 2.4 5 4.8 2.6', t.shade, 0.9);
  return at(x, y, content);
} // prettier-ignore

function brows({ brow = {} }, t) {
  const { thick = 2.4, arch = 3, y = 73 } = brow;
  const d = path`M${[-8.6, 1.4]}C${[-5, -arch]} ${[1, -arch - 0.6]} ${[7.8, 0.4]}L${[7.6, thick]}C${[1, thick - arch - 0.2]} ${[-5, thick - arch]} ${[-8.6, 1.4]}z`;
  return at(LEFT - 0.6, y, fill(d, t.brow)) + at(RIGHT + 0.4, y, fill(d, t.brow), -0.94, 1);
}

function nose({ nose: given = {} }, t) {
  const { w = 7, l = 102 } = given;
  const tip = 104.5;
  return (
    fill(path`M${[100, 80]}C${[99.4, 88]} ${[tip - w - 0.4, l - 6]} ${[tip - w, l - 2]}C${[tip - w + 0.6, l + 1]} ${[tip - 3, l - 0.6]} ${[tip - 1, l + 1.2]}C${[tip + 0.4, l - 4]} ${[101.6, l - 8]} ${[100, 80]}z`, t.soft) +
    line(path`M${[tip - w + 0.4, l - 2.6]}C${[tip - w, l + 0.4]} ${[tip - w + 2, l + 0.8]} ${[tip - 3.4, l + 0.4]}Q${[tip - 0.6, l + 2]} ${[tip + 2.4, l + 0.3]}C${[tip + 4.6, l + 0.6]} ${[tip + w - 1, l]} ${[tip + w - 1.4, l - 2.4]}`, t.crease, 1.3) +
    line(path`M${[tip + 1, l - 11]}Q${[tip + 2.6, l - 6]} ${[tip + 1.6, l - 3]}`, t.light, 2)
  );
} // prettier-ignore

function mouth({ smile, lips, age, woman, moustache, beard: whiskers, skin: number }, t) {
  const dark = number > 4;
  const y = moustache ? 112.4 : 111.5;
  const bearded = whiskers && whiskers !== 'goatee';
  const lip = woman ? t.lip : mix(t.lip, t.skin, dark ? 0.1 : 0.45);
  const low = 4.6 * lips;
  const fold =
    age > 0 && !bearded
      ? line(path`M${[92.6, 101.5]}Q${[88.6, 105]} ${[89, 109.5]}M${[115.6, 101]}Q${[119, 104.6]} ${[118.4, 109]}`, t.shade, age > 1 ? 1.3 : 1)
      : '';
  const chin = whiskers ? '' : line(path`M${[99.6, y + 8.6]}Q${[103.6, y + 10.4]} ${[107.4, y + 8.4]}`, t.shade, 1.1);
  if (smile)
    return (
      fold + chin +
      fill(path`M${[90.6, y - 2]}C${[96, y - 3.6]} ${[101, y - 3.8]} ${[103.4, y - 2.8]}C${[106, y - 3.8]} ${[111, y - 3.6]} ${[116, y - 2.4]}C${[113, y + 3]} ${[110, y + 3.2 + low / 2]} ${[103.6, y + 3.4 + low / 2]}C${[97, y + 3.4 + low / 2]} ${[93.4, y + 3]} ${[90.6, y - 2]}z`, lip) +
      fill(path`M${[92.4, y - 1.4]}C${[98, y - 0.6]} ${[109, y - 0.6]} ${[114.4, y - 1.7]}C${[112, y + 2.2]} ${[109, y + 3.2]} ${[103.6, y + 3.2]}C${[98, y + 3.2]} ${[95, y + 2.2]} ${[92.4, y - 1.4]}z`, mix(C.paper, t.skin, 0.06)) +
      line(path`M${[90, y - 2.4]}C${[97, y - 0.5]} ${[109, y - 0.4]} ${[116.6, y - 2.8]}`, t.mouth, 1.2)
    );
  return (
    fold + chin +
    fill(path`M${[91.4, y - 1]}C${[96, y - 3]} ${[101, y - 4]} ${[103.4, y - 2.8]}C${[106, y - 4]} ${[110, y - 3]} ${[115.2, y - 1.4]}C${[110, y + 2.6]} ${[108, y + low]} ${[103.6, y + low]}C${[98.6, y + low]} ${[96, y + 2.6]} ${[91.4, y - 1]}z`, lip) +
    line(path`M${[89.6, y - 2.8]}C${[94, y + 1]} ${[99, y + 0.8]} ${[103.4, y + 0.2]}C${[108, y + 0.8]} ${[112.6, y + 0.6]} ${[117, y - 3.2]}`, t.mouth, 1.3)
  );
} // prettier-ignore

/** Lines that years draw. */
function years({ age, w }, t) {
  if (age < 2) return '';
  const l = 100 - w;
  return (
    line(path`M${[l + 3, 83]}L${[l + 5.4, 84.4]}M${[l + 3, 87.4]}L${[l + 5.4, 87]}M${[99 + w - 3, 83]}L${[99 + w - 5, 84.2]}`, t.crease, 0.8) +
    (age > 2 ? line('M88 59Q102 56 116 59M91 65Q102 63 113 65', t.shade, 1.1) : '')
  );
} // prettier-ignore

/** Eyes, brows, nose, mouth. */
export function features(look) {
  const k = shape(look);
  const t = tones(look);
  return (
    oval(86, 99, 7.4, 5, mix(t.skin, t.glow, look.woman ? 0.6 : 0.4)) + oval(119, 98, 5.4, 4.6, mix(t.skin, t.glow, look.woman ? 0.6 : 0.4)) +
    eye(LEFT, EYES, 1, { ...k, lashes: look.woman }, t) + eye(RIGHT, EYES, -0.94, { ...k, lashes: look.woman }, t) +
    brows(look, t) + nose(look, t) + mouth(k, t) + years(k, t)
  );
} // prettier-ignore

/** Moustaches and beards, over the mouth's surroundings. */
export function beard(look) {
  const t = tones(look);
  const k = shape(look);
  const [l, r] = [100 - k.w, 99 + k.w];
  const colour = mix(t.hair, t.skin, { stubble: 0.72, short: 0.2 }[look.beard] ?? 0.06);
  const drop = look.beard === 'full' ? 5 : 1;
  const cheeks = path`M${[l, 82]}C${[l + 1, 92]} ${[l + 5, 99]} ${[l + 9, 101]}C${[92, 103]} ${[95, 103]} ${[103.5, 104.6]}C${[112, 103]} ${[114, 103]} ${[r - 7, 100]}C${[r - 3, 97]} ${[r - 0.6, 92]} ${[r, 82]}C${[r + 1, 92]} ${[100 + k.jaw + 6, 102]} ${[100 + k.jaw + 1.6, 110]}C${[100 + k.jaw - 3, 120 + drop]} ${[104 + k.chin, k.len + drop]} ${[103, k.len + drop]}C${[102 - k.chin, k.len + drop]} ${[100 - k.jaw + 1, 120 + drop]} ${[97 - k.jaw, 110]}C${[l + 2, 100]} ${[l, 92]} ${[l, 82]}zM${[90.6, 109]}C${[93, 118]} ${[114, 118]} ${[116.2, 108.6]}C${[112, 107]} ${[107, 106]} ${[103.6, 107]}C${[100, 106]} ${[95, 107]} ${[90.6, 109]}z`;
  const goatee = path`M${[97, 118]}C${[100, 116.6]} ${[107, 116.6]} ${[110, 118]}C${[111, 124]} ${[108, k.len + 2]} ${[103, k.len + 2]}C${[98, k.len + 2]} ${[96, 124]} ${[97, 118]}z`;
  const lip = path`M${[92, 109]}C${[93.4, 105.4]} ${[98.8, 102.8]} ${[103.6, 104.6]}C${[108.2, 102.8]} ${[113, 105]} ${[114.4, 108.6]}C${[112, 109.2]} ${[108, 109.8]} ${[103.6, 108.8]}C${[99, 109.8]} ${[95, 109.6]} ${[92, 109]}z`;
  return (
    (look.beard === 'goatee' ? fill(goatee, t.brow) : look.beard ? `<path fill-rule="evenodd" d="${cheeks}" fill="${colour}"/>` : '') +
    (look.moustache ? fill(lip, mix(t.hair, t.skin, look.moustache === 'thin' ? 0.35 : 0.08)) : '')
  );
} // prettier-ignore

const FRAMES = {
  round: [9.4, 8.6, 9],
  square: [9.8, 7, 3],
  soft: [10, 7.6, 6],
};

/** Spectacles with frames `round`, `square` or `soft`. */
export function spectacles({ spectacles: name, frame = C.ink, w = 29 }) {
  if (!name) return '';
  const [rx, ry, r] = FRAMES[name];
  const glass = (x, share) =>
    `<rect x="${x - rx * share}" y="${86 - ry}" width="${2 * rx * share}" height="${2 * ry}" rx="${r}"/>`;
  return `<g fill="none" stroke="${frame}" stroke-width="1.5">${glass(LEFT - 0.2, 1)}${glass(RIGHT + 0.4, 0.95)}<path d="${path`M${[LEFT + rx - 0.2, 84.4]}Q${[102.4, 81.8]} ${[RIGHT - rx + 0.9, 84.4]}M${[LEFT - rx - 0.2, 84]}L${[100 - w, 82.6]}M${[RIGHT + rx - 0.2, 84]}L${[99 + w, 83]}`}"/></g>`; // prettier-ignore
}
