/**
 * Small heads of figures: three-quarter view to the right, centre (0, 0), crown at -12, chin at 11.5. Hair is in two
 * layers, behind and over the head, because shoulders lie between them.
 */
import { HAIR, PALETTE as C, SKIN, mix } from './palette.mjs';
import { dot, fill, line, oval } from './svg.mjs';

const CAP = 'M-9.4 2C-11.8-8-7-14.6 1-14.6 9-14.6 11.2-8 9.8-1.5';

/** Hair by style: `back` lies behind the shoulders, `front` over the head. */
const STYLES = {
  short: { front: (h) => fill(`${CAP}C9-5 8-6.6 6.4-8.2 1-6.6-3.6-7-5.6-8.4-6-5-7.4-3.4-7.6-.6L-8 2.4z`, h) },
  side: { front: (h) => fill('M-9.4 2C-12-8-8-13.6-2-14.6 7-16.6 12.4-9 9.8-1.5 9.4-4.6 8.4-6 7.2-7 2-7-2.6-8.6-4.6-10.6-5-6-7.4-3.6-7.6-.6L-8 2.4z', h) },
  curly: { front: (h) => [[-7.4, -5, 4], [-6, -10.4, 4.2], [-.6, -13, 4.6], [5.2, -11.6, 4.4], [8.4, -7, 3.4], [-8, -.6, 2.6]].map((c) => dot(...c, h)).join('') },
  thin: { front: (h) => fill('M-8.6 3C-11.6-4-10-10-6-12-7.4-7.4-7-4-7.6-.6L-8 3zM9.6-2.5C10.4-6 9.4-9 7.6-10.6 8.4-7.6 8.6-5 9.6-2.5z', h) },
  bun: {
    back: (h) => dot(-8.6, -7.5, 5.6, h),
    front: (h) => fill(`${CAP}C9-6 6-9.4 2.4-10.6-3-9.4-7-5-7.6 1.4L-8.4 4z`, h),
  },
  braid: {
    back: (h) => fill('M-9-4C-14 6-12 12-13.4 22-14.4 30-12 36-9.6 38-7.4 34-6 28-6.4 22-6 12-4 6-3 2z', h),
    front: (h) => fill(`${CAP}C9-6 6-9.4 2.4-10.6-3-9.4-7-5-7.6 1.4L-9 5z`, h),
  },
  long: {
    back: (h) => fill('M-9.6-6C-14 4-12.4 14-13 22-7 25.4 0 24 3 20L8 6 9-6z', h),
    front: (h) => fill(`${CAP}C9-6 6-9.4 2.4-10.6-3-9-6-4-6.6 2-7.6 8-8 12-10 17-13 9-10.6 5-9.4 2z`, h),
  },
  bob: {
    back: (h) => fill('M-9.6-6C-13.4 2-12.4 8-12.4 13-6 15 2 14 5 11L9-6z', h),
    front: (h) => fill(`${CAP}C9-6 6-9.4 2.4-10.6-3-9-6-4-6.4 2-7 6-7.4 9-9.4 12-12.6 8-10.6 4-9.4 2z`, h),
  },
  tail: {
    back: (h) => fill('M-7-8C-15-9-16-1-15 6-13.6 10-11 12-10.4 8-11 2-9-2-5-4z', h),
    front: (h) => fill(`${CAP}C9-5.6 8-7 6-8.4 0-7-5-6-7.4 1L-8.6 3.4z`, h),
  },
  pigtails: {
    back: (h) => fill('M-8-2C-15-2-16 6-14 12-11 12-9 8-8 4zM8-2C13-1 14 6 12 11 9.6 10 8.4 6 8 3z', h),
    front: (h) => fill(`${CAP}C9-6 6-8.4 2.4-10.6-3-9.4-7-5-7.6 1.4L-8.6 3z`, h),
  },
  baby: { front: (h) => fill('M-8.4-4C-8-11-3-13.6 2-13 0-11-3-10-5-8.6-6.4-7.4-7.6-6-8.4-4z', h) },
}; // prettier-ignore

/** Headwear; `colour` is that of the cloth. */
const COVERS = {
  hijab: {
    back: (c) => fill('M-11-4C-12 8-14 14-17 21-8 27 8 26 14 20 11 14 10.6 6 10.6-3z', c),
    front: (c) =>
      fill('M1-15C-10-15-12.4-6-12 3-11.6 10-14 15-15.6 19-6 25 8 24 13 18.5 10.4 15 10.6 7 10.6-2 10.6-10 8-15 1-15zM2.4-10.6C7-10.6 9-6 9-1 9 6 6.4 11.6 2.4 11.6S-6.4 6-6.6-1C-6.8-7-3-10.6 2.4-10.6z', c) +
      line('M-10 13C-4 17 4 17 9.6 12.6', mix(c, C.ink, 0.25), 1),
  },
  turban: {
    front: (c) =>
      fill('M-10.6-2C-13.6-12-8-18.6.6-18.6 10-18.6 14-12 10.4-3.4 8-8 4-10 .6-10-4-9.6-8-7-10.6-2z', c) +
      line('M-10.6-4C-8-11-2-13.6 8.6-16M-8.6-8C-2-12 5-11 10.6-6', mix(c, C.white, 0.35), 0.9),
  },
  veil: {
    back: (c) => fill('M-10-8C-15 4-14 14-15 24-6 28 2 24 4 18L8-4z', c),
    front: (c) => fill('M9-6C8-12 4-15.4-1-15.4-9-15.4-13-8-12.6 1-12.4 8-14 14-15 22-11 22-9 16-7.6 8-7-2-5-9 2.4-11 6-10.6 8-8.6 9-6z', c),
  },
  cap: { front: (c) => fill('M-10.2-2.6C-11.6-10-7-15 1-15S11.4-9.6 10.2-4.4C3-6.6-4-6-10.2-2.6z', c) },
}; // prettier-ignore

export const HEADGEAR = Object.keys(COVERS);

/** Colours of a head from `skin: 1..6` and `hair`, a name of the palette. */
export const toneOf = (look) => SKIN[look.skin ?? 3];
const hairOf = (look) => HAIR[look.hair ?? 'black'];
const styleOf = (look) => look.style ?? (look.elder ? 'thin' : 'short');

function layer(look, name) {
  const style = styleOf(look);
  const cover = COVERS[style];
  if (cover) return (cover[name]?.(look.cloth ?? C.sea) ?? '');
  const flowers = look.flowers && name === 'back' ? flowersOf(style) : '';
  return (STYLES[style][name]?.(hairOf(look)) ?? '') + flowers;
} // prettier-ignore

/** A string of jasmine round the bun or down the braid. */
function flowersOf(style) {
  const places = style === 'bun' ? [[-12, -3], [-13.6, -6.4], [-13, -10], [-10.4, -12.6]] : [[-11, 2], [-12.4, 5], [-13, 8.4], [-13, 12]];
  return places.map(([x, y]) => dot(x, y, 2, C.paper)).join('');
} // prettier-ignore

/** What lies behind the shoulders. */
export const headBack = (look) => layer(look, 'back');

/** Skull, ear, face and hair. */
export function headFront(look) {
  const skin = toneOf(look);
  const shade = mix(skin, C.brick, 0.35);
  const style = styleOf(look);
  const ear = COVERS[style] && style !== 'turban' && style !== 'cap' ? '' : oval(-7.4, 1.6, 2, 2.8, shade);
  const skull = fill('M-8.6-3C-8.8-9.6-4.6-12.4.6-12.4 6.6-12.4 9.6-9 9.6-3.4 9.8 3.4 8 11.4 3.4 11.4-1.6 11.6-8.2 5.4-8.6-3z', skin); // prettier-ignore
  return skull + beardOf(look, skin) + faceOf(look, skin, shade) + layer(look, 'front') + ear;
}

function beardOf({ beard, hair = 'black' }, skin) {
  if (!beard) return '';
  const colour = mix(HAIR[hair], skin, beard === 'short' ? 0.3 : 0.08);
  return fill(
    'M-8 0C-7.6 9 0 14.4 4 13.4 8.4 12.4 9.6 5 9.7.6 8.4 4 7 4.6 5 4.4 3.4 3.8 1.6 3.8.4 4.6-3 5.4-5.8 4.6-8 0z',
    colour,
  );
}

function faceOf(look, skin, shade) {
  const { mood = 'smile', moustache, spectacles, bindi, elder, hair = 'black', mask } = look;
  const brow = mix(HAIR[hair], skin, hair === 'black' ? 0.15 : 0.3);
  const eyes = mood === 'asleep' || mood === 'laugh'
    ? line(mood === 'asleep' ? 'M-1.6-.6C-.6.4.8.4 1.8-.6M5-.6C6 .2 7 .2 7.8-.6' : 'M-1.6-.2C-.6-1.4.8-1.4 1.8-.2M5-.2C6-1.4 7-1.4 7.8-.2', C.ink, 0.9)
    : oval(0.2, -0.6, 0.95, 1.25, C.ink) + oval(6.4, -0.6, 0.9, 1.2, C.ink); // prettier-ignore
  const brows = mood === 'worried' ? 'M-2-3C-.8-4.4.6-4.8 1.8-4.6M5-4.6C6.2-4.8 7.4-4.2 8.2-3.2' : 'M-2-3.4C-1-4.4.8-4.6 2-4M5-4C6-4.6 7.6-4.4 8.2-3.6'; // prettier-ignore
  const mouth = { worried: 'M2 7.2C3.2 6.4 5 6.4 6 7', laugh: 'M1 5.4C2 8.8 6 8.8 7 5.4z', calm: 'M1.8 6.6C3 7.2 5 7.2 6.2 6.6', asleep: 'M2.4 6.6C3.2 7 4.4 7 5.2 6.6' }[mood] ?? 'M1 6C2.4 7.8 5.4 7.8 6.8 6'; // prettier-ignore
  return [
    oval(-2.4, 3.6, 1.9, 1.4, mix(skin, C.rose, 0.22)),
    eyes,
    line(brows, brow, 0.9),
    line('M3.6.4C4.2 1.6 4.6 2.2 4.4 2.8 4 3.2 3.4 3.2 3 3', shade, 0.8),
    mood === 'laugh' ? fill(mouth, mix(C.brick, C.ink, 0.3)) : line(mouth, mix(skin, mix(C.rose, C.ink, 0.3), 0.6), 1),
    elder ? line('M-4.4.6L-3.6 1.2M-.6 4.4C-1 5.2-.8 6-.4 6.6', shade, 0.6) : '',
    moustache ? fill('M.4 5.2C1.4 3.6 3.2 3.6 4 4.2 5 3.6 6.6 3.8 7.4 5.2 6.2 5.6 5 5.4 4 5 2.8 5.6 1.4 5.6.4 5.2z', HAIR[hair]) : '',
    bindi ? dot(3.4, -4.8, 0.8, mix(C.gulmohar, C.ink, 0.2)) : '',
    spectacles ? line('M-2.6-.6a2.7 2.7 0 1 0 5.4 0a2.7 2.7 0 1 0-5.4 0M4.4-.6a2.3 2.6 0 1 0 4.6 0a2.3 2.6 0 1 0-4.6 0M2.8-.8h1.6M-2.6-.8L-7.6-.2', C.ink, 0.7) : '',
    mask ? fill('M-6.4 3.4C-3 1.6 1 1.2 4 1.6 7 1.4 8.6 2 9.5 2.6 9.4 7 7.6 11.6 3.4 11.6 0 11.6-4.6 8-6.4 3.4z', C.pale) : '',
  ].join(''); // prettier-ignore
}
