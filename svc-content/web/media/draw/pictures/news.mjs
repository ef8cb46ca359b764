/** Pictures of news items and their attachments. */
import { crossLegged, kneeling, lying, seated, standing, walking, wheelchair } from '@hospital/draw/figure';

import { ambulance } from '@hospital/draw/hospital';
import { PALETTE as C, mix } from '@hospital/draw/palette';
import { bed, clock, curtain, drip, monitor, windowAt } from '@hospital/draw/rooms';
import { at, box, dot, fill, line } from '@hospital/draw/svg';
import { heart } from '@hospital/draw/things';
import { CAST } from './cast.mjs';
import {
  FLOOR, bag, ball, bloodBag, board, certificate, clinic, desk, donor, eyeChart, film, home, lounger, nightRoom, pot, reception, shamiana,
  sitting, yard,
} from './stage.mjs'; // prettier-ignore

const F = FLOOR;
const METAL = mix(C.grey, C.granite, 0.35);
const radiologist = { ...CAST.drBob, hair: 'black', style: 'long', spectacles: true, colour: C.champaca };
const stretcher = (x, look, blanket = C.champaca) =>
  line(`M${x + 12} ${F - 6}l24-30M${x + 36} ${F - 6}l-24-30M${x + 96} ${F - 6}l24-30M${x + 120} ${F - 6}l-24-30`, METAL, 3) + dot(x + 12, F - 4, 4, C.slate) + dot(x + 120, F - 4, 4, C.slate) + box(x, F - 44, 138, 8, C.slate, 3) + box(x + 4, F - 52, 130, 9, C.paper, 4) + lying(x + 138, F - 60, look) +
  fill(`M${x + 46} ${F - 50}q4-22 26-24h54q10 4 12 24z`, blanket); // prettier-ignore
const pupils = [CAST.pupil, { ...CAST.schoolgirl, skin: 2 }, { ...CAST.pupil, skin: 5, style: 'curly' }];

export const NEWS = {
  'accreditation-renewed': yard() + standing(96, F, { ...CAST.nurse, mood: 'laugh' }) + standing(150, F, { ...CAST.surgeon, mood: 'laugh', hands: [[24, -70], [16, -52]] }) + standing(222, F, { ...CAST.drAkka, hands: [[28, -72], [16, -52]] }, -1) + certificate(186, F - 72, 0.9) + standing(276, F, { ...CAST.brotherNurse, mood: 'laugh' }, -1) + standing(318, F, { ...CAST.aunt, hands: [[12, -74], [20, -74]] }, -1),
  'accreditation-renewed-certificate': clinic({ window: 34 }) + certificate(214, 78, 1.5) + standing(168, F, { ...CAST.son, nod: -8, hands: [[24, -116], [30, -118]] }) + standing(268, F, { ...CAST.nurse, nod: -6, hands: [[24, -92], [16, -54]] }, -1) + pot(330),
  'accreditation-renewed-team': clinic({ window: 20, light: 90 }) + standing(70, F, { ...CAST.brotherNurse, style: 'turban', cloth: C.champaca, beard: 'full', skin: 3 }) + standing(122, F, CAST.drAkka) + standing(172, F, { ...CAST.khala, dress: 'coat', over: 'kurta' }) + standing(222, F, CAST.surgeon, -1) + standing(272, F, { ...CAST.nurse, holding: 'file' }, -1) + standing(320, F, { ...CAST.uncle, colour: C.teal, lower: C.slate }, -1),
  'faster-x-ray-reports': nightRoom(20) + box(196, 40, 124, 74, mix(C.air, C.white, 0.5), 3) + film(204, 47) + film(264, 47) + standing(150, F, { ...radiologist, nod: -4, hands: [[48, -98], [16, -54]] }) + clock(142, 34, 0.7) + desk(240, 100) + line(`M290 ${F - 70}v-14`, C.slate, 3) + fill(`M276 ${F - 84}l6-12h16l6 12z`, C.champaca),
  'faster-x-ray-reports-room': clinic({ window: false }) + line('M300 0v40M60 8h290', METAL, 5) + box(276, 36, 48, 26, C.white, 5) + fill('M286 62h28l12 14h-52z', C.light) + desk(170, 130, 60, C.teal) + sitting(156, { ...CAST.boy, style: 'curly', hands: [[38, -76], [24, -56]] }, 1, C.teal) + box(176, F - 67, 34, 4, C.ink, 1) + standing(244, F - 4, { ...CAST.brotherNurse, nod: 10, hands: [[38, -76], [44, -74]] }, -1) + box(30, 40, 46, 60, C.night, 2) + film(32, 42, 0.84),
  'school-health-programme': yard() + kneeling(226, F, { ...CAST.drBob, nod: -2, hands: [[44, -54], [26, -46]] }, -1) + standing(166, F, { ...CAST.pupil, hands: [[-14, -56], [16, -56]] }) + line(`M182 ${F - 52}q14 14 34-16`, C.deep, 1.6) + standing(120, F, pupils[1]) + standing(84, F, pupils[2]) + standing(292, F, { ...CAST.khala, holding: 'file' }, -1),
  'school-health-programme-sight-test': clinic({ window: false, wall: C.cream }) + eyeChart(60, 44) + standing(126, F, { ...CAST.nurse, hands: [[-32, -108], [16, -54]] }) + standing(276, F, { ...CAST.schoolgirl, hands: [[10, -96], [18, -54]] }, -1) + dot(269, F - 78, 4.6, C.slate) + standing(322, F, pupils[0], -1) + windowAt(200, 26, 70, 70),
  'school-health-programme-class': home({ window: 20 }) + board(130, 34, 130, 62, line('M12 20h40M12 34h28', C.mist, 3) + heart(92, 34, 0.6), C.deep) + standing(300, F - 10, { ...CAST.doctor, hands: [[44, -96], [20, -56]], mood: 'laugh' }, -1) + crossLegged(80, F + 2, pupils[1]) + crossLegged(136, F + 4, { ...pupils[0], hands: [[16, -82], [20, -14]] }) + crossLegged(196, F + 2, { ...pupils[1], skin: 5, style: 'braid' }) + crossLegged(246, F + 4, pupils[2]),
  'dengue-desk': clinic({ window: 30 }) + standing(258, F - 8, { ...CAST.nurse, mask: true, nod: 6, hands: [[42, -84], [24, -72]] }, -1) + reception(196, 150) + box(290, F - 92, 30, 12, C.champaca, 2) + standing(148, F, { ...CAST.amma, mood: 'worried', hands: [[38, -84], [6, -66]] }) + standing(112, F, { ...CAST.boy, mood: 'calm', nod: 10 }) + fill(`M188 ${F - 88}h20l4 4h-20z`, C.paper),
  'dengue-desk-advice-sheet': home({ window: false, wall: mix(C.cream, C.champaca, 0.2) }) + box(220, 24, 86, 152, C.teal, 0) + box(226, 30, 74, 146, C.deep, 0) + line('M214 20q48 18 98 0', C.marigold, 5) + standing(252, F - 6, { ...CAST.ajji, hands: [[36, -76], [14, -58]] }, -1) + standing(162, F, { ...CAST.akka, hands: [[44, -80], [16, -54]] }) + at(206, F - 82, box(-9, -12, 18, 24, C.paper, 1) + line('M-5-6h10M-5-1h10M-5 4h6', C.sea, 1.4)) + bag(120, F - 50, C.champaca) + pot(340) + pot(60),
  'labour-room-renewed': clinic({ window: 274, wall: mix(C.cream, C.rose, 0.1) }) + curtain(12, 20, 40, 150, C.champaca) + bed(70, F, 1.06, { patient: at(96, -11, seated(0, 0, { ...CAST.amma, dress: 'shirt', colour: C.rose, lower: C.rose, lean: -12, nod: 18, holding: 'baby', legs: [[[2, -46], [30, -46], [58, -44]], [[-2, -45], [28, -44], [56, -42]]] })), blanket: C.sea }) + standing(292, F, { ...CAST.nurse, nod: 10, lean: 4, hands: [[36, -78], [30, -66]] }, -1),
  'labour-room-renewed-room': clinic({ window: 40, wall: mix(C.air, C.champaca, 0.1), light: 70 }) + ball(176, F + 4, 26) + seated(176, F - 2, { ...CAST.pregnant, dress: 'kurta', colour: C.sunlit, lower: C.paper, mood: 'calm', hands: [[44, -74], [46, -70]] }) + standing(244, F, { ...CAST.son, nod: 12, lean: 4, hands: [[24, -74], [28, -70]] }, -1) + standing(118, F, { ...CAST.nurse, nod: 12, hands: [[40, -72], [44, -66]] }) + pot(334),
  'labour-room-renewed-corridor': clinic({ window: 262, light: 250 }) + box(34, 46, 56, 128, mix(C.teal, C.white, 0.3), 0) + box(78, 108, 5, 14, C.paper, 2) + wheelchair(206, F, { ...CAST.pregnant, hands: [[14, -62], [16, -58]] }) + walking(152, F, { ...CAST.nurse, hands: [[24, -78], [26, -80]] }) + walking(290, F, { ...CAST.son, holding: 'case' }, 1) + line('M0 128h30M96 128h160', C.sea, 4),
  'blood-donation-anniversary': yard() + shamiana() + lounger(122) + donor(152, { ...CAST.youth, mood: 'laugh' }) + bloodBag(252, F - 40) + line(`M190 ${F - 64}q30 30 70 26`, mix(C.gulmohar, C.ink, 0.25), 1.5) + standing(276, F, { ...CAST.nurse, nod: 10, hands: [[40, -74], [34, -64]] }, -1) + standing(80, F, { ...CAST.aunt, hands: [[20, -72], [14, -58]], mood: 'laugh' }) + standing(330, F, CAST.brother, -1),
  'blood-donation-anniversary-hall': clinic({ window: 160 }) + lounger(36) + donor(66, { ...CAST.khala, lower: C.ink }) + bloodBag(150, F - 40) + lounger(206) + donor(236, CAST.father) + bloodBag(322, F - 40) + standing(184, F - 6, { ...CAST.nurse, nod: 8, holding: 'tray' }) + line(`M104 ${F - 64}q20 30 54 26M274 ${F - 64}q20 30 56 26`, mix(C.gulmohar, C.ink, 0.25), 1.5),
  'second-advanced-ambulance': yard() + ambulance(10, F - 2, 0.56) + standing(226, F - 8, { ...CAST.nurse, nod: 12, hands: [[26, -66], [20, -62]] }) + stretcher(172, { ...CAST.uncle, mood: 'asleep' }) + standing(338, F, { ...CAST.crew, hands: [[32, -66], [28, -64]] }, -1),
  'second-advanced-ambulance-inside': box(0, 0, 377, 212, C.paper, 0) + box(0, 0, 377, 22, C.teal, 0) + box(0, 176, 377, 36, METAL, 0) + box(0, 100, 377, 5, C.champaca, 0) + windowAt(30, 36, 90, 50, { tree: false }) + monitor(254, 40, 0.7) + drip(330, F, -60, -70) + stretcher(128, { ...CAST.uncle, mood: 'calm' }, C.sea) + sitting(92, { ...CAST.crew, nod: 8, hands: [[40, -72], [34, -62]] }, 1, C.teal) + standing(296, F, { ...CAST.nurse, nod: 14, lean: 6, hands: [[50, -78], [44, -72]] }, -1),
  'second-advanced-ambulance-crew': yard() + ambulance(96, F, 0.6) + standing(84, F + 8, CAST.crew) + standing(40, F + 6, { ...CAST.crew, style: 'tail', beard: undefined, skin: 3, woman: true, holding: 'file' }) + standing(334, F + 8, { ...CAST.doctor }, -1),
};

