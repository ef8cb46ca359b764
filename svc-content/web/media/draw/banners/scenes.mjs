/**
 * The seven banners of the home page, each 890 by 356 with its floor at y = 296. Phones show only the middle 475 units,
 * so the subject must be there.
 */
import {
  C, SKIN, ambulance, at, baby, bed, box, cross, dot, fill, flower, line, many, monitor, oval, person, plant, seated, tree, turn, windowAt,
} from '../pictures/parts.mjs'; // prettier-ignore

const GREY_HAIR = '#c9d3d6';
const FLOOR = '#a9d0d2';

const room = (wall, glow, x, floor = FLOOR) => fill('M0 0h890v356H0z', wall) + dot(x, 132, 150, glow) + fill('M0 296h890v60H0z', floor);
const hills = (sky, sun, x) =>
  fill('M0 0h890v356H0z', sky) + dot(x, 92, 78, C.cream) + dot(x, 92, 48, sun) +
  fill('M0 244c150-70 300-52 440-18s320 20 450-34v164H0z', C.pale) + fill('M0 296c280-26 610-26 890 0v60H0z', '#9fc9cb');
const bird = (x, y) => line(`M${x} ${y}q7-8 13 0q6-8 13 0`, C.sea, 3);
const bush = (x, y, colour = C.leaf) => fill(`M${x} ${y}c-4-30 12-42 30-40 6-18 36-18 44 0 20-4 34 14 28 40z`, colour);
/** Champaca flowers on the ground or on a bush, too small to show petals. */
const blossoms = (places) => line(places.map(([x, y]) => `M${x} ${y}h7M${x + 3} ${y - 4}v7`).join(''), C.gold, 5) + line(places.map(([x, y]) => `M${x + 3} ${y}h0`).join(''), C.cream, 4);
const lightFrom = (points, opacity = 0.5) => `<path d="${points}" fill="${C.cream}" opacity="${opacity}"/>`;

/** Front of the hospital, seen from the garden path. */
function hospital(x, y) {
  const row = (top) => [22, 66, 110, 242, 286, 330].map((left) => `M${left} ${top}h28v34h-28z`).join('');
  return at(x, y,
    fill('M0-190h380v190H0z', C.white) + fill('M0-190h380v20H0z', C.teal) + box(144, -238, 92, 60, C.teal, 8) + cross(190, -212, 15, C.white) +
    fill(row(-150) + row(-98), '#cfe6e7') + fill('M66-150h28v34h-28zM286-98h28v34h-28z', C.light) +
    box(152, -96, 76, 96, C.teal, 10) + fill('M160-84h28v84h-28zM192-84h28v84h-28z', '#cfe6e7') + fill('M128-108h124l14 18H114z', C.gold));
} // prettier-ignore

const dripStand = (x, y = 296) => line(`M${x} ${y - 2}v-158M${x - 18} ${y - 2}h36M${x} ${y - 160}h22v12`, C.slate, 5) + box(x + 12, y - 150, 20, 34, C.cream, 6) + line(`M${x + 22} ${y - 116}c0 30 26 24 40 52`, C.mist, 3);
const lamp = (x, y) => line(`M${x} 0v${y - 18}`, C.mist, 7) + fill(`M${x - 76} ${y}q76-50 152 0z`, C.white) + fill(`M${x - 58} ${y}h116l-12 9h-92z`, C.light);
/** Surgeon with cap, mask and gown. */
const surgeon = (x, hands, scale = 1) =>
  person(x, 296, { top: C.sea, legs: C.sea, hands, skin: SKIN[2] }, scale) +
  at(x, 296, fill('M-17-119c0-22 34-22 34 0q-17-6-34 0z', C.leaf) + fill('M-13-113q13-5 26 0c0 12-6 17-13 17s-13-5-13-17z', C.air), scale);
const tube = (x, y, colour) => line(`M${x} ${y}v32`, C.white, 13) + line(`M${x} ${y + 15}v17`, colour, 8);
const bottle = (x, y, colour, height = 40) => box(x, y - height, 28, height, colour, 7) + box(x + 8, y - height - 12, 12, 14, C.teal, 3);
const microscope = (x, y, scale) =>
  at(x, y, line('M-26 0h66M0-18h34M30-4c30-22 28-70-8-84', C.teal, 11) + turn(2, -64, 24, box(-11, -44, 22, 62, C.teal, 7) + box(-7, -62, 14, 22, C.ink, 4) + box(-5, 16, 10, 16, C.slate, 3)), scale);
const wheelchair = (x, y = 296) => line(`M${x - 24} ${y - 92}v56h50l10 30h14M${x - 24} ${y - 84}h-14`, C.slate, 6) + `<circle cx="${x - 6}" cy="${y - 32}" r="30" stroke="${C.teal}" stroke-width="6"/>` + dot(x + 36, y - 8, 9, C.teal);
const bench = (x, width, y = 296) => line(`M${x} ${y - 40}h${width}M${x} ${y - 74}h${width}`, C.teal, 9) + line(`M${x + 16} ${y - 72}v70M${x + width - 16} ${y - 72}v70`, C.teal, 6);
const skyline = (places, colour) => fill(places.map(([x, top, width]) => `M${x} ${top}h${width}V300h-${width}z`).join(''), colour);

export const SCENES = {
  arrival:
    hills('#d6e9eb', C.light, 668) + bird(120, 70) + bird(172, 96) + hospital(262, 300) +
    fill('M404 296h98l70 60H330z', C.cream) + at(-10, 40, tree(196, 262), 1) + tree(820, 300) +
    bush(262, 300) + bush(560, 300, C.sea) + blossoms([[286, 284], [312, 274], [338, 286], [590, 280], [620, 288], [150, 316], [212, 322], [178, 308]]) +
    person(452, 292, { coat: true, top: C.sea, hands: [[-22, -54], [32, -116]], skin: SKIN[2] }, 0.86) +
    person(372, 330, { dress: C.gold, style: 'braid', skin: SKIN[1], hands: [[-22, -58], [26, -66]] }) +
    person(332, 330, { dress: C.teal, pallu: C.sea, style: 'bun', hair: GREY_HAIR, skin: SKIN[0], hands: [[-24, -56], [26, -60]] }, 0.94) + line('M306 276v50', C.slate, 5),

  ward:
    room(C.air, C.cream, 610) + windowAt(300, 46, 150, 128) + windowAt(500, 46, 150, 128) + 
    fill('M690 0h190v250q-24 20-48 0-24 20-48 0-24 20-47 0-24 20-47 0z', C.pale) + line('M690 6h190', C.teal, 8) +
    bed(320, 296, 290) + dot(352, 224, 16, SKIN[0]) + fill('M338 216a15 15 0 0 1 29-2q-14-6-29 2z', GREY_HAIR) + fill('M372 246q20-22 60-14l168 8q8 2 8 26H372z', C.gold) + line('M392 238l44-8', SKIN[0], 9) +
    dripStand(296) + person(476, 300, { top: C.teal, legs: C.teal, style: 'bun', hands: [[-34, -66], [22, -84]], skin: SKIN[2] }, 1.18) + box(494, 176, 44, 54, C.white, 5) + line('M504 192h24M504 204h24M504 216h14', C.mist, 4) +
    monitor(654, 116, 120, 82) + line('M714 200v94M690 294h48', C.slate, 6) + plant(812) + at(96, 0, bed(0, 296, 150, C.cream), 1) + plant(250, 296),

  theatre:
    fill('M0 0h890v356H0z', C.teal) + dot(444, 150, 176, '#1c6a76') + fill('M0 296h890v60H0z', '#083f4a') + lightFrom('M366 74h156l84 150H282z', 0.22) +
    lamp(444, 64) + lamp(640, 40) + surgeon(350, [[28, -74], [36, -62]], 1.22) + surgeon(540, [[-32, -62], [-28, -76]], 1.22) + surgeon(446, [[-18, -66], [18, -66]], 1.2) +
    box(284, 222, 320, 30, C.mist, 12) + fill('M290 214q150-26 308 0l16 44q-170 20-340 0z', C.sea) + box(410, 208, 68, 16, C.light, 5) + line('M444 260v34M404 296h80', C.mist, 10) +
    monitor(676, 118, 146, 98) + line('M749 218v76M718 294h62', C.mist, 7) + dripStand(240) + box(110, 212, 110, 12, C.white, 4) + line('M124 226v68M206 226v68', C.mist, 6) + line('M126 206h22M160 206h14M184 206h24', C.light, 5) +
    box(40, 70, 130, 84, '#1c6a76', 8) + line('M56 96h98M56 116h98M56 136h60', C.mist, 5),

  laboratory:
    room(C.cream, '#f7e2b3', 420, '#c3dfe0') + line('M210 96h190M210 172h190', C.teal, 7) +
    bottle(226, 92, C.sea, 44) + bottle(268, 92, C.mist, 34) + bottle(310, 92, C.gold, 40) + bottle(354, 92, C.sea, 30) + bottle(232, 168, C.mist, 30) + bottle(276, 168, C.light, 44) + bottle(322, 168, C.sea, 36) +
    windowAt(690, 44, 150, 124) + person(446, 288, { coat: true, top: C.teal, style: 'bun', skin: SKIN[2], hands: [[-30, -72], [40, -66]] }, 1.32) +
    box(150, 222, 600, 16, C.teal, 6) + fill('M170 238h560v58H170z', C.white) + line('M310 246v44M450 246v44M590 246v44', C.pale, 4) +
    microscope(540, 220, 1.1) + box(292, 196, 96, 26, C.teal, 6) + tube(308, 170, C.gold) + tube(330, 170, C.sea) + tube(352, 170, C.gold) + tube(374, 170, '#7fb3b6') +
    box(646, 166, 84, 56, C.white, 12) + oval(688, 172, 34, 12, C.mist) + dot(712, 204, 6, C.gold) + fill('M190 222l14-30v-20h20v20l14 30z', C.white) + fill('M197 208h34l7 14h-48z', C.gold) +
    person(88, 304, { coat: true, top: C.sea, skin: SKIN[0], hands: [[-18, -58], [40, -82]] }, 1.2),

  mother:
    room('#fdf3dc', '#f7e2b3', 440, '#e9cf96') + windowAt(240, 36, 132, 134, '#d6e9eb') + dot(330, 78, 17, C.light) + oval(444, 312, 250, 26, C.cream) +
    box(366, 150, 150, 120, C.sea, 34) + box(350, 208, 36, 84, C.teal, 16) + box(500, 208, 36, 84, C.teal, 16) + box(372, 232, 140, 44, C.sea, 14) +
    seated(436, 300, { dress: C.gold, pallu: C.light, style: 'long', skin: SKIN[1], hands: [[30, -56], [34, -50]] }, 1.36) + at(478, 226, baby(0, 0, C.white, SKIN[2]), 1.12) +
    person(586, 304, { top: C.teal, legs: C.ink, skin: SKIN[0], hands: [[-46, -92], [20, -54]] }, 1.26) +
    line('M640 292q46 20 92 0M650 234v54M722 234v54', C.teal, 7) + fill('M640 226h92l-8 46q-38 12-76 0z', C.white) + fill('M640 226c0-30 40-42 52-22l-22 22z', C.pale) +
    line('M232 294v-70', C.slate, 5) + fill('M204 226h56l-12-42h-32z', C.gold) + plant(150) + line('M776 40v34M816 40v58M856 40v26', C.slate, 3) + flower(776, 92, 0.6) + flower(816, 116, 0.6) + flower(856, 84, 0.6) + at(284, 304, dot(0, -12, 12, C.teal) + dot(24, -8, 8, C.gold), 1),

  ambulance:
    fill('M0 0h890v356H0z', C.teal) + fill('M0 96c200-34 600-34 890 0v260H0z', '#2f7680') + fill('M0 158c260-34 620-34 890 0v198H0z', '#e9b95a') + dot(752, 214, 70, C.light) + dot(752, 214, 44, C.cream) +
    many([[96, 40], [190, 72], [318, 30], [470, 62], [560, 26], [760, 56], [838, 30]], (x, y) => dot(x, y, 3, C.cream)) +
    skyline([[0, 200, 70], [78, 168, 54], [140, 214, 88], [236, 150, 60], [304, 190, 74], [700, 176, 58], [766, 140, 64], [836, 196, 54]], '#0f5a67') + fill('M14 216h12v14H14zM92 188h10v14H92zM250 172h12v14h-12zM276 200h12v14h-12zM784 160h12v14h-12zM806 190h12v14h-12zM716 196h12v14h-12zM324 210h12v14h-12z', C.light) +
    tree(150, 300) + tree(858, 304) + fill('M0 284h890v72H0z', '#083f4a') + line('M20 330h70M150 330h70M280 330h70M410 330h70M540 330h70M670 330h70M800 330h70', C.mist, 5) +
    lightFrom('M622 262l268-34v100z', 0.32) + at(312, 312, ambulance(0, 0), 1.34) + fill('M364 108l-26-20M392 100V70M420 108l26-20', C.light) + line('M356 108l-20-16M384 98V74M412 108l20-16', C.light, 6) + dot(616, 256, 9, C.cream),

  garden:
    hills('#e1f0f1', C.light, 300) + bird(520, 60) + bird(478, 92) + bird(700, 48) + at(0, 0, tree(196, 304), 1) + at(660, 306, tree(0, 0), 1.3) + fill('M0 322c220-30 420-22 560-14s240 6 330-6v54H0z', C.cream) +
    bench(246, 178, 308) + seated(302, 312, { dress: C.teal, pallu: C.light, style: 'bun', hair: GREY_HAIR, skin: SKIN[1], hands: [[24, -58], [30, -54]] }, 1.14) + seated(372, 312, { top: C.white, legs: C.slate, style: 'thin', hair: GREY_HAIR, skin: SKIN[0], hands: [[-16, -60], [26, -52]] }, -1.14) +
    at(556, 20, wheelchair(0) + seated(0, 292, { top: C.gold, legs: C.teal, skin: SKIN[2], hands: [[18, -58], [24, -56]] }) + person(-62, 298, { coat: true, top: C.sea, style: 'braid', skin: SKIN[4], hands: [[-20, -58], [26, -84]] }), 1) +
    bush(60, 320) + bush(748, 318, C.sea) + bush(812, 322) + blossoms([[84, 304], [112, 294], [136, 308], [774, 300], [806, 292], [838, 304], [220, 322], [250, 334], [640, 336], [668, 326], [700, 338]]),
};
