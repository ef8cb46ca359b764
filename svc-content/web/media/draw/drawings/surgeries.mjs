/**
 * Drawings of the ten surgeries, 640 by 360, by slug: the body part in a medallion, with the treated part in gold, and
 * a recovered patient doing what the operation makes possible again.
 */
import { kneeling, seated, standing, walking } from '@hospital/draw/figure';
import { PALETTE as C, SKIN, mix } from '@hospital/draw/palette';
import { fallen, gulmohar, jasmineStrings, leaves, potted, sampige, shrubs, tulsi } from '@hospital/draw/plants';
import { chair, picturedFlower, room, table, windowAt } from '@hospital/draw/rooms';
import { kerb, wall } from '@hospital/draw/street';
import { at, box, dot, fill, line, mirrored, moved, oval } from '@hospital/draw/svg';
import { coffee } from '@hospital/draw/things';

const W = 640;
const H = 360;

/** The body part, drawn in a field of 320 by 180, in a medallion at the left. */
const field = (...parts) =>
  dot(196, 180, 160, C.champaca) + dot(196, 180, 153, C.paper) + '<clipPath id="medallion"><circle cx="160" cy="90" r="80"/></clipPath>' +
  moved('translate(-108 9) scale(1.9)', `<g clip-path="url(#medallion)">${parts.join('')}</g>`); // prettier-ignore
const glow = (x, y, r) => dot(x, y, r, C.cream);
const shaft = 'M142 0C144 26 143 44 138 56 130 62 128 74 136 80c8 6 18 1 24 0 6 1 16 6 24 0 8 -6 6 -18 -2 -24 -5 -12 -6 -30 -4 -56Z';
const shin = 'M138 102c-8 3 -10 12 -4 17 6 4 10 8 11 16l2 45h26l2 -45c1 -8 5 -12 11 -16 6 -5 4 -14 -4 -17 -12 -4 -32 -4 -44 0Z';

const PARTS = {
  'hernia-repair': field(
    fill('M108 8c4 30 14 44 14 66s-14 32 -16 54c-1 16 2 34 4 52h100c2 -18 5 -36 4 -52 -2 -22 -16 -32 -16 -54s10 -36 14 -66Z', C.mist), fill('M106 128c14 20 36 30 54 52h-50c-2 -18 -5 -36 -4 -52ZM214 128c-14 20 -36 30 -54 52h50c2 -18 5 -36 4 -52Z', C.sea),
    line('M160 20v56', C.pale, 3), oval(160, 92, 3, 4.5, C.teal), line('M132 40c8 6 18 8 26 4M188 40c-8 6 -18 8 -26 4', C.pale, 3),
    moved('translate(184 124) rotate(-18)', glow(0, 0, 30), box(-22, -16, 44, 32, C.champaca, 7), line('M-22 -5h44M-22 6h44M-11 -16v32M0 -16v32M11 -16v32', C.cream, 2), line('M-26 -20l4 4M26 -20l-4 4M-26 20l4 -4M26 20l-4 -4', C.teal, 3)),
  ),

  'knee-replacement': field(
    glow(160, 92, 58), fill(shaft, C.teal), fill(shin, C.teal), fill('M128 66c0 12 6 17 14 17 7 0 12 -4 18 -4s11 4 18 4c8 0 14 -5 14 -17l2 10c2 12 -6 20 -16 20 -8 0 -12 -4 -18 -4s-10 4 -18 4c-10 0 -18 -8 -16 -20Z', C.champaca),
    box(132, 96, 56, 7, C.white, 3.5), box(130, 102, 60, 8, C.champaca, 4), fill('M155 110h10l-2 26h-6Z', C.champaca), line('M152 8c1 18 1 30 -1 42', C.sea, 4), line('M160 146v26', C.sea, 4), line('M120 80c-6 10 -6 22 0 32M200 80c6 10 6 22 0 32', C.sea, 3.4),
  ),

  arthroscopy: field(
    fill(shaft, C.mist), fill(shin, C.mist), fill('M134 86c8 -4 14 2 26 2s18 -6 26 -2v10c-10 3 -16 0 -26 0s-16 3 -26 0Z', C.sea), glow(176, 92, 20), fill('M166 88c8 -3 14 -4 20 -2v10c-8 2 -14 0 -20 0Z', C.champaca),
    line('M172 92 236 62', C.teal, 6), line('M232 64 262 50', C.deep, 13), dot(172, 92, 4, C.white), line('M180 95 232 122', C.sea, 5), line('M228 120 258 136', C.teal, 11), line('M170 98l10 -3', C.teal, 3),
    box(26, 34, 74, 54, C.teal, 8), dot(63, 61, 22, C.deep), dot(63, 61, 19, C.cream), fill('M46 66c8 -8 26 -8 34 0 -8 8 -26 8 -34 0Z', C.champaca), line('M48 56c8 -5 22 -5 30 0', C.sea, 4), line('M63 88v10M48 100h30', C.teal, 5), line('M262 50C290 30 300 100 296 150', C.deep, 3),
  ),

  'hip-replacement': field(
    glow(186, 98, 42), fill('M92 36C110 18 136 26 146 46c6 12 18 18 30 22 16 5 26 16 24 30 -2 16 -18 22 -30 16 -14 -6 -16 -18 -28 -26C122 76 84 66 92 36Z', C.mist), dot(178, 92, 27, C.sea), dot(178, 92, 21, C.white), fill('M157 92a21 21 0 0 1 42 0Z', C.pale), dot(180, 95, 16, C.champaca), dot(174, 89, 4.5, C.cream),
    line('M190 102 212 116', C.champaca, 11), fill('M204 106c12 -2 24 4 28 16 4 14 -4 24 -6 36l-2 22h-24l-2 -30c-1 -14 -6 -34 6 -44Z', C.teal), fill('M206 108c8 -1 14 4 15 12l-3 52h-8l-4 -44Z', C.champaca), line('M110 42c8 -6 18 -3 24 6', C.white, 3.4),
  ),

  'gallbladder-removal': field(
    fill('M84 84C84 52 116 34 156 36c38 2 72 8 82 20 8 10 -10 26 -34 32 -24 6 -34 14 -48 34 -10 14 -28 22 -48 14C90 128 84 108 84 84Z', C.sea), fill('M156 36c38 2 72 8 82 20 8 10 -10 26 -34 32 -12 3 -20 6 -27 11 -8 -18 -17 -44 -21 -63Z', C.teal), line('M104 74c2 -12 12 -20 26 -24', C.pale, 4),
    glow(158, 128, 32), fill('M158 98c9 0 12 8 12 18 0 8 8 14 6 28 -2 12 -12 18 -22 15 -11 -3 -15 -14 -11 -26 3 -8 5 -12 5 -20 0 -9 3 -15 10 -15Z', C.champaca), line('M150 132c-3 6 -3 11 0 16', C.cream, 3.4), line('M162 100c4 -10 16 -10 20 2 4 14 2 34 14 46', C.teal, 5.5), line('M184 104c4 -8 10 -12 16 -13', C.teal, 5.5),
  ),

  'piles-surgery': field(
    line('M118 132V70c0 -20 8 -30 22 -30 10 0 12 6 20 6s10 -6 20 -6c14 0 22 10 22 28v30c0 16 -12 20 -26 22 -10 1 -16 6 -16 16v30', C.mist, 26), line('M118 132V70c0 -20 8 -30 22 -30 10 0 12 6 20 6s10 -6 20 -6c14 0 22 10 22 28v30c0 16 -12 20 -26 22 -10 1 -16 6 -16 16v30', C.sea, 17),
    line('M111 66h14M111 84h14M111 102h14M150 36l2 14M170 38l-2 14M195 62h14M195 82h14', C.pale, 3), dot(118, 136, 15, C.sea), line('M106 146c-4 4 -4 10 0 14', C.mist, 6), glow(160, 156, 30), line('M160 128v18', C.sea, 17), fill('M147 142h26l5 26h-36Z', C.teal), oval(149, 160, 8, 10, C.champaca), oval(171, 160, 8, 10, C.champaca), dot(147, 156, 2.4, C.cream), dot(169, 156, 2.4, C.cream), line('M160 146v26', C.cream, 3),
  ),

  'cataract-surgery': field(
    glow(160, 92, 76), fill('M68 92C94 54 126 38 160 38s66 16 92 54c-26 36 -58 52 -92 52S94 128 68 92Z', C.teal), fill('M80 92c22 -30 50 -44 80 -44s58 14 80 44c-22 29 -50 42 -80 42s-58 -13 -80 -42Z', C.white), dot(160, 92, 40, C.sea), dot(160, 92, 40, C.sea),
    line('M160 56v10M160 118v10M124 92h10M186 92h10M135 67l7 7M178 110l7 7M185 67l-7 7M142 110l-7 7', C.mist, 3.4), dot(160, 92, 24, C.deep), dot(160, 92, 17, C.champaca), dot(160, 92, 12, C.light), line('M143 92c-10 -2 -14 -12 -8 -18M177 92c10 2 14 12 8 18', C.champaca, 3), dot(172, 78, 6, C.white),
    line('M80 52c6 -9 12 -15 20 -20M116 28c8 -4 16 -7 24 -8M240 52c-6 -9 -12 -15 -20 -20M204 28c-8 -4 -16 -7 -24 -8', C.teal, 4.5),
  ),

  hysterectomy: field(
    tube() + mirrored(320, tube()), fill('M118 46c26 10 58 10 84 0 10 18 2 34 -8 50 -9 14 -14 26 -16 40l-2 30h-32l-2 -30c-2 -14 -7 -26 -16 -40 -10 -16 -18 -32 -8 -50Z', C.champaca), fill('M134 62c16 6 36 6 52 0 2 10 -4 18 -10 28 -6 10 -10 20 -11 30h-10c-1 -10 -5 -20 -11 -30 -6 -10 -12 -18 -10 -28Z', C.cream), fill('M142 136h36l-2 30h-32Z', C.teal), line('M160 140v20', C.pale, 3.4),
    line('M134 132c16 8 36 8 52 0', C.champaca, 4), line('M104 60c10 6 14 20 14 30M216 60c-10 6 -14 20 -14 30', C.champaca, 3.4),
  ),

  'varicose-vein-treatment': field(
    fill('M132 0h64c2 40 -2 62 -6 82 -4 22 4 40 2 62 -1 12 -4 24 -6 36h-38c-2 -14 -2 -24 -8 -36 -12 -24 -10 -40 -6 -62 4 -24 0 -52 -2 -82Z', SKIN[2]), fill('M170 0h26c2 40 -2 62 -6 82 -4 22 4 40 2 62 -1 12 -4 24 -6 36h-18c2 -20 6 -40 4 -60 -3 -30 2 -70 -2 -120Z', SKIN[3]),
    line('M178 0C176 40 182 60 174 84c-6 18 6 40 0 96', C.sea, 5), line('M152 0c2 20 -2 34 0 50', C.teal, 6), glow(152, 106, 34), line('M152 50c0 14 -14 14 -12 26 2 11 18 10 17 22 -1 11 -18 11 -17 23 1 11 16 11 15 22 0 10 -3 18 -2 37', C.champaca, 7), line('M157 98c6 2 10 4 13 10M140 121c-4 3 -6 6 -7 12', C.champaca, 4), line('M236 70 178 94', C.teal, 3.5), line('M240 68 268 56', C.teal, 10), dot(158, 101, 4.5, C.white),
  ),

  'slipped-disc-surgery': field(
    glow(184, 92, 40), line('M208 8c-6 40 -10 60 -8 84 2 30 8 50 10 80', C.light, 12),
    vertebra(116, 8), vertebra(112, 62, true), vertebra(116, 124), fill('M122 50h60c6 0 8 8 2 10h-64c-6 -2 -4 -10 2 -10Z', C.mist), fill('M118 108h66c10 -3 20 0 20 7s-10 10 -20 8h-66c-6 -2 -6 -12 0 -15Z', C.champaca), line('M128 115h44', C.cream, 3), line('M204 116c14 2 28 8 40 22M202 66c14 0 26 4 38 14', C.light, 6), line('M212 102l8 -8M216 114h10M212 126l6 7', C.teal, 3.4),
  ),
};

/** A garden path, and a pavement of the quarter. */
const garden = fill('M0 0h640v360H0z', C.air) + dot(560, 64, 36, mix(C.light, C.cream, 0.3)) + fill('M0 250q200-30 640-10v120H0z', mix(C.sunlit, C.light, 0.35)) + fill('M0 330q300-24 640-14v44H0z', mix(C.stone, C.cream, 0.45));
const pavement = fill('M0 0h640v300H0z', C.air) + dot(420, 64, 36, mix(C.light, C.cream, 0.3)) + wall(0, 284, 640) + kerb(0, 330, 640, { pavement: 46, road: 20 });
const home = room(W, H, 284, { wall: C.cream, dado: mix(C.cream, C.light, 0.3), ground: mix(C.light, C.stone, 0.4), light: 380 });
const steps = fill('M400 330h240v-96h-60v32h-60v32h-60z', mix(C.stone, C.granite, 0.3)) + fill('M400 330v-5h120v-32h60v-32h60v8h-54v32h-60v29z', C.granite);

/** The recovered patient, in the right half. */
const AFTER = {
  'hernia-repair': pavement + gulmohar(560, 292, 0.8) + walking(468, 326, { skin: 4, dress: 'shirt', colour: C.sea, moustache: true, holding: 'bag' }, 1.56), // prettier-ignore
  'knee-replacement': garden + sampige(592, 250, 0.78) + steps + line('M424 260l150-84h66M434 256v70M572 178v58', C.slate, 5) + walking(494, 300, { skin: 3, style: 'bun', hair: 'grey', flowers: true, dress: 'saree', colour: C.rose, second: C.light }, 1.4), // prettier-ignore
  arthroscopy: garden + shrubs(380, 276, 250) + walking(470, 336, { skin: 4, style: 'tail', woman: true, dress: 'kurta', colour: C.champaca, lower: C.teal, hands: [[24, -112], [-16, -62]] }, 1.5) + line('M506 168l22-34', C.bark, 4) + at(541, 112, oval(0, 0, 15, 21, C.gulmohar) + oval(0, 0, 11, 17, C.paper) + line('M-5-14v28M5-14v28M-10-5h20M-10 5h20', C.mist, 1), 1) + at(596, 70, fill('M0 0l14-8-2 18z', C.paper) + dot(0, 1, 4, C.gulmohar)), // prettier-ignore
  'hip-replacement': garden + sampige(566, 300, 0.92) + walking(454, 334, { skin: 2, hair: 'white', style: 'thin', dress: 'kurta', colour: C.paper, lower: C.white, spectacles: true, holding: 'umbrella' }, 1.42) + fallen([[520, 318], [610, 322]]), // prettier-ignore
  'gallbladder-removal': home + windowAt(500, 50, 110, 110) + chair(384, 330, 1.42) + seated(424, 330, { skin: 3, style: 'braid', dress: 'saree', colour: C.sea, second: C.light, hands: [[28, -62], [30, -60]] }, 1.44) + table(464, 330, 160, mix(C.bark, C.champaca, 0.4), 84) + coffee(574, 241) + oval(514, 239, 36, 6, C.sunlit) + oval(502, 233, 13, 7, C.white) + oval(526, 233, 13, 7, C.white) + oval(512, 228, 11, 6, C.paper), // prettier-ignore
  'piles-surgery': home + windowAt(520, 44, 104, 104) + chair(392, 330, 1.42, C.champaca) + seated(430, 330, { skin: 5, dress: 'shirt', colour: C.pale, beard: 'short', hands: [[32, -66], [34, -64]] }, 1.44) + table(470, 330, 160, C.sea, 80) + at(540, 245, box(-8, -4, 70, 5, C.slate, 2) + fill('M50-4l16-46h4l-12 46z', C.slate)) + coffee(610, 245, 0.7), // prettier-ignore
  'cataract-surgery': home + picturedFlower(400, 50, 1.2) + windowAt(520, 44, 104, 104) + chair(430, 334, 1.5) + seated(470, 334, { skin: 3, hair: 'white', style: 'thin', dress: 'kurta', colour: C.champaca, lower: C.white, hands: [[26, -84], [32, -82]], nod: 6 }, 1.5) + moved('translate(506 166) rotate(8)', box(0, 0, 62, 82, C.white, 2) + fill('M8 10h46v8H8z', C.ink) + line('M8 28h20M8 38h20M8 48h20M8 58h46M8 68h46', C.grey, 4) + box(34, 26, 20, 24, C.champaca, 0)) + potted(596, 336, 1), // prettier-ignore
  hysterectomy: garden + shrubs(500, 262, 140, C.rose) + tulsi(556, 334, 1.5) + standing(446, 334, { skin: 4, style: 'bun', flowers: true, dress: 'saree', colour: C.teal, second: C.champaca, bindi: true, hands: [[34, -76], [38, -72]], nod: 8 }, 1.5) + at(500, 218, fill('M-12-4h26l-4 20H-8z', C.brick) + line('M14 0l24-8', C.brick, 4)) + leaves('M538 212q8 8 8 34', C.mist, 3, 1, 7), // prettier-ignore
  'varicose-vein-treatment': pavement + gulmohar(610, 292, 0.7) + line('M400 150h210M406 150v180M604 150v180', C.bark, 6) + jasmineStrings(420, 152, 176, [60, 84, 56, 90, 64, 80, 58], C.paper, 6) + line('M444 154v62M500 154v50M554 154v66', C.marigold, 8) + standing(480, 334, { skin: 5, style: 'bun', dress: 'saree', colour: C.rose, second: C.light, flowers: true, holding: 'garland' }, 1.44) + at(560, 330, fill('M-40-28h80l-12 28h-56z', mix(C.bark, C.champaca, 0.35)) + leaves('M-34-32h72M-24-42h50', C.marigold, 15, 0, 12) + leaves('M-28-36h60', C.champaca, 8, 0, 15)), // prettier-ignore
  'slipped-disc-surgery': garden + shrubs(380, 272, 110) + sampige(590, 262, 0.72) + kneeling(452, 334, { skin: 3, woman: true, style: 'braid', dress: 'kurta', colour: C.rose, lower: C.deep, hands: [[30, -30], [34, -28]], nod: 8 }, 1.56) + potted(540, 336, 1.3), // prettier-ignore
};

export const SURGERIES = Object.fromEntries(Object.entries(PARTS).map(([slug, part]) => [slug, AFTER[slug] + part]));

function tube() {
  return line('M124 54C104 34 78 36 72 60c-2 8 0 12 2 18', C.teal, 8) + line('M72 78l-7 10M75 79v12M78 77l8 9', C.teal, 4) + oval(96, 88, 15, 11, C.sea) + dot(92, 85, 3, C.pale) + line('M110 88c6 0 12 -2 16 -6', C.mist, 4);
}

function vertebra(x, y, wide = false) {
  const width = wide ? 70 : 66;
  return moved(`translate(${x} ${y})`, fill(`M6 0h${width - 6}c6 0 8 5 5 10 -4 8 -4 16 0 24 3 5 1 10 -5 10H6c-6 0 -8 -5 -5 -10 4 -8 4 -16 0 -24C-2 5 0 0 6 0Z`, C.teal), fill(`M6 0h${width - 20}c-8 14 -8 30 0 44H6c-6 0 -8 -5 -5 -10 4 -8 4 -16 0 -24C-2 5 0 0 6 0Z`, C.sea));
}
