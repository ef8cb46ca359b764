/** Pictures of events and promotions. */
import { crossLegged, kneeling, lying, seated, standing, walking } from '@hospital/draw/figure';
import { PALETTE as C, mix } from '@hospital/draw/palette';
import { fallen } from '@hospital/draw/plants';
import { at, box, dot, fill, line } from '@hospital/draw/svg';
import { clipboard, firstAid, heart } from '@hospital/draw/things';
import { CAST } from './cast.mjs';
import {
  FLOOR, ball, board, clinic, cuff, cupOn, desk, home, mat, meter, park, pot, shamiana, sitting, syringe, yard,
} from './stage.mjs'; // prettier-ignore

const F = FLOOR;
const BACK = { hands: [[20, -54], [26, -56]] };

export const EVENTS = {
  'health-camp': yard() + shamiana() + sitting(104, { ...CAST.ajja, elder: false, hair: 'grey', hands: [[34, -73], [26, -57]] }) + desk(122, 84) + cuff(106, F - 66, 22) + meter(150, F - 70) + sitting(228, { ...CAST.drAkka, hands: [[38, -74], [44, -75]] }, -1) + standing(290, F, { ...CAST.ajji, stick: true }, -1) + standing(328, F - 2, CAST.youth, -1),
  'vaccination-drive': yard() + shamiana() + desk(40, 70) + box(58, F - 90, 30, 20, C.sea, 3) + box(58, F - 84, 30, 4, C.white, 0) + standing(134, F, { ...CAST.nurse, nod: 10, hands: [[34, -70], [26, -74]] }) + syringe(178, F - 70, 180) + standing(198, F, { ...CAST.schoolgirl, hands: [[-14, -56], [16, -56]] }, -1) + standing(232, F, { ...CAST.amma, nod: 8, hands: [[26, -76], [16, -54]] }, -1) + standing(278, F, CAST.boy, -1) + standing(318, F, { ...CAST.brother, hands: [[30, -70], [20, -55]] }, -1),
  'heart-seminar': clinic({ window: false }) + board(176, 26, 104, 76, heart(52, 38, 0.8) + line('M8 60h26l6-12 8 20 7-14 4 6h36', C.lamp, 2), C.deep) + standing(318, F - 6, { ...CAST.doctor, hands: [[38, -104], [18, -54]] }, -1) + sitting(66, { ...CAST.ajji, ...BACK }, 1, C.teal) + sitting(126, { ...CAST.uncle, ...BACK }, 1, C.teal) + sitting(186, { ...CAST.khala, ...BACK }, 1, C.teal) + sitting(246, { ...CAST.son, hands: [[34, -110], [22, -56]], mood: 'laugh' }, 1, C.teal),
  'sugar-check': park({ tree: 330 }) + sitting(118, { ...CAST.uncle, hands: [[36, -73], [26, -57]] }) + desk(136, 90) + box(186, F - 82, 10, 13, C.teal, 2) + box(188, F - 80, 6, 5, C.cream, 0) + box(204, F - 80, 14, 10, C.paper, 2) + sitting(246, { ...CAST.nurse, nod: 8, hands: [[64, -76], [68, -74]] }, -1, C.teal) + standing(64, F, { ...CAST.aunt, hands: [[12, -74], [20, -74]] }) + fallen([[300, 204], [340, 200]]),
  'vaccination-morning': clinic({ window: 40 }) + sitting(150, { ...CAST.father, nod: 12, hands: [[15, -70], [22, -72]] }) + seated(172, F - 36, { ...CAST.toddler, dress: 'frock', colour: C.rose, mood: 'laugh', hands: [[30, -66], [30, -60]] }) + sitting(258, { ...CAST.brotherNurse, nod: 6, hands: [[42, -88], [28, -62]] }, -1, C.teal) + dot(214, F - 98, 8, C.champaca) + line(`M214 ${F - 90}q4 10 0 20`, C.slate, 1) + pot(330) + walking(76, F, { ...CAST.boy }),
  'birth-class': clinic({ window: 260, wall: mix(C.cream, C.rose, 0.12) }) + mat(40, 120, C.sea) + mat(176, 110, C.champaca) + crossLegged(104, F + 2, { ...CAST.pregnant, dress: 'kurta', colour: C.rose, lower: C.cream, hands: [[14, -22], [17, -18]] }) + crossLegged(66, F, { ...CAST.son, hands: [[24, -52], [20, -40]] }) + crossLegged(226, F + 2, { ...CAST.pregnant, dress: 'kurta', style: 'bun', skin: 5, colour: C.sunlit, lower: C.paper, hands: [[14, -22], [17, -18]] }, 1) + ball(340, F, 22) + standing(306, F, { ...CAST.nurse, hands: [[30, -90], [26, -70]] }, -1),
  'knee-seminar': clinic({ window: 40 }) + sitting(84, { ...CAST.ajji, ...BACK }, 1, C.teal) + sitting(150, { ...CAST.father, legs: [[[2, -48], [31, -48], [36, 0]], [[-2, -47], [29, -50], [58, -47]]], hands: [[-10, -46], [10, -50]] }, 1, C.teal) + sitting(232, { ...CAST.uncle, legs: [[[2, -48], [31, -48], [36, 0]], [[-2, -47], [29, -50], [58, -47]]], hands: [[-10, -46], [10, -50]] }, 1, C.teal) + standing(330, F, { ...CAST.brotherNurse, hands: [[34, -72], [28, -66]], nod: 4 }, -1),
  'first-aid-workshop': clinic({ window: 30, wall: C.cream }) + mat(96, 190, C.sea) + lying(280, F - 8, { ...CAST.son, colour: C.stone, lower: C.granite, mood: 'asleep', hands: [[-15, -56], [15, -56]] }) + kneeling(160, F + 4, { ...CAST.akka, lean: 24, nod: 8, hands: [[36, -30], [38, -30]] }) + kneeling(270, F - 6, { ...CAST.crew, hands: [[30, -54], [24, -50]] }, -1) + standing(318, F - 8, CAST.khala, -1) + standing(348, F - 4, CAST.boy, -1) + at(64, F, firstAid(0, 0, 0.32)),
};

export const PROMOS = {
  'virtual-consultation': home({ window: 276 }) + standing(92, F, { ...CAST.son, nod: 10, hands: [[28, -92], [24, -76]] }) + sitting(128, { ...CAST.ajji, hands: [[34, -73], [38, -72]] }) + desk(150, 130) + fill(`M206 ${F - 70}h46l6 3h-56z`, C.slate) + box(204, F - 126, 60, 56, C.ink, 4) + box(208, F - 122, 52, 46, C.air, 1) + `<clipPath id="s"><path d="M208 74h52v46h-52z"/></clipPath><g clip-path="url(#s)">${standing(238, F + 48, { ...CAST.doctor, hands: [[-14, -40], [16, -60]] }, -1.2)}</g>` + cupOn(178, F - 70),
  'health-check': clinic({ window: 34 }) + sitting(150, { ...CAST.aunt, hands: [[20, -54], [26, -56]] }, 1, C.teal) + standing(226, F, { ...CAST.doctor, lean: 8, nod: 10, hands: [[44, -88], [24, -66]] }, -1) + line(`M182 ${F - 87}q10 22 34-20`, C.deep, 1.6) + desk(270, 80) + clipboard(290, F - 102, 0.3) + cupOn(336, F - 70),
  'first-aid': home({ window: 40 }) + sitting(140, { ...CAST.boy, style: 'curly', mood: 'worried', legs: [[[2, -48], [31, -48], [36, 0]], [[-2, -47], [29, -50], [46, -30]]] }) + kneeling(212, F, { ...CAST.amma, dress: 'kurta', colour: C.rose, lower: C.cream, nod: 10, hands: [[44, -36], [50, -40]] }, -1) + box(154, F - 53, 12, 10, C.paper, 3) + at(292, F + 2, firstAid(0, 0, 0.42)),
  events: park({ tree: 60 }) + shamiana() + walking(140, F, CAST.aunt) + walking(196, F + 2, { ...CAST.father, hands: [[20, -60], [-18, -58]] }) + walking(226, F + 4, CAST.girl) + standing(300, F, { ...CAST.nurse, hands: [[26, -84], [16, -54]], mood: 'laugh' }, -1),
};

