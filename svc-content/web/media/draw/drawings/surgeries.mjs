/** Drawings of the ten surgeries, 320 by 180, by slug: the body part, with the treated part in gold. */
import { CREAM, DARK, GLOW, GOLD, LIGHT, MID, PALE, SKIN, SOFT, TEAL, WHITE, at, box, dot, line, mirrored, oval, shape } from './parts.mjs';

/** Background of every drawing: a round light. */
const field = (...parts) => box(0, 0, 320, 180, 0, SOFT) + dot(52, 150, 74, PALE) + dot(276, 24, 58, PALE) + dot(160, 90, 82, WHITE) + parts.join('');
const glow = (x, y, r) => dot(x, y, r, CREAM);
const shaft = 'M142 0C144 26 143 44 138 56 130 62 128 74 136 80c8 6 18 1 24 0 6 1 16 6 24 0 8 -6 6 -18 -2 -24 -5 -12 -6 -30 -4 -56Z';
const shin = 'M138 102c-8 3 -10 12 -4 17 6 4 10 8 11 16l2 45h26l2 -45c1 -8 5 -12 11 -16 6 -5 4 -14 -4 -17 -12 -4 -32 -4 -44 0Z';

export const SURGERIES = {
  'hernia-repair': field(
    shape('M108 8c4 30 14 44 14 66s-14 32 -16 54c-1 16 2 34 4 52h100c2 -18 5 -36 4 -52 -2 -22 -16 -32 -16 -54s10 -36 14 -66Z', LIGHT), shape('M106 128c14 20 36 30 54 52h-50c-2 -18 -5 -36 -4 -52ZM214 128c-14 20 -36 30 -54 52h50c2 -18 5 -36 4 -52Z', MID),
    line('M160 20v56', PALE, 3), oval(160, 92, 3, 4.5, TEAL), line('M132 40c8 6 18 8 26 4M188 40c-8 6 -18 8 -26 4', PALE, 3),
    at('translate(184 124) rotate(-18)', glow(0, 0, 30), box(-22, -16, 44, 32, 7, GOLD), line('M-22 -5h44M-22 6h44M-11 -16v32M0 -16v32M11 -16v32', CREAM, 2), line('M-26 -20l4 4M26 -20l-4 4M-26 20l4 -4M26 20l-4 -4', TEAL, 3)),
  ),

  'knee-replacement': field(
    glow(160, 92, 58), shape(shaft, TEAL), shape(shin, TEAL), shape('M128 66c0 12 6 17 14 17 7 0 12 -4 18 -4s11 4 18 4c8 0 14 -5 14 -17l2 10c2 12 -6 20 -16 20 -8 0 -12 -4 -18 -4s-10 4 -18 4c-10 0 -18 -8 -16 -20Z', GOLD),
    box(132, 96, 56, 7, 3.5, WHITE), box(130, 102, 60, 8, 4, GOLD), shape('M155 110h10l-2 26h-6Z', GOLD), line('M152 8c1 18 1 30 -1 42', MID, 4), line('M160 146v26', MID, 4), line('M120 80c-6 10 -6 22 0 32M200 80c6 10 6 22 0 32', MID, 3.4),
  ),

  arthroscopy: field(
    shape(shaft, LIGHT), shape(shin, LIGHT), shape('M134 86c8 -4 14 2 26 2s18 -6 26 -2v10c-10 3 -16 0 -26 0s-16 3 -26 0Z', MID), glow(176, 92, 20), shape('M166 88c8 -3 14 -4 20 -2v10c-8 2 -14 0 -20 0Z', GOLD),
    line('M172 92 236 62', TEAL, 6), line('M232 64 262 50', DARK, 13), dot(172, 92, 4, WHITE), line('M180 95 232 122', MID, 5), line('M228 120 258 136', TEAL, 11), line('M170 98l10 -3', TEAL, 3),
    box(26, 34, 74, 54, 8, TEAL), dot(63, 61, 22, DARK), dot(63, 61, 19, CREAM), shape('M46 66c8 -8 26 -8 34 0 -8 8 -26 8 -34 0Z', GOLD), line('M48 56c8 -5 22 -5 30 0', MID, 4), line('M63 88v10M48 100h30', TEAL, 5), line('M262 50C290 30 300 100 296 150', DARK, 3),
  ),

  'hip-replacement': field(
    glow(186, 98, 42), shape('M92 36C110 18 136 26 146 46c6 12 18 18 30 22 16 5 26 16 24 30 -2 16 -18 22 -30 16 -14 -6 -16 -18 -28 -26C122 76 84 66 92 36Z', LIGHT), dot(178, 92, 27, MID), dot(178, 92, 21, WHITE), shape('M157 92a21 21 0 0 1 42 0Z', PALE), dot(180, 95, 16, GOLD), dot(174, 89, 4.5, CREAM),
    line('M190 102 212 116', GOLD, 11), shape('M204 106c12 -2 24 4 28 16 4 14 -4 24 -6 36l-2 22h-24l-2 -30c-1 -14 -6 -34 6 -44Z', TEAL), shape('M206 108c8 -1 14 4 15 12l-3 52h-8l-4 -44Z', GOLD), line('M110 42c8 -6 18 -3 24 6', WHITE, 3.4),
  ),

  'gallbladder-removal': field(
    shape('M84 84C84 52 116 34 156 36c38 2 72 8 82 20 8 10 -10 26 -34 32 -24 6 -34 14 -48 34 -10 14 -28 22 -48 14C90 128 84 108 84 84Z', MID), shape('M156 36c38 2 72 8 82 20 8 10 -10 26 -34 32 -12 3 -20 6 -27 11 -8 -18 -17 -44 -21 -63Z', TEAL), line('M104 74c2 -12 12 -20 26 -24', PALE, 4),
    glow(158, 128, 32), shape('M158 98c9 0 12 8 12 18 0 8 8 14 6 28 -2 12 -12 18 -22 15 -11 -3 -15 -14 -11 -26 3 -8 5 -12 5 -20 0 -9 3 -15 10 -15Z', GOLD), line('M150 132c-3 6 -3 11 0 16', CREAM, 3.4), line('M162 100c4 -10 16 -10 20 2 4 14 2 34 14 46', TEAL, 5.5), line('M184 104c4 -8 10 -12 16 -13', TEAL, 5.5),
  ),

  'piles-surgery': field(
    line('M118 132V70c0 -20 8 -30 22 -30 10 0 12 6 20 6s10 -6 20 -6c14 0 22 10 22 28v30c0 16 -12 20 -26 22 -10 1 -16 6 -16 16v30', LIGHT, 26), line('M118 132V70c0 -20 8 -30 22 -30 10 0 12 6 20 6s10 -6 20 -6c14 0 22 10 22 28v30c0 16 -12 20 -26 22 -10 1 -16 6 -16 16v30', MID, 17),
    line('M111 66h14M111 84h14M111 102h14M150 36l2 14M170 38l-2 14M195 62h14M195 82h14', PALE, 3), dot(118, 136, 15, MID), line('M106 146c-4 4 -4 10 0 14', LIGHT, 6), glow(160, 156, 30), line('M160 128v18', MID, 17), shape('M147 142h26l5 26h-36Z', TEAL), oval(149, 160, 8, 10, GOLD), oval(171, 160, 8, 10, GOLD), dot(147, 156, 2.4, CREAM), dot(169, 156, 2.4, CREAM), line('M160 146v26', CREAM, 3),
  ),

  'cataract-surgery': field(
    glow(160, 92, 76), shape('M68 92C94 54 126 38 160 38s66 16 92 54c-26 36 -58 52 -92 52S94 128 68 92Z', TEAL), shape('M80 92c22 -30 50 -44 80 -44s58 14 80 44c-22 29 -50 42 -80 42s-58 -13 -80 -42Z', WHITE), dot(160, 92, 40, MID), dot(160, 92, 40, MID),
    line('M160 56v10M160 118v10M124 92h10M186 92h10M135 67l7 7M178 110l7 7M185 67l-7 7M142 110l-7 7', LIGHT, 3.4), dot(160, 92, 24, DARK), dot(160, 92, 17, GOLD), dot(160, 92, 12, GLOW), line('M143 92c-10 -2 -14 -12 -8 -18M177 92c10 2 14 12 8 18', GOLD, 3), dot(172, 78, 6, WHITE),
    line('M80 52c6 -9 12 -15 20 -20M116 28c8 -4 16 -7 24 -8M240 52c-6 -9 -12 -15 -20 -20M204 28c-8 -4 -16 -7 -24 -8', TEAL, 4.5),
  ),

  hysterectomy: field(
    tube() + mirrored(320, tube()), shape('M118 46c26 10 58 10 84 0 10 18 2 34 -8 50 -9 14 -14 26 -16 40l-2 30h-32l-2 -30c-2 -14 -7 -26 -16 -40 -10 -16 -18 -32 -8 -50Z', GOLD), shape('M134 62c16 6 36 6 52 0 2 10 -4 18 -10 28 -6 10 -10 20 -11 30h-10c-1 -10 -5 -20 -11 -30 -6 -10 -12 -18 -10 -28Z', CREAM), shape('M142 136h36l-2 30h-32Z', TEAL), line('M160 140v20', PALE, 3.4),
    line('M134 132c16 8 36 8 52 0', GOLD, 4), line('M104 60c10 6 14 20 14 30M216 60c-10 6 -14 20 -14 30', GOLD, 3.4),
  ),

  'varicose-vein-treatment': field(
    shape('M132 0h64c2 40 -2 62 -6 82 -4 22 4 40 2 62 -1 12 -4 24 -6 36h-38c-2 -14 -2 -24 -8 -36 -12 -24 -10 -40 -6 -62 4 -24 0 -52 -2 -82Z', SKIN[0]), shape('M170 0h26c2 40 -2 62 -6 82 -4 22 4 40 2 62 -1 12 -4 24 -6 36h-18c2 -20 6 -40 4 -60 -3 -30 2 -70 -2 -120Z', SKIN[1]),
    line('M178 0C176 40 182 60 174 84c-6 18 6 40 0 96', MID, 5), line('M152 0c2 20 -2 34 0 50', TEAL, 6), glow(152, 106, 34), line('M152 50c0 14 -14 14 -12 26 2 11 18 10 17 22 -1 11 -18 11 -17 23 1 11 16 11 15 22 0 10 -3 18 -2 37', GOLD, 7), line('M157 98c6 2 10 4 13 10M140 121c-4 3 -6 6 -7 12', GOLD, 4), line('M236 70 178 94', TEAL, 3.5), line('M240 68 268 56', TEAL, 10), dot(158, 101, 4.5, WHITE),
  ),

  'slipped-disc-surgery': field(
    glow(184, 92, 40), line('M208 8c-6 40 -10 60 -8 84 2 30 8 50 10 80', GLOW, 12),
    vertebra(116, 8), vertebra(112, 62, true), vertebra(116, 124), shape('M122 50h60c6 0 8 8 2 10h-64c-6 -2 -4 -10 2 -10Z', LIGHT), shape('M118 108h66c10 -3 20 0 20 7s-10 10 -20 8h-66c-6 -2 -6 -12 0 -15Z', GOLD), line('M128 115h44', CREAM, 3), line('M204 116c14 2 28 8 40 22M202 66c14 0 26 4 38 14', GLOW, 6), line('M212 102l8 -8M216 114h10M212 126l6 7', TEAL, 3.4),
  ),
};

function tube() {
  return line('M124 54C104 34 78 36 72 60c-2 8 0 12 2 18', TEAL, 8) + line('M72 78l-7 10M75 79v12M78 77l8 9', TEAL, 4) + oval(96, 88, 15, 11, MID) + dot(92, 85, 3, PALE) + line('M110 88c6 0 12 -2 16 -6', LIGHT, 4);
}

function vertebra(x, y, wide = false) {
  const width = wide ? 70 : 66;
  return at(`translate(${x} ${y})`, shape(`M6 0h${width - 6}c6 0 8 5 5 10 -4 8 -4 16 0 24 3 5 1 10 -5 10H6c-6 0 -8 -5 -5 -10 4 -8 4 -16 0 -24C-2 5 0 0 6 0Z`, TEAL), shape(`M6 0h${width - 20}c-8 14 -8 30 0 44H6c-6 0 -8 -5 -5 -10 4 -8 4 -16 0 -24C-2 5 0 0 6 0Z`, MID));
}
