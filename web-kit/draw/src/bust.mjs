/** Portraits: head, clothes of the shoulders and jewellery, before a ground of two tones. */
import { beard, features, neck, skull, spectacles, tones } from './face.mjs';
import { STYLES } from './hair.mjs';
import { path } from './limbs.mjs';
import { PALETTE as C, mix } from './palette.mjs';
import { at, dot, fill, line } from './svg.mjs';

const COAT = mix(C.paper, C.white, 0.6);
const EDGE = mix(C.mist, C.slate, 0.15);

/** The outline of shoulders and chest, open at the neck down to `low`. */
function shoulders(sw, low) {
  return path`M${[100 - sw, 201]}C${[100 - sw, 174]} ${[100 - sw + 8, 162]} ${[72, 152]}C${[79, 149]} ${[84, 145]} ${[86, 135]}L${[102.5, low]}L${[118, 135]}C${[120, 145]} ${[126, 149]} ${[133, 152]}C${[100 + sw - 6, 162]} ${[102 + sw, 174]} ${[102 + sw, 201]}z`;
}

const collar = (colour) => {
  const edge = mix(colour, C.ink, 0.14);
  return fill('M85.6 132 80 140 91 158 102.4 149C95 145 89 139 85.6 132zM118.4 132 124.6 140 114 158 102.4 149C110 145 115.6 139 118.4 132z', mix(colour, C.white, 0.3)) + line('M91 158 102.4 149 114 158', edge, 1.1);
}; // prettier-ignore

const tie = (colour) => fill('M98 150.6h9l-2 9.4h-5z', mix(colour, C.ink, 0.18)) + fill('M100 160h5l5 41H95z', colour);

const GARMENTS = {
  shirt: (k, sw) =>
    fill(shoulders(sw, 150), k.colour) + (k.tie ? tie(k.tie) : line('M102.4 150V201', mix(k.colour, C.ink, 0.12), 1.2)) + collar(k.colour),
  scrubs: (k, sw) =>
    fill(shoulders(sw, 168), k.colour) + line('M85.4 136 102.6 170 119 136', mix(k.colour, C.white, 0.3), 3) + line('M128 182h20', mix(k.colour, C.ink, 0.2), 1.4),
  kurta: (k, sw) =>
    fill(shoulders(sw, 160), k.colour) + line('M86 140C90 156 96 162 102.5 165 109 162 115 156 118 140', k.second ?? mix(k.colour, C.white, 0.3), 2.6),
  saree: (k, sw) => {
    const border = k.second ?? C.champaca;
    return (
      fill(shoulders(sw, 163), mix(k.blouse ?? border, C.ink, 0.06)) +
      fill(path`M${[118, 137]}C${[122, 146]} ${[127, 149]} ${[133, 152]}C${[100 + sw - 6, 162]} ${[102 + sw, 174]} ${[102 + sw, 201]}H60C${[88, 192]} ${[112, 168]} ${[118, 137]}z`, k.colour) +
      line('M117 139C111 170 88 192 60 202', border, 6) +
      (k.coat === false ? line('M128 151C122 176 108 192 92 202M137 154C134 176 126 192 118 202', mix(k.colour, C.ink, 0.16), 1.3) : '')
    );
  },
}; // prettier-ignore

/** The white coat, open over another garment. */
function coat(k, sw) {
  return (
    fill(path`M${[100 - sw, 201]}C${[100 - sw, 174]} ${[100 - sw + 8, 162]} ${[72, 152]}C${[79, 149]} ${[83, 145]} ${[84.6, 136]}C${[84, 156]} ${[90, 184]} ${[97, 201]}z`, COAT) +
    fill(path`M${[102 + sw, 201]}C${[102 + sw, 174]} ${[100 + sw - 6, 162]} ${[133, 152]}C${[126, 149]} ${[121, 145]} ${[119.4, 136]}C${[121, 156]} ${[116, 184]} ${[109, 201]}z`, mix(COAT, C.mist, 0.2)) +
    line('M84.4 137 74 160 82 164 78 170 96 201M119.6 137 130 160 122 164 126 170 110 201', EDGE, 1.5) +
    line(path`M${[116 - sw, 201]}Q${[115 - sw, 190]} ${[117 - sw, 182]}M${[88 + sw, 201]}Q${[88 + sw, 190]} ${[86 + sw, 182]}`, EDGE, 1.2) +
    (k.badge === false ? '' : `<path d="M127 165h15v10h-15z" fill="${C.paper}"/><path d="M127 165h15v3.4h-15z" fill="${C.teal}"/>`)
  );
} // prettier-ignore

const stethoscope =
  line('M82 143C75 158 76 176 80 186M122 143C129 154 131 162 130 170', C.deep, 2.8) + dot(81, 190, 5, C.deep) + dot(81, 190, 2.4, C.mist); // prettier-ignore

const EARRINGS = {
  stud: (x, colour) => dot(x, 96, 2, colour),
  jhumka: (x, colour) => dot(x, 95.6, 1.7, colour) + fill(path`M${[x - 3.6, 102.4]}C${[x - 3, 97]} ${[x + 3, 97]} ${[x + 3.6, 102.4]}z`, colour) + dot(x, 103.4, 1, colour),
  hoop: (x, colour) => `<circle cx="${x}" cy="99" r="3.4" fill="none" stroke="${colour}" stroke-width="1.3"/>`,
}; // prettier-ignore

const NECKLACES = {
  mangalsutra: line('M87 141C90 162 97 172 103 174 109 172 115 162 117.4 141', C.ink, 1.3) + line('M99 173.4C101 175 105 175 107 173.4', C.champaca, 2) + dot(101, 176, 2, C.champaca) + dot(105.4, 176, 2, C.champaca),
  chain: line('M88 143C92 156 98 161 103 162 108 161 114 156 116.6 143', C.champaca, 1.3),
  cross: line('M88 143C92 156 98 161 103 162 108 161 114 156 116.6 143', C.granite, 0.9) + line('M103 162v7M100.8 164.4h4.4', C.granite, 1.4),
  pearls: line('M89 145h0M91.4 150.4h0M94.8 155h0M99 158.2h0M103.4 159.2h0M107.8 158h0M111.6 154.8h0M114.4 150.4h0M116.4 145h0', C.cream, 4),
}; // prettier-ignore

function jewellery(k) {
  const x = 100 - (k.w ?? 29) - 1.6;
  return (
    (k.earrings && k.style !== 'hijab' ? EARRINGS[k.earrings](x, k.gems ?? C.champaca) : '') +
    (k.bindi ? dot(103.4, 68, k.bindi === 'small' ? 1.3 : 1.9, mix(C.gulmohar, C.ink, 0.3)) : '') +
    (k.noseStud ? dot(98.6, 100, 1, C.lamp) : '')
  );
}

/** Head and shoulders. */
export function bust(look) {
  const t = tones(look);
  const w = look.w ?? 29;
  const hair = STYLES[look.style];
  const sw = look.sw ?? (look.woman ? 53 : 62);
  const covered = look.coat !== false;
  const body =
    GARMENTS[look.dress ?? 'shirt'](look, covered ? sw - 3 : sw) +
    (look.necklace ? NECKLACES[look.necklace] : '') +
    (covered ? coat(look, sw) : '') +
    (look.stethoscope ? stethoscope : '');
  return (
    (hair.back?.(look, t, w) ?? '') +
    neck(look) +
    at(-9, -19, body, 1.09) +
    skull(look) +
    beard(look) +
    features(look) +
    hair.front(look, t, w) +
    jewellery(look) +
    spectacles(look) +
    (hair.over?.(look, t, w) ?? '')
  );
}
