/** Scenes of the services, 320 by 180, by slug. */
import { CREAM, DARK, GLOW, GOLD, INK, LIGHT, MID, PALE, SKIN, SOFT, TEAL, WHITE, at, box, cross, dot, line, oval, shape } from './parts.mjs';

/** A room with wall, light and floor. */
const room = (x, y, r) => box(0, 0, 320, 180, 0, SOFT) + dot(x, y, r, CREAM) + shape('M0 148H320V180H0Z', PALE);
const pillow = (x, y) => box(x, y, 34, 18, 8, WHITE);
const wheels = (...xs) => xs.map((x) => dot(x, 160, 6, DARK) + dot(x, 160, 2.2, LIGHT)).join('');
/** A bed from the side, with its head to the left and a patient in it. */
const bed = (x, y, blanket, skin, hair) => at(
  `translate(${x} ${y})`,
  line('M2 -22V46M138 -6V46', TEAL, 5), box(2, 18, 136, 12, 5, TEAL), box(4, 6, 132, 14, 6, WHITE), pillow(8, -8),
  skin ? shape('M18 -11a11 11 0 0 1 21 -3c2 6 -3 5 -5 11l-9 1Z', hair) + dot(29, -6, 9.5, skin) : '',
  shape('M40 20V2C48 -10 62 -9 76 -8 96 -7 112 -5 130 4a8 8 0 0 1 6 8v8Z', blanket), line('M44 4c4 -5 9 -7 16 -7', WHITE, 4),
);
const drip = (x) =>
  line(`M${x} 30V152M${x - 14} 30h28M${x - 12} 156l12 -6 12 6`, TEAL, 3.5) + box(x + 6, 32, 16, 26, 6, WHITE) + box(x + 6, 44, 16, 14, 5, GLOW) + line(`M${x + 14} 58c0 26 -2 32 -20 42`, MID, 2);
const operatingLamp = (x, y) => at(
  `translate(${x} ${y})`,
  shape('M-52 20 -86 118H86L52 20Z', CREAM), line('M0 -60V-22', TEAL, 5), shape('M-58 20C-52 -8 -28 -24 0 -24S52 -8 58 20Z', TEAL),
  dot(-30, 18, 9, GOLD), dot(0, 18, 9, GOLD), dot(30, 18, 9, GOLD), dot(-30, 18, 4, CREAM), dot(0, 18, 4, CREAM), dot(30, 18, 4, CREAM),
);
/** Head and shoulders in theatre clothes, around (0, 0). */
const surgeon = (x, y, skin, gown) => at(
  `translate(${x} ${y})`,
  shape('M-34 62C-34 36 -20 26 0 26S34 36 34 62Z', gown), shape('M-8 16h16v14a8 8 0 0 1 -16 0Z', skin), dot(0, 4, 18, skin),
  shape('M-19 0C-19 -14 -11 -21 0 -21S19 -14 19 0Z', TEAL), shape('M-17.5 6h35C17 16 9 23 0 23S-17 16 -17.5 6Z', WHITE), line('M-17 7l-2 -6M17 7l2 -6', PALE, 2), dot(-7, 2.5, 1.9, INK), dot(7, 2.5, 1.9, INK),
);

export const SERVICES = {
  'icu-intensive-care-unit':
    room(252, 56, 62) + at('translate(20 0)', box(196, 22, 92, 62, 8, TEAL), box(202, 28, 80, 50, 4, DARK), line('M208 54h16l6 -14 10 28 7 -18 5 8h24', GOLD, 3.4), line('M208 70h30M250 70h24', MID, 3), line('M242 84v20', TEAL, 6), line('M222 106h40', TEAL, 6)) +
    bed(32, 112, MID, SKIN[1], INK) + wheels(48, 156) + drip(186),

  'emergency-services':
    box(0, 0, 320, 180, 0, SOFT) + dot(262, 44, 30, CREAM) + dot(262, 44, 20, GLOW) + shape('M0 150C60 132 110 134 170 142S280 142 320 130V180H0Z', PALE) +
    box(58, 34, 168, 116, 6, WHITE) + box(58, 34, 168, 18, 6, TEAL) + box(112, 12, 60, 40, 8, GOLD) + cross(142, 32, 11, WHITE, 8) +
    box(74, 66, 26, 28, 4, SOFT) + box(184, 66, 26, 28, 4, GLOW) + shape('M108 62H176L188 78H96Z', TEAL) + box(112, 78, 60, 72, 3, DARK) + box(116, 82, 25, 68, 2, LIGHT) + box(143, 82, 25, 68, 2, LIGHT) + line('M136 116v10M148 116v10', TEAL, 3) +
    at('translate(196 120)', line('M8 16H88M20 18l16 24M76 18l-16 24', TEAL, 4), box(6, 4, 84, 11, 5, WHITE), shape('M30 6c10 -12 40 -10 56 -2v4H30Z', MID), dot(18, -1, 8, SKIN[2]), shape('M10 -3a8.5 8.5 0 0 1 16 -3c-6 -1 -9 1 -16 3Z', INK), dot(34, 44, 5, DARK), dot(64, 44, 5, DARK)),

  'laboratory-services':
    room(80, 66, 58) + box(20, 136, 280, 12, 4, WHITE) + box(20, 146, 280, 34, 0, LIGHT) +
    at('translate(108 28)', line('M0 104h72', TEAL, 9), line('M40 26c26 4 42 20 42 44 0 14 -6 24 -18 32', MID, 10), at('rotate(-22 36 30)', box(25, -14, 22, 16, 4, GOLD), box(22, 0, 28, 44, 6, TEAL), box(28, 44, 16, 14, 3, MID), line('M27 14h18', LIGHT, 3)), line('M6 84h44', TEAL, 7), line('M20 79h20', GLOW, 3)) +
    at('translate(212 86)', line('M0 48V10M76 48V10M0 24h76M0 44h76', TEAL, 4), tube(10, MID), tube(29, GOLD), tube(48, LIGHT)) +
    at('translate(38 84)', shape('M20 0h16v18l18 28c3 5 0 8 -5 8H7c-5 0 -8 -3 -5 -8l18 -28Z', WHITE), shape('M12 32h32l10 14c3 5 0 8 -5 8H7c-5 0 -8 -3 -5 -8Z', GOLD), line('M17 0h22', TEAL, 4), dot(24, 42, 3, CREAM), dot(34, 46, 2.2, CREAM)),

  'digital-x-ray':
    room(82, 70, 60) + box(140, 14, 136, 128, 10, TEAL) + box(148, 22, 120, 112, 6, DARK) + line('M208 30v92', CREAM, 5) +
    line('M202 44c-18 -4 -32 4 -36 18M202 60c-20 -4 -36 4 -40 22M202 76c-20 -4 -36 6 -40 24M202 92c-18 -3 -32 6 -36 22M214 44c18 -4 32 4 36 18M214 60c20 -4 36 4 40 22M214 76c20 -4 36 6 40 24M214 92c18 -3 32 6 36 22', PALE, 4.4) + line('M176 38c10 -8 22 -6 32 -2 10 -4 22 -6 32 2', LIGHT, 4.4) + shape('M214 74c4 -8 20 -6 20 6 0 10 -12 16 -20 22Z', GOLD) +
    line('M208 142v14M184 158h48', TEAL, 6) +
    at('translate(30 24)', line('M52 0V40', TEAL, 5), box(28, 36, 48, 36, 8, MID), box(70, 44, 16, 20, 4, GOLD), dot(46, 54, 8, SOFT), shape('M86 46 108 36V72L86 62Z', GLOW)) + line('M20 22h140', TEAL, 5),

  'modular-ot':
    room(160, 80, 0) + operatingLamp(150, 42) + shape('M0 148H320V180H0Z', PALE) + surgeon(58, 78, SKIN[0], MID) + surgeon(240, 78, SKIN[2], MID) +
    box(66, 124, 172, 14, 6, WHITE) + shape('M76 126c6 -16 30 -18 52 -18h48c24 0 44 6 50 18Z', LIGHT) + shape('M128 108h46l6 18h-58Z', TEAL) + box(138, 112, 26, 9, 3, CREAM) + line('M152 138v22M128 162h48', TEAL, 7) +
    box(270, 30, 40, 30, 5, TEAL) + line('M276 46h8l4 -8 5 14 4 -6h7', GOLD, 2.6) + line('M290 60v90', TEAL, 4),

  'gynecology-ot':
    room(160, 80, 0) + operatingLamp(96, 40) + shape('M0 148H320V180H0Z', PALE) + surgeon(98, 84, SKIN[1], MID) + shape('M62 126c10 -14 22 -12 36 -12s28 -2 38 12l-6 22H68Z', MID) + swaddle(98, 122) +
    at('translate(196 92)', shape('M0 0H98L88 34H10Z', PALE), box(-4, -6, 106, 10, 5, WHITE), shape('M14 -6C14 -26 30 -36 52 -36V-6Z', LIGHT), line('M20 34V62M78 34V62M20 48h58', TEAL, 4.5), dot(20, 66, 5, DARK), dot(78, 66, 5, DARK), box(36, 10, 28, 12, 6, GOLD)) + dot(262, 36, 16, CREAM) + line('M262 28v16M254 36h16', GOLD, 4),

  'ambulance-services':
    box(0, 0, 320, 180, 0, SOFT) + dot(256, 56, 40, CREAM) + dot(256, 56, 25, GLOW) + shape('M0 120C50 84 100 96 150 110S260 96 320 112V180H0Z', PALE) + shape('M0 134C70 112 150 128 210 126S290 122 320 128V180H0Z', LIGHT) + box(0, 142, 320, 38, 0, TEAL) + line('M14 166h34M84 166h34M154 166h34M224 166h34M294 166h20', GLOW, 3.5) +
    at('translate(58 44)', box(18, -11, 22, 12, 4, GOLD), line('M29 -20v-4M14 -14l-4 -3M44 -14l4 -3', GOLD, 3), box(0, 0, 136, 96, 10, WHITE), shape('M136 26h34c6 0 10 3 13 8l19 34c2 3 2 6 2 9v13a6 6 0 0 1 -6 6h-62Z', WHITE), shape('M144 36h24c3 0 5 1 7 4l14 26h-45Z', MID), box(0, 66, 204, 12, 0, GOLD), cross(66, 34, 18, TEAL, 13), line('M136 8v82', PALE, 3), box(192, 76, 12, 8, 3, GLOW), dot(40, 98, 19, INK), dot(40, 98, 8, PALE), dot(162, 98, 19, INK), dot(162, 98, 8, PALE)),

  'ultrasound-services':
    room(70, 62, 54) + box(126, 16, 150, 106, 10, TEAL) + box(134, 24, 134, 90, 6, DARK) + shape('M190 30h22l44 64c-28 20 -82 20 -110 0Z', LIGHT) + shape('M196 34h10l36 56c-24 15 -58 15 -82 0Z', PALE) +
    shape('M205 96c-18 0 -30 -9 -30 -22 0 -4 2 -8 5 -10 8 6 12 8 22 6 2 -6 8 -9 14 -7 7 2 11 9 11 16 0 11 -9 17 -22 17Z', MID) + dot(186, 62, 11.5, MID) + dot(216, 74, 4, GOLD) + line('M206 88c-4 3 -12 2 -16 -3', PALE, 2.4) +
    line('M201 122v26', TEAL, 8) + box(144, 140, 114, 14, 6, MID) + box(154, 130, 40, 10, 4, WHITE) + dot(222, 135, 5, GOLD) + dot(240, 135, 5, WHITE) +
    at('rotate(24 70 96)', box(56, 58, 26, 50, 10, WHITE), box(52, 104, 34, 16, 8, MID), box(62, 44, 14, 18, 6, TEAL)) + line('M82 52C96 10 118 60 126 44', TEAL, 4) + line('M34 128c6 6 14 8 22 8M28 138c8 8 20 12 32 11', GOLD, 3.5),

  'labour-room':
    box(0, 0, 320, 180, 0, SOFT) + box(190, 18, 96, 86, 8, WHITE) + box(196, 24, 84, 74, 4, CREAM) + dot(238, 66, 24, GLOW) + line('M238 24v74M196 61h84', WHITE, 4) + shape('M184 104h108v8H184Z', TEAL) + shape('M0 148H320V180H0Z', PALE) +
    shape('M196 16c-14 24 -14 70 -22 92h22ZM280 16c14 24 14 70 22 92h-22Z', LIGHT) +
    at('translate(104 30)', shape('M-30 30C-34 4 -18 -12 4 -12S38 6 34 34c-2 16 6 22 12 30H-24C-30 56 -28 44 -30 30Z', INK), shape('M-8 46h20v18c0 6 -20 6 -20 0Z', SKIN[2]), shape('M-62 118C-62 84 -40 66 -10 62h24C44 66 64 84 64 118Z', MID), dot(2, 28, 24, SKIN[1]), shape('M-23 24C-22 6 -12 -2 2 -2S26 6 27 24C18 20 12 12 6 6 0 14 -12 22 -23 24Z', INK), line('M-9 30c2 2 5 2 7 0M8 30c2 2 5 2 7 0', INK, 2), line('M-2 41c3 2.5 6 2.5 9 0', DARK, 2.2)) +
    at('translate(112 116) rotate(-16)', oval(0, 8, 46, 21, CREAM), shape('M-20 -10C0 -16 34 -14 46 6 34 22 8 30 -14 24Z', GOLD), dot(-26, 2, 15, SKIN[0]), shape('M-41 0C-40 -12 -33 -16 -24 -15 -16 -14 -12 -8 -12 -2 -20 -6 -32 -6 -41 0Z', CREAM), line('M-32 4c1.5 1.2 3 1.2 4.5 0M-23 4c1.5 1.2 3 1.2 4.5 0', INK, 1.6)) + line('M58 132c22 18 66 20 100 -6', SKIN[1], 13),

  wards:
    box(0, 0, 320, 180, 0, SOFT) + box(126, 18, 76, 58, 6, WHITE) + box(131, 23, 66, 48, 3, CREAM) + dot(178, 44, 13, GLOW) + line('M164 23v48', WHITE, 4) + line('M8 14h104M208 14h104', TEAL, 4) + shape('M14 14h28c-4 40 -2 90 2 134H14ZM306 14h-28c4 40 2 90 -2 134h30Z', LIGHT) + line('M24 16v130M34 16v130M296 16v130M286 16v130', PALE, 2.4) + shape('M0 148H320V180H0Z', PALE) +
    at('translate(8 0) scale(.92 1)', bed(30, 112, MID, SKIN[0], '#8d8f92')) + wheels(50, 148) + box(168, 112, 40, 40, 5, WHITE) + line('M168 130h40', PALE, 3) + dot(188, 121, 2, TEAL) + dot(188, 141, 2, TEAL) + shape('M182 112l2 -12h8l2 12Z', TEAL) + line('M188 100c0 -14 -8 -16 -12 -18M188 100c2 -10 8 -14 12 -14', MID, 3) + dot(175, 80, 6, GOLD) + dot(201, 84, 6, GOLD) + dot(189, 78, 5, GLOW) +
    at('translate(268 70)', oval(-8, 82, 8, 5, DARK), oval(10, 82, 8, 5, DARK), shape('M-20 18c0 -16 8 -22 20 -22s20 6 20 22l8 60h-56Z', WHITE), dot(0, -20, 14, SKIN[1]), shape('M-15 -22C-15 -34 -8 -38 0 -38S15 -34 15 -22C6 -28 -6 -28 -15 -22Z', INK), shape('M-9 -36h18l-2 -9h-14Z', TEAL), line('M-12 4 -34 34', WHITE, 9), dot(-36, 37, 5.5, SKIN[1]), cross(8, 16, 4, TEAL, 3), line('M-6 -17h.1M6 -17h.1', INK, 3), line('M-4 -11c2.5 2 5.5 2 8 0', DARK, 1.8)),
};

function tube(x, fill) {
  return box(x, -4, 13, 46, 6.5, WHITE) + shape(`M${x} 16h13v19a6.5 6.5 0 0 1 -13 0Z`, fill);
}

function swaddle(x, y) {
  return at(`translate(${x} ${y})`, shape('M-30 4C-30 -10 -12 -13 4 -12 22 -11 34 -4 34 6S20 22 0 22 -30 16 -30 4Z', CREAM), shape('M-6 -12C12 -14 34 -8 34 6 34 16 16 22 -4 22 6 12 4 -2 -6 -12Z', GOLD), dot(-18, 3, 10, SKIN[0]), line('M-23 4c1 1 2.5 1 3.5 0M-16 4c1 1 2.5 1 3.5 0', INK, 1.5));
}
