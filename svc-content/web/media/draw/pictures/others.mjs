/** Drawings of events, promotions and the placeholder. */
import {
  C, SKIN, at, baby, box, building, chair, cross, dot, drop, fill, flower, heart, line, many, outdoors,
  person, room, seated, syringe, table, windowAt,
} from './parts.mjs'; // prettier-ignore

const doctor = { coat: true, top: C.teal, legs: C.slate, skin: SKIN[1] };
const nurse = { top: C.sea, legs: C.teal, style: 'bun', skin: SKIN[2] };
const tent = (x, y, width) =>
  fill(`M${x} ${y}l${width / 2}-76 ${width / 2} 76z`, C.teal) +
  fill(`M${x + width * 0.36} ${y}l${width * 0.14}-76 ${width * 0.14} 76z`, C.light) +
  line(`M${x + 10} ${y}v110M${x + width - 10} ${y}v110`, C.slate, 6);
const audience = many(
  [
    [90, 330, C.teal],
    [190, 336, C.gold],
    [290, 330, C.sea],
    [390, 336, C.slate],
    [490, 330, C.gold],
    [580, 336, C.teal],
  ],
  (x, y, top) => fill(`M${x - 40} 360q0-46 40-46t40 46z`, top) + dot(x, y - 46, 23, C.ink),
);
const screen = (x, y, width, height, inside) =>
  box(x, y, width, height, C.white, 8) + at(x, y, inside) + line(`M${x + width / 2} ${y + height}v40`, C.slate, 6);
const vial = (x, y) =>
  box(x, y, 36, 54, C.white, 6) + box(x + 2, y - 10, 32, 14, C.gold, 4) + line(`M${x + 10} ${y + 26}h16`, C.sea, 6);

export const EVENTS = {
  'health-camp':
    outdoors('air', 560) +
    tent(60, 160, 300) +
    person(
      180,
      304,
      {
        ...doctor,
        hands: [
          [-30, -64],
          [34, -64],
        ],
      },
      1.1,
    ) +
    table(110, 246, 200) +
    heart(260, 216, 0.7) +
    person(420, 308, { dress: C.gold, pallu: C.light, style: 'bun', hair: C.grey }, 1.15) +
    person(500, 308, { top: C.sea, skin: SKIN[0] }, 1.15) +
    person(566, 308, { top: C.gold, legs: C.teal, r: 19 }, 0.8),
  'vaccination-drive':
    room('cream', 330) +
    vial(120, 190) +
    vial(180, 190) +
    table(60, 250, 220) +
    person(
      330,
      300,
      {
        top: C.gold,
        legs: C.teal,
        r: 19,
        style: 'braid',
        hands: [
          [-26, -60],
          [26, -60],
        ],
      },
      0.95,
    ) +
    person(
      430,
      300,
      {
        ...nurse,
        hands: [
          [-40, -66],
          [22, -56],
        ],
      },
      1.3,
    ) +
    person(530, 300, { dress: C.teal, pallu: C.pale, style: 'braid' }, 1.28) +
    syringe(210, 96, -20, 0.9),
  'heart-seminar':
    room('sea', 320) +
    screen(190, 30, 260, 170, heart(130, 86, 1.6, C.teal) + line('M20 90h60l12-26 20 56 18-66 12 36h98', C.gold, 6)) +
    person(
      520,
      296,
      {
        ...doctor,
        style: 'bun',
        hands: [
          [-48, -96],
          [24, -56],
        ],
      },
      1.25,
    ) +
    audience,
  'sugar-check':
    room('air', 320) +
    table(200, 230, 260) +
    chair(160) +
    seated(
      160,
      296,
      {
        top: C.gold,
        style: 'thin',
        hair: C.grey,
        hands: [
          [-16, -42],
          [66, -62],
        ],
      },
      1.2,
    ) +
    at(
      510,
      0,
      chair(0) +
        seated(
          0,
          296,
          {
            ...nurse,
            hands: [
              [58, -64],
              [66, -58],
            ],
          },
          1.2,
        ),
      -1,
      1,
    ) +
    box(306, 160, 52, 66, C.teal, 10) +
    box(314, 170, 36, 26, C.cream, 4) +
    drop(276, 208, 0.7, C.gold),
  'vaccination-morning':
    outdoors('cream', 120) +
    building(420, 300, 190) +
    person(
      210,
      308,
      {
        dress: C.sea,
        pallu: C.light,
        style: 'braid',
        hands: [
          [-30, -64],
          [30, -66],
        ],
      },
      1.3,
    ) +
    baby(232, 206) +
    person(320, 308, { top: C.gold, legs: C.teal, r: 19 }, 0.85) +
    person(
      390,
      308,
      {
        top: C.teal,
        hands: [
          [-38, -48],
          [22, -56],
        ],
        skin: SKIN[0],
      },
      1.3,
    ),
  'birth-class':
    room('cream', 320) +
    windowAt(90, 40, 130, 100) +
    many(
      [
        [150, 0],
        [320, 1],
        [490, 2],
      ],
      (x, index) =>
        line(`M${x - 70} 312h140`, [C.sea, C.teal, C.slate][index], 18) +
        at(
          x - 18,
          306,
          seated(
            0,
            0,
            {
              dress: [C.gold, C.sea, C.gold][index],
              pallu: C.light,
              style: ['braid', 'bun', 'scarf'][index],
              hair: index === 2 ? C.teal : C.ink,
              skin: SKIN[index],
              hands: [
                [14, -50],
                [22, -46],
              ],
            },
            1.15,
          ),
        ) +
        dot(x - 4, 252, 17, [C.gold, C.sea, C.gold][index]),
    ) +
    flower(540, 90),
  'knee-seminar':
    room('air', 320) +
    screen(60, 40, 210, 160, line('M70 20l44 66-8 70', C.teal, 30) + dot(114, 86, 14, C.gold)) +
    person(
      400,
      296,
      {
        top: C.sea,
        legs: C.slate,
        style: 'bun',
        hands: [
          [-40, -104],
          [40, -104],
        ],
      },
      1.3,
    ) +
    at(
      540,
      296,
      line('M-8-60v58M8-60l34 26-6 34', C.slate, 14) +
        fill('M-18-110q18-16 36 0l4 56h-44z', C.gold) +
        line('M-14-100l-24 30M14-100l24 30', C.gold, 10) +
        dot(0, -138, 17, SKIN[0]),
    ) +
    line('M330 312h270', C.teal, 9),
  'first-aid-workshop':
    room('sea', 330) +
    line('M110 296h310', C.gold, 22) +
    line('M190 268h150', C.white, 36) +
    dot(150, 266, 22, C.pale) +
    at(
      264,
      290,
      line('M-30-4l10-40 38 4', C.ink, 15) +
        fill('M-40-108q22-14 36 4l14 58h-46z', C.teal) +
        line('M-14-92l12 66M-20-92l14 66', C.teal, 10) +
        dot(-2, -24, 7, SKIN[1]) +
        dot(-26, -130, 17, SKIN[1]) +
        fill('M-43-128a17 17 0 0 1 34-4c-9-1-18-4-23-7-2 5-6 8-11 11z', C.ink),
    ) +
    person(
      480,
      300,
      {
        ...nurse,
        hands: [
          [-40, -80],
          [22, -56],
        ],
      },
      1.25,
    ) +
    person(560, 300, { top: C.gold, legs: C.teal, r: 19 }, 0.9) +
    box(500, 40, 80, 64, C.white, 10) +
    cross(540, 72, 18),
};
