/**
 * People of a street or a garden, seen from afar: the figures of `figure.mjs` in a quarter of the bytes. Feet at (x, y),
 * about 135 high, walking to the right; a negative scale mirrors.
 */
import { HAIR, PALETTE as C, SKIN, mix } from './palette.mjs';
import { at, fill, line, oval } from './svg.mjs';

const CAP = 'M-9-107c-7-25 22-27 20-8q-8 0-12-5-1 8-8 13z';
const HAIRS = {
  short: CAP,
  bun: `${CAP}M-8-121a6 6 0 1 1-7 6z`,
  braid: `${CAP}M-9-112q2 14-3 40l-6-4q4-22 4-40z`,
};

/** A look: `skin`, `hair`, `style` (short, bun, braid), `dress` (saree, kurta, shirt, coat), `colour`, `second`, `flowers`, `stick`. */
export function passer(
  x,
  y,
  {
    skin = 3,
    hair = 'black',
    style,
    dress = 'shirt',
    colour = C.pale,
    second = C.slate,
    flowers,
    stick,
    extra = '',
  } = {},
  scale = 1,
) {
  const tone = SKIN[skin];
  const shade = mix(colour, C.ink, 0.16);
  const long = dress === 'saree';
  const legs = long ? line('M-6-3h8M8-3h7', tone, 5) : line('M-2-62L-10-4h6M4-62l8 58h6', second, 10);
  const body = long
    ? fill('M-14-92q14-10 27 0l2 30 6 58h-40l8-58z', colour) +
      fill('M-14-92q10-6 16-5L-4-62l-6-2z', second) +
      fill('M2-97q8 0 11 5l2 30 6 58h-9q0-54-20-62z', shade) +
      line('M-18-6h38', second, 3)
    : fill(`M-15-90q14-12 29 0l${dress === 'shirt' ? '2 40h-33' : '6 62h-41'}z`, colour) +
      fill(`M6-95q6 2 8 5l${dress === 'shirt' ? '2 40h-9' : '6 62h-14'}z`, shade) +
      (dress === 'coat' ? fill('M-3-96h8l-2 18z', second) : '');
  return at(x, y,
    legs + line('M1-100v8', tone, 8) + body + line('M-11-86q-6 16-1 26l9 8', long ? tone : colour, 7) + line(`M${long ? '-4-54l3 2' : '-5-54l3 2'}`, tone, 6) +
    oval(1, -113, 9, 11, tone) + fill(HAIRS[style ?? (long ? 'bun' : 'short')], HAIR[hair]) + line('M4-113v1M8-113v1', C.ink, 1.8) + (flowers ? line('M-18-110q5 4 9 1', C.paper, 4) : '') + (stick ? line('M0-52l16-6 4 56', C.bark, 3) : '') + extra,
  scale); // prettier-ignore
}
