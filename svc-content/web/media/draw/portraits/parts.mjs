/**
 * Parts of a portrait on a field of 96 by 96, of which the middle is shown. Flat shapes, round line ends, head around
 * (48, 40). Each part returns SVG; parts behind and in front of the head are separate.
 */
const INK = '#10262b';
const TEAL = '#0b5563';

/** Mixes two `#rrggbb` colours; `share` is that of the second, 0 to 1. */
export function mix(a, b, share) {
  const channel = (colour, at) => parseInt(colour.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(channel(a, at) * (1 - share) + channel(b, at) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

const shape = (d, fill) => `<path d="${d}" fill="${fill}"/>`;
const line = (d, stroke, width = 1.6) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

const SHOULDERS = 'M9 96C9 79 22 72.5 41 68H55C74 72.5 87 79 87 96Z';

/** Clothes, without the neck. */
export const DRESS = {
  coat: ({ garment }) =>
    shape(SHOULDERS, '#fff') + shape('M39 67 48 92 57 67Z', garment) + lapels() + stethoscope(),
  sareeCoat: ({ garment }) =>
    shape(SHOULDERS, '#fff') + shape('M38.5 67C40 80 43 88 46 96H54C58 86 58 76 57.5 67Z', garment) +
    shape('M57 68C54 80 48 90 42 96H52C57 88 59 78 58 68Z', mix(garment, '#ffffff', 0.35)) + lapels(),
  saree: ({ garment }) =>
    shape(SHOULDERS, mix(garment, INK, 0.3)) +
    shape('M59 69C56 82 40 92 28 96H74C79 88 77 78 70 73Z', garment) +
    line('M61 70C58 83 44 91.5 33 96', '#fdf3dc', 1.5),
};

function lapels() {
  return line('M39 67.5 34.5 76 40 78.5 47.5 95M57 67.5 61.5 76 56 78.5 48.5 95', '#9dc3c7', 1.5);
}

function stethoscope() {
  return line('M36.5 70C33 80 33.5 86 36 90M59.5 70C63 78 63 81 62.5 85', TEAL, 1.8) + `<circle cx="62.5" cy="87.5" r="2.7" fill="${TEAL}"/>`;
}

export function neckAndHead({ skin, age }) {
  const shade = mix(skin, '#5a2d14', 0.22);
  return (
    shape('M41 52H55V66.5C55 71 51 74 48 74S41 71 41 66.5Z', skin) +
    shape('M41 57C45 61.5 51 61.5 55 57V60.5C51 65 45 65 41 60.5Z', shade) +
    `<ellipse cx="32.5" cy="41.5" rx="2.8" ry="4.2" fill="${shade}"/><ellipse cx="63.5" cy="41.5" rx="2.8" ry="4.2" fill="${shade}"/>` +
    shape('M33 36C33 24 39.5 19 48 19S63 24 63 36C63 49 57 60.5 48 60.5S33 49 33 36Z', skin) +
    (age === 3 ? line('M38.5 50.5C37.8 52 38 53 38.8 54M57.5 50.5C58.2 52 58 53 57.2 54', shade, 1.1) : '')
  );
}

export function face({ skin, hair, age, glasses, bindi, beard }) {
  const brow = age === 3 ? mix(hair, skin, 0.25) : mix(hair, INK, 0.2);
  const shade = mix(skin, '#5a2d14', 0.32);
  const mouth = beard === 'full' ? mix(skin, '#8c3b2e', 0.45) : mix(skin, '#8c3b2e', 0.6);
  return (
    line('M38.5 34.8C40 33.6 42.5 33.6 44 34.6M52 34.6C53.5 33.6 56 33.6 57.5 34.8', brow, 1.5) +
    `<circle cx="41.5" cy="39.5" r="1.7" fill="${INK}"/><circle cx="54.5" cy="39.5" r="1.7" fill="${INK}"/>` +
    line('M48 40.5C47.6 43 46.8 44.5 46.8 45.6 47.5 46.3 48.5 46.3 49.2 46', shade, 1.3) +
    line('M43 51.3C45.5 53.8 50.5 53.8 53 51.3', mouth, 1.7) +
    (bindi ? '<circle cx="48" cy="31" r="1.3" fill="#8c1d18"/>' : '') +
    (glasses ? spectacles() : '')
  );
}

function spectacles() {
  return `<g fill="none" stroke="${INK}" stroke-width="1.3"><rect x="36" y="35.8" width="10.5" height="8" rx="3.6"/><rect x="49.5" y="35.8" width="10.5" height="8" rx="3.6"/><path d="M46.5 38.8C47.3 38.2 48.7 38.2 49.5 38.8M36 38.5 33 37.8M60 38.5 63 37.8"/></g>`;
}

export const BEARD = {
  short: (colour) => shape('M33.3 41C34 44 36 47.5 39.5 48.5 43 47 53 47 56.5 48.5 60 47.5 62 44 62.7 41 62.5 53 56 61.5 48 61.5S33.5 53 33.3 41ZM42.3 51C44 55 52 55 53.7 51 51 50 45 50 42.3 51Z', colour),
  full: (colour) => shape('M33 40C34 45 36.5 48 40 48.5 43 46.8 53 46.8 56 48.5 59.5 48 62 45 63 40 64.5 56 58 68 48 68S31.5 56 33 40ZM42.5 51C44.5 54.5 51.5 54.5 53.5 51 51 50.2 45 50.2 42.5 51Z', colour),
  goatee: (colour) => shape('M42 55.5C44 54.6 52 54.6 54 55.5 54 60 51 62.5 48 62.5S42 60 42 55.5Z', colour),
};

export function moustache(colour) {
  return shape('M41.5 50C43.5 47.3 46.5 47.2 48 48 49.5 47.2 52.5 47.3 54.5 50 52 50.8 50 50.3 48 49.8 46 50.3 44 50.8 41.5 50Z', colour);
}

const CAP = 'M32 38C30 22 37 15.5 48 15.5S66 22 64 38';

/** Hair and headwear: `back` is drawn first, `front` over the head. */
export const STYLE = {
  crop: { front: (p) => shape(`${CAP}C62.5 32 61 29 58.5 27 52 28.5 44 28.5 37.5 27 35 29 33.5 32 32 38Z`, p.hair) },
  sidePart: { front: (p) => shape(`${CAP}C63 33 61.5 30 59 28 52 28.5 45 26.5 41.5 22.5 40.5 26 36 29 34.5 31 33 33 32.5 35.5 32 38Z`, p.hair) },
  swept: { front: (p) => shape('M32 38C29 23 34 13 47 13.5 58 12 68 20 64 38 63 33 61.5 29.5 59.5 27.5 54 24 46 24.5 40 28.5 35.5 30.5 33 33 32 38Z', p.hair) },
  receding: { front: (p) => shape('M32 39C29.5 24 35 15.5 48 15.5S66.5 24 64 39C63 35 61.5 32 60.5 29 60 25 58 22.5 55.5 22 52 20.5 44 20.5 40.5 22 38 22.5 36 25 35.5 29 34.5 32 33 35 32 39Z', p.hair) },
  bald: { front: (p) => shape('M32 41C30 33 31 27 34.5 24 34.5 30 33.5 35 32 41ZM64 41C66 33 65 27 61.5 24 61.5 30 62.5 35 64 41Z', p.hair) },
  curly: {
    front: (p) =>
      [[34, 30, 5], [35, 23, 5.5], [41, 18, 6], [48, 16.5, 6.2], [55, 18, 6], [61, 23, 5.5], [62, 30, 5], [42, 24, 4], [54, 24, 4], [48, 22, 4.5]]
        .map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${p.hair}"/>`).join(''),
  },
  bun: {
    back: (p) => `<circle cx="48" cy="13" r="7.5" fill="${p.hair}"/>`,
    front: (p) => shape('M31.5 41C29 24 36 15 48 15S67 24 64.5 41C64 34 60 27 48.5 22.5 36.5 27 32 34 31.5 41Z', p.hair),
  },
  long: {
    back: (p) => shape('M29 72C25 56 27 37 30 29 33 18 40 14 48 14S63 18 66 29C69 37 71 56 67 72 62 75 57 72 55 66H41C39 72 34 75 29 72Z', p.hair),
    front: (p) => shape('M31.5 42C30 25 37 16 48 16S66 25 64.5 42C63.5 34 59 29 53 23 46 29 36 30 33.5 34 32.5 36 32 39 31.5 42Z', p.hair),
  },
  bob: {
    back: (p) => shape('M28.5 58C26 44 28 30 31.5 24 36 16 42 14 48 14S60 16 64.5 24C68 30 70 44 67.5 58 62 61 58 58 57 54H39C38 58 34 61 28.5 58Z', p.hair),
    front: (p) => shape('M31.5 44C29.5 26 37 16 48 16S66.5 26 64.5 44C63 36 61 31 57 26.5 50 30 38 29.5 34.5 33 33 36 32 40 31.5 44Z', p.hair),
  },
  wavy: {
    back: (p) => shape('M27 68C30 62 24 57 27.5 50 24 42 29 36 29.5 30 32 18 40 13.5 48 13.5S64 18 66.5 30C67 36 72 42 68.5 50 72 57 66 62 69 68 62 72 57 68 56 62H40C39 68 34 72 27 68Z', p.hair),
    front: (p) => shape('M31.5 42C30 25 37 16 48 16S66 25 64.5 42C64 35 60 32 58 28 53 27 49 25 46 21.5 44 27 36 29 34 33 32.5 36 32 39 31.5 42Z', p.hair),
  },
  braid: {
    back: (p) => shape('M29.5 44C27 24 36 14 48 14S69 24 66.5 44C65 50 62 52 60 52H36C34 52 31 50 29.5 44Z', p.hair),
    front: (p) => shape('M31.5 41C30 24 37 15.5 48 15.5S66 24 64.5 41C64 33 58 28 48.5 22 38 28 32 33 31.5 41Z', p.hair),
    over: (p) =>
      [[63, 56, 4.2], [65, 62.5, 4.4], [66, 69.5, 4.5], [66, 76.5, 4.3], [65, 83, 3.9]]
        .map(([x, y, r]) => `<ellipse cx="${x}" cy="${y}" rx="${r}" ry="4.3" fill="${p.hair}" stroke="${mix(p.hair, '#ffffff', 0.25)}" stroke-width=".8"/>`).join('') +
      '<circle cx="64.5" cy="88" r="2.4" fill="#e6a52e"/>',
  },
  fringe: {
    back: (p) => shape('M29 62C26 46 28 32 31 25 35 16.5 42 14 48 14S61 16.5 65 25C68 32 70 46 67 62 62 64 58 61 57 56H39C38 61 34 64 29 62Z', p.hair),
    front: (p) => shape('M31.5 44C29.5 26 37 16 48 16S66.5 26 64.5 44C63.5 39 62.5 35 61.5 32 53 33.5 43 33.5 34.5 32 33.5 35 32.5 39 31.5 44Z', p.hair),
  },
  turban: {
    front: ({ turban }) =>
      shape('M30 35C25.5 17 35 6.5 48 6.5S70.5 17 66 35C62.5 28.5 56 24 48 29 40 24 33.5 28.5 30 35Z', turban) +
      line('M31 27C37 20 44 20 48 28.5C52 20 59 20 65 27M34 17.5C41 13.5 46 17 48 22C50 17 55 13.5 62 17.5', mix(turban, '#ffffff', 0.35), 1.3),
  },
  hijab: {
    back: ({ scarf }) => shape('M26 70C22 50 25 14 48 13S74 50 70 70C64 80 32 80 26 70Z', scarf),
    front: ({ scarf }) =>
      shape('M48 13C66 13 70 32 69 52 68 66 70 72 74 78 62 88 34 88 22 78 26 72 28 66 27 52 26 32 30 13 48 13ZM48 22.5C39 22.5 34 28 34 38 34 50 40 60 48 60S62 50 62 38C62 28 57 22.5 48 22.5Z', scarf) +
      line('M35 60C42 70 56 70 68 62M31 70C42 80 58 78 68 70', mix(scarf, INK, 0.3), 1.3),
  },
};
