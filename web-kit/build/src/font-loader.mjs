/**
 * Reduces a font to one weight and to the characters of headings: the whole file is three times the size of a page.
 * Query: `?subset&wght=700` with an optional `&kern`, which keeps kerning, or with `&script=kannada`, which keeps the
 * letters of a script in place of Latin ones and how they join. The package that owns the style sheet declares
 * `subset-font`.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Code points of headings. `unicode-range` of the style sheet must list the same. */
const HEADING_CHARACTERS = [
  ...range(0x20, 0x22),
  ...range(0x25, 0x29),
  ...range(0x2b, 0x3b),
  ...[0x3f],
  ...range(0x41, 0x5a),
  ...range(0x61, 0x7a),
  ...[0xa0, 0xb0, 0xb7, 0xbd, 0xd7, 0xe9],
  ...[0x2013, 0x2014, 0x2018, 0x2019, 0x201c, 0x201d, 0x2026, 0x20b9],
];

const ZERO_WIDTH_JOINERS = range(0x200c, 0x200d);
/** OpenType features without which letters of an Indian script would not join. */
const JOINING = ['akhn', 'rphf', 'rkrf', 'blwf', 'half', 'vatu', 'cjct', 'nukt', 'abvs', 'blws', 'psts', 'haln'];

/**
 * Code points and features of each script. `pres` has further shapes of joined letters: a thirtieth of the Kannada font
 * and half of the Devanagari one.
 */
export const SCRIPTS = {
  latin: { characters: HEADING_CHARACTERS, features: [] },
  kannada: { characters: [...range(0xc80, 0xcff), ...ZERO_WIDTH_JOINERS], features: [...JOINING, 'pres'] },
  devanagari: { characters: [...range(0x900, 0x97f), ...ZERO_WIDTH_JOINERS], features: JOINING },
};

export const raw = true;

export default function fontSubset(source) {
  const done = this.async();
  const query = new URLSearchParams(this.resourceQuery);
  const subset = createRequire(join(this.rootContext, 'package.json'))('subset-font');
  const { characters, features } = SCRIPTS[query.get('script') ?? 'latin'];
  subset(source, String.fromCodePoint(...characters), {
    targetFormat: 'woff2',
    variationAxes: { wght: Number(query.get('wght')) },
    keepFeatures: query.has('kern') ? [...features, 'kern'] : features,
    noLayoutClosure: features.length === 0,
    noHinting: true,
    // The licence, which must travel with the font.
    preserveNameIds: [13, 14],
  }).then((font) => done(null, font), done);
}
