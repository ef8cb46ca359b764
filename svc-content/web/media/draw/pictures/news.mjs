/** Drawings of news items and their attachments. */
import {
  C, SKIN, ambulance, at, baby, bed, box, building, clipboard, cross, dot, drop, fill, flower, heart, line, many, monitor,
  outdoors, paper, person, plant, room, tree, turn, windowAt,
} from './parts.mjs'; // prettier-ignore

const nurse = { top: C.sea, legs: C.teal, style: 'bun', skin: SKIN[1] };
const doctor = { coat: true, top: C.teal, legs: C.slate, skin: SKIN[2] };
const seal = (x, y, scale = 1) => at(x, y, fill('M-22 26l-8 56 30-16 30 16-8-56z', C.teal) + dot(0, 0, 46, C.gold) + dot(0, 0, 34, C.cream) + line('M-16 0l11 12 22-26', C.teal, 8), scale);
const film = (x, y, bones) => box(x, y, 130, 160, C.ink, 8) + at(x, y, bones);
const ribs = line('M65 20v120', C.pale, 9) + line('M62 40c-30-8-40 4-42 22M62 66c-32-8-44 6-44 24M62 92c-28-6-38 6-40 20M68 40c30-8 40 4 42 22M68 66c32-8 44 6 44 24M68 92c28-6 38 6 40 20', C.mist, 6);
const hand = line('M65 140v-40M65 100l-30-48M65 96l-10-66M67 96l10-66M69 100l28-44M60 116l-34-20', C.pale, 8);
const child = (x, y, top, style = 'short', skin = SKIN[2]) => person(x, y, { top, legs: C.slate, style, skin, r: 19 }, 0.8);
const couch = (x, y = 296) => line(`M${x} ${y - 56}h150l36-44`, C.teal, 20) + line(`M${x + 20} ${y - 46}v44M${x + 130} ${y - 46}v44`, C.sea, 7);
const bag = (x, y) => line(`M${x} ${y - 40}v-14h22v14`, C.slate, 4) + box(x - 8, y - 40, 38, 52, C.cream, 8) + fill(`M${x - 4} ${y - 18}h30v20q0 6-6 6h-18q-6 0-6-6z`, C.gold);

export const NEWS = {
  'accreditation-renewed': outdoors('air', 520) + building(110, 304, 260) + seal(480, 160, 1.7) + tree(60, 306),
  'accreditation-renewed-certificate': room('cream', 320) + box(150, 50, 340, 232, C.teal, 10) + box(164, 64, 312, 204, C.white, 4) + line('M250 106h140', C.teal, 10) + line('M210 142h220M230 166h180M250 190h140', C.pale, 7) + seal(420, 214, 0.8) + line('M204 236h90', C.slate, 4),
  'accreditation-renewed-team': room('air', 330) + person(140, 306, nurse, 1.3) + person(230, 306, { ...doctor, style: 'turban', hair: C.gold }, 1.35) + person(330, 306, { dress: C.gold, pallu: C.light, style: 'braid' }, 1.3) + person(424, 306, { ...doctor, style: 'scarf', hair: C.sea }, 1.32) + person(512, 306, { top: C.slate, style: 'thin', hair: C.grey, skin: SKIN[0] }, 1.3),
  'faster-x-ray-reports': room('night', 230) + film(120, 60, ribs) + film(270, 60, hand) + dot(520, 110, 52, C.cream) + line('M520 74v38l24 16', C.teal, 8) + person(470, 310, { ...doctor, hands: [[-44, -96], [24, -56]] }, 1.25),
  'faster-x-ray-reports-room': room('air', 300) + couch(210) + box(290, 70, 120, 62, C.white, 12) + line('M350 30v40M350 30h200', C.slate, 10) + fill('M320 132h60l36 62H284z', C.light) + film(480, 80, hand) + plant(90),
  'school-health-programme': outdoors('cream', 540) + building(60, 300, 190) + child(320, 306, C.gold) + child(390, 306, C.teal, 'braid', SKIN[1]) + child(460, 306, C.sea) + person(550, 306, { ...doctor, style: 'bun', hands: [[-30, -70], [24, -56]] }, 1.25),
  'school-health-programme-sight-test': room('air', 150) + box(80, 60, 130, 190, C.white, 8) + line('M162 86h-34v40h34M128 106h28', C.ink, 8) + line('M104 150h22M146 150h22M108 176h14M136 176h14M164 176h14M112 200h8M132 200h8M152 200h8', C.ink, 6) + child(420, 300, C.gold, 'braid') + line('M412 200h20', C.ink, 5) + dot(410, 200, 8, C.pale) + dot(434, 200, 8, C.pale) + person(520, 300, { ...nurse, hands: [[-36, -78], [22, -56]] }, 1.3),
  'school-health-programme-class': room('cream', 320) + box(150, 44, 340, 120, C.teal, 8) + line('M190 88h120M190 118h80', C.mist, 6) + heart(410, 100, 0.8) + many([[150, 0], [290, 1], [430, 2]], (x, index) => child(x + 30, 300, [C.gold, C.sea, C.slate][index], index === 1 ? 'braid' : 'short', SKIN[index]) + line(`M${x - 20} 262h100`, C.teal, 9) + line(`M${x - 6} 266v60M${x + 66} 266v60`, C.teal, 6)),
  'dengue-desk': room('sea', 330) + person(320, 306, { ...nurse, hands: [[-30, -66], [30, -66]] }, 1.3) + fill('M150 226h340v76H150z', C.teal) + fill('M140 214h360v18H140z', C.sea) + cross(320, 268, 18, C.light) + person(90, 306, { dress: C.gold, pallu: C.light, style: 'braid' }, 1.2) + person(556, 306, { top: C.slate, skin: SKIN[0] }, 1.22) + box(200, 30, 240, 40, C.white, 8) + drop(226, 56, 0.5, C.gold) + line('M256 50h150', C.pale, 8),
  'dengue-desk-advice-sheet': room('cream', 320) + turn(220, 34, 3, paper(0, 0, 210, 280, 0) + box(20, 20, 170, 40, C.teal, 6) + many([[44, 96, 'g'], [44, 160, 'd'], [44, 224, 't']], (x, y, kind) => dot(x, y, 24, kind === 't' ? C.light : C.air) + (kind === 'd' ? line(`M${x - 10} ${y}h20`, C.teal, 9) : drop(x, y + 4, 0.55, kind === 'g' ? C.sea : C.gold)) + line(`M88 ${y - 8}h96M88 ${y + 12}h60`, C.pale, 7))),
  'labour-room-renewed': room('cream', 210) + bed(240, 296, 250) + line('M150 96v200', C.teal, 8) + fill('M90 60h120l26 60H64z', C.light) + windowAt(420, 50, 130, 100) + baby(400, 236) + plant(570),
  'labour-room-renewed-room': room('sea', 420) + bed(80, 296, 230) + line('M400 250h130v-70', C.gold, 22) + line('M412 262v32M520 262v32', C.teal, 7) + windowAt(330, 40, 130, 110) + box(110, 90, 130, 84, C.white, 8) + flower(175, 132, 0.9),
  'labour-room-renewed-corridor': fill('M0 0h640v360H0z', C.air) + fill('M0 0l190 90v150L0 360zM640 0L450 90v150l190 120z', C.pale) + fill('M190 90h260v150H190z', C.cream) + fill('M0 360l190-120h260l190 120z', '#a9d0d2') + line('M20 262l160-56M620 262l-160-56', C.teal, 8) + box(290, 130, 60, 110, C.sea, 4) + fill('M60 90l70 26v110l-70 36zM580 90l-70 26v110l70 36z', C.teal) + person(330, 330, { dress: C.gold, pallu: C.light, style: 'braid', skin: SKIN[1] }, 1.2) + person(396, 330, { ...nurse, hands: [[-34, -70], [22, -56]] }, 1.2),
  'blood-donation-anniversary': outdoors('cream', 300) + drop(310, 170, 4.4, C.teal) + heart(310, 192, 1, C.light) + flower(130, 150, 1.4) + flower(500, 150, 1.4) + flower(90, 244, 0.9) + flower(552, 240, 0.9),
  'blood-donation-anniversary-hall': room('air', 320) + couch(90) + couch(380) + at(0, 0, line('M120 226h90', C.sea, 30) + dot(238, 204, 17, SKIN[1]) + line('M410 226h90', C.gold, 30) + dot(528, 204, 17, SKIN[0])) + line('M76 296V120h20', C.slate, 5) + bag(90, 168) + line('M368 296V120h20', C.slate, 5) + bag(382, 168) + person(312, 306, { ...nurse, hands: [[-30, -76], [24, -60]] }, 1.25) + line('M40 40q140 50 280 0t280 0', C.gold, 5),
  'second-advanced-ambulance': outdoors('sea', 540) + building(30, 300, 150) + ambulance(250, 316, 1.35) + line('M180 240h46M160 272h60', C.white, 7),
  'second-advanced-ambulance-inside': room('air', 320) + fill('M0 0h640v50H0z', C.teal) + bed(190, 300, 250) + line('M470 50v90', C.slate, 6) + monitor(430, 130, 150, 100) + line('M250 50v60', C.slate, 5) + bag(240, 150) + box(60, 110, 110, 130, C.white, 10) + cross(115, 175, 22, C.gold),
  'second-advanced-ambulance-crew': outdoors('cream', 90) + ambulance(300, 300, 1.2) + person(120, 312, { top: C.teal, legs: C.ink, skin: SKIN[0] }, 1.35) + person(220, 312, { ...nurse, top: C.gold, hands: [[-26, -56], [30, -62]] }, 1.3) + clipboard(236, 214, 0.36),
};
