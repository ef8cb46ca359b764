/** Drawings of blog posts, of their sections and of the built-in articles. */
import {
  C, SKIN, at, baby, bed, bowl, box, chair, clipboard, cup, diya, dot, drop, fill, flower, glass, heart, line, many, outdoors,
  oval, paper, person, plant, room, seated, syringe, table, tree, turn, windowAt,
} from './parts.mjs'; // prettier-ignore

const rain = many(
  [
    [70, 60],
    [150, 100],
    [240, 50],
    [330, 90],
    [420, 44],
    [520, 96],
    [590, 60],
    [110, 170],
    [290, 160],
    [560, 180],
  ],
  (x, y) => line(`M${x} ${y}l-8 24`, C.mist, 4),
);
const mosquito = (x, y, scale = 1) =>
  at(
    x,
    y,
    fill('M-4-6c-10-34-46-40-50-30-2 10 26 30 50 30zM4-8c4-36 40-48 46-38 4 10-20 34-46 38z', C.white) +
      line('M-20 2l-22 34M-6 6l-12 38M8 6l8 40M20 0l26 32', C.ink, 3) +
      fill('M-46 10C-30-8 0-12 24-6c8 2 8 10 0 12-26 6-50 6-70 4z', C.slate) +
      dot(32, -2, 11, C.ink) +
      line('M40 2l24 16', C.ink, 3),
    scale,
  );
const meter = (x, y) =>
  box(x, y, 74, 112, C.teal, 14) +
  box(x + 10, y + 14, 54, 44, C.cream, 6) +
  line(`M${x + 22} ${y + 44}v-16M${x + 34} ${y + 28}h12v8h-12v8h12`, C.teal, 5) +
  dot(x + 37, y + 82, 11, C.gold) +
  line(`M${x + 37} ${y + 112}v20`, C.white, 12);
const plate = (x, y, r) =>
  dot(x, y, r, C.white) +
  dot(x, y, r * 0.82, C.air) +
  fill(`M${x} ${y - r * 0.76}a${r * 0.76} ${r * 0.76} 0 0 0 0 ${r * 1.52}z`, C.sea) +
  fill(`M${x + 5} ${y - 4}v${-r * 0.7}a${r * 0.74} ${r * 0.74} 0 0 1 ${r * 0.7} ${r * 0.7}z`, C.gold) +
  fill(`M${x + 5} ${y + 5}h${r * 0.7}a${r * 0.74} ${r * 0.74} 0 0 1 ${-r * 0.7} ${r * 0.7}z`, C.cream) +
  many(
    [
      [-0.5, -0.3],
      [-0.3, 0.1],
      [-0.5, 0.35],
      [-0.22, -0.48],
      [-0.2, 0.5],
    ],
    (dx, dy) => fill(`M${x + dx * r} ${y + dy * r}q10-16 20 0-10 12-20 0z`, C.leaf),
  ) +
  many(
    [
      [0.24, -0.3],
      [0.42, -0.18],
      [0.3, -0.12],
    ],
    (dx, dy) => dot(x + dx * r, y + dy * r, 6, C.light),
  );
const cuffArm =
  line('M150 252h260', SKIN[1], 46) +
  box(232, 216, 92, 72, C.teal, 14) +
  line('M324 252c60-6 60-60 104-60', C.slate, 6);
const eye = (x, y, scale = 1) =>
  at(
    x,
    y,
    fill('M-150 0C-90-90 90-90 150 0 90 90-90 90-150 0z', C.white) +
      dot(0, 0, 62, C.sea) +
      dot(0, 0, 62, C.teal) +
      dot(0, 0, 44, C.sea) +
      dot(0, 0, 26, C.ink) +
      dot(14, -14, 10, C.white) +
      line('M-150 0C-90-90 90-90 150 0', C.ink, 8),
    scale,
  );
const calendar = (x, y, marks = 3) =>
  box(x, y, 130, 120, C.white, 10) +
  fill(`M${x} ${y + 34}v-24q0-10 10-10h110q10 0 10 10v24z`, C.teal) +
  line(`M${x + 34} ${y - 10}v20M${x + 96} ${y - 10}v20`, C.gold, 7) +
  many(
    [
      [26, 58],
      [52, 58],
      [78, 58],
      [104, 58],
      [26, 82],
      [52, 82],
      [78, 82],
      [104, 82],
      [26, 104],
      [52, 104],
    ],
    (dx, dy) => dot(x + dx, y + dy, 7, (dx + dy) % marks === 0 ? C.gold : C.pale),
  );
const stairs = (x, y, colour = C.mist) => fill(`M${x} ${y}h40v-34h44v-34h44v-34h44v-34h60v136z`, colour);
const grandmother = { dress: C.sea, pallu: C.light, hair: C.grey, style: 'bun', skin: SKIN[1] };
const mother = { dress: C.gold, pallu: C.light, style: 'braid', skin: SKIN[2] };
const doctor = { coat: true, top: C.teal, legs: C.slate };

export const ARTICLES = {
  'hearts-warning-signs':
    room('cream', 210) +
    heart(210, 172, 2.9, C.teal) +
    heart(210, 160, 2, C.sea) +
    line('M70 176h74l16-34 30 78 28-92 18 48h74', C.light, 8) +
    stairs(380, 296) +
    person(530, 194, {
      top: C.gold,
      style: 'thin',
      hair: C.grey,
      hands: [
        [2, -72],
        [30, -60],
      ],
    }),
  'when-worry-takes-over':
    room('air', 330) +
    windowAt(80, 70, 110, 120) +
    plant(120) +
    chair(330) +
    seated(
      330,
      296,
      {
        dress: C.sea,
        style: 'long',
        skin: SKIN[2],
        hands: [
          [18, -102],
          [26, -44],
        ],
      },
      1.15,
    ) +
    line(
      'M384 110c30-40 110-40 120 8 8 40-60 62-84 30-20-30 30-56 54-32 20 22-8 46-26 34-14-12 2-30 14-22',
      C.teal,
      6,
    ) +
    dot(366, 142, 5, C.teal) +
    dot(376, 128, 7, C.teal),
  'the-half-plate-rule':
    fill('M0 0h640v360H0z', C.cream) +
    fill('M0 0h640v360H0z', '#f7e2b3') +
    dot(320, 186, 168, C.cream) +
    plate(320, 186, 146) +
    line('M96 90v190M78 90v46q0 16 18 16t18-16v-46', C.teal, 8) +
    line('M536 90v190', C.teal, 8) +
    oval(536, 118, 22, 36, C.teal) +
    glass(590, 116),
};

export const BLOGS = {
  'diabetes-small-changes':
    room('air', 300) +
    table(60, 250, 520) +
    meter(120, 138) +
    drop(250, 214, 1.2, C.gold) +
    bowl(376, 204, 130, C.sea, C.leaf) +
    many(
      [
        [340, 196],
        [368, 186],
        [398, 190],
        [418, 198],
      ],
      (x, y) => dot(x, y, 13, x % 4 ? C.gold : C.leaf),
    ) +
    fill('M474 246v-30c16 2 24-6 28-14 12 22 40 20 62 28 6 4 6 16-2 16z', C.teal) +
    line('M476 250h88', C.light, 7),
  'safer-deepavali':
    room('night', 320) +
    many(
      [
        [90, 70],
        [200, 46],
        [460, 60],
        [560, 90],
        [330, 40],
      ],
      (x, y) => dot(x, y, 4, C.light),
    ) +
    diya(160, 288, 1.2) +
    diya(300, 292) +
    diya(420, 288, 1.1) +
    fill('M520 214h84l-12 88h-60z', C.mist) +
    line('M520 214c8-50 76-50 84 0', C.pale, 5) +
    oval(562, 214, 42, 9, C.air),
  'measure-blood-pressure':
    room('cream', 300) +
    table(40, 286, 560) +
    cuffArm +
    dot(424, 252, 26, SKIN[1]) +
    box(436, 152, 140, 124, C.white, 16) +
    box(452, 168, 108, 72, C.teal, 8) +
    line('M470 190v32M484 190h18v14h-18v18h18M518 190h18v32h-18M522 206h14', C.light, 5) +
    dot(506, 258, 9, C.gold),
  'diabetes-and-the-eye':
    room('air', 320) +
    eye(320, 160, 1.25) +
    line('M110 62l26 26M320 20v30M530 62l-26 26', C.gold, 8) +
    many(
      [
        [240, 318],
        [320, 318],
        [400, 318],
      ],
      (x, y) => drop(x, y, 0.8, C.gold),
    ),
  'dengue-first-days':
    outdoors('air', 520) +
    rain +
    mosquito(300, 146, 1.9) +
    fill('M96 240h110l-14 70h-82z', C.gold) +
    oval(151, 240, 55, 10, C.teal) +
    line('M478 304c0-30 10-44 30-54M506 300c-6-40 10-70 40-84', C.leaf, 9),
  'ors-and-loose-motions':
    room('cream', 330) +
    table(60, 256, 520) +
    fill('M130 120h94l12 132H118z', C.white) +
    line('M228 146c44 0 44 72 4 74', C.white, 12) +
    fill('M124 186h106l6 66H118z', C.mist) +
    glass(330, 252, 44) +
    turn(350, 200, 18, line('M0 0v-76', C.slate, 5) + oval(0, 8, 9, 14, C.slate)) +
    box(418, 158, 96, 94, C.teal, 8) +
    box(430, 178, 72, 40, C.cream, 5) +
    drop(466, 202, 0.7, C.gold),
  'knee-pain-after-fifty':
    room('air', 230) +
    dot(236, 190, 62, C.light) +
    line('M150 66l82 122-12 116', C.teal, 54) +
    line('M220 300h54', C.ink, 24) +
    dot(232, 188, 22, C.gold) +
    dot(232, 188, 11, C.cream) +
    stairs(400, 296) +
    person(
      470,
      262,
      {
        ...grandmother,
        hands: [
          [26, -50],
          [24, -72],
        ],
      },
      1.02,
    ) +
    line('M500 196l24-30 84-62', C.slate, 6),
  'hospital-bill-and-insurance':
    room('sea', 340) +
    table(50, 280, 540) +
    turn(170, 60, -5, paper(0, 0, 150, 206, 7) + box(16, 156, 118, 30, C.light, 5)) +
    at(
      440,
      110,
      box(-74, 0, 164, 104, C.teal, 12) +
        fill('M-74 22h164v20H-74z', C.light) +
        line('M-54 66h66M-54 84h44', C.mist, 6),
    ) +
    dot(508, 230, 40, C.gold) +
    line('M494 212h30M494 224h30M496 212c24-2 24 24-2 24l24 22', C.cream, 5),
  'ready-for-the-labour-room':
    room('cream', 280) +
    bed(360, 296, 230) +
    fill('M96 186h170q16 0 18 16l10 92H68l10-92q2-16 18-16z', C.teal) +
    line('M134 184c0-64 94-64 94 0', C.sea, 11) +
    box(150, 218, 62, 40, C.light, 8) +
    fill('M276 176l26-22 22 8 22-8 26 22-14 20-10-6v44h-48v-44l-10 6z', C.white) +
    heart(324, 200, 0.34),
  'getting-sleep-back':
    room('night', 470) +
    box(380, 40, 180, 150, '#083f4a', 8) +
    fill('M500 66a52 52 0 1 0 30 86 46 46 0 0 1-30-86z', C.light) +
    many(
      [
        [410, 70],
        [424, 130],
        [540, 66],
      ],
      (x, y) => dot(x, y, 4, C.cream),
    ) +
    bed(70, 300, 330, C.pale) +
    fill('M150 250c20-40 70-44 110-28s90 6 136 28v18H150z', C.sea) +
    dot(120, 226, 20, SKIN[1]) +
    at(120, 344, fill('M-20-118a20 20 0 0 1 40-4c-11-1-21-4-27-8-3 5-7 9-13 12z', C.ink)) +
    table(470, 246, 110, C.sea) +
    cup(520, 240, C.cream),
  'vaccines-birth-to-five':
    room('air', 240) +
    calendar(440, 84) +
    chair(210, 296) +
    seated(
      210,
      296,
      {
        ...mother,
        hands: [
          [36, -54],
          [30, -62],
        ],
      },
      1.2,
    ) +
    at(
      252,
      226,
      fill('M-16-34q16-14 32 0l4 40h-40z', C.sea) +
        dot(0, -54, 18, SKIN[2]) +
        fill('M-18-54a18 18 0 0 1 36-3c-12-2-20-4-24-7-2 5-6 8-12 10z', C.ink),
    ) +
    syringe(380, 210, 158, 0.9) +
    box(520, 250, 34, 46, C.white, 6) +
    box(520, 244, 34, 12, C.gold, 4),
  'a-lump-in-the-breast':
    room('cream', 320) +
    windowAt(260, 50, 120, 110) +
    plant(590) +
    chair(190) +
    seated(
      190,
      296,
      {
        dress: C.sea,
        pallu: C.pale,
        style: 'braid',
        skin: SKIN[1],
        hands: [
          [30, -50],
          [36, -58],
        ],
      },
      1.2,
    ) +
    at(
      640,
      0,
      chair(180) +
        seated(
          180,
          296,
          {
            ...doctor,
            style: 'short',
            skin: SKIN[2],
            hands: [
              [34, -60],
              [46, -66],
            ],
          },
          1.2,
        ),
      -1,
      1,
    ) +
    fill('M318 196c-16-22-4-44 8-44s24 22 8 44l20 40-14 8-18-34-18 34-14-8z', C.gold),
};

export const SCENES = {
  'scene-consultation':
    room('air', 330) +
    table(230, 226, 200) +
    clipboard(300, 118, 0.9) +
    at(
      500,
      0,
      chair(0) +
        seated(
          0,
          296,
          {
            ...doctor,
            skin: SKIN[1],
            style: 'bun',
            hands: [
              [40, -72],
              [52, -68],
            ],
          },
          1.2,
        ),
      -1,
      1,
    ) +
    chair(150) +
    seated(
      150,
      296,
      {
        top: C.gold,
        style: 'thin',
        hair: C.grey,
        hands: [
          [30, -52],
          [38, -60],
        ],
      },
      1.2,
    ),
  'scene-cool-water':
    room('sea', 310) +
    box(70, 236, 500, 60, C.white, 14) +
    line('M150 236v-98q0-40 42-40h70q36 0 36 36v12', C.slate, 22) +
    line('M298 150v86M288 160v70M308 160v70', C.mist, 7) +
    line('M560 176l-220 36', SKIN[1], 44) +
    line('M350 210l-58 4M350 196l-54-2', SKIN[1], 14) +
    box(486, 148, 110, 62, C.teal, 16) +
    dot(330, 206, 12, C.gold),
  'scene-exercise':
    room('cream', 320) +
    windowAt(70, 60, 130, 110) +
    chair(330) +
    seated(
      330,
      296,
      {
        top: C.teal,
        legs: C.slate,
        style: 'thin',
        hair: C.grey,
        hands: [
          [-22, -40],
          [22, -40],
        ],
      },
      1.25,
    ) +
    line('M372 250h96', C.slate, 17) +
    line('M468 250v-22', C.ink, 15) +
    line('M440 200c30-6 50 8 56 30M496 230l-16-4M496 230l6-16', C.gold, 6) +
    plant(560),
  'scene-fluids':
    room('air', 320) +
    table(80, 262, 480) +
    glass(180, 258, 44) +
    glass(280, 258, 36) +
    fill('M360 150c44-24 92 0 92 50s-36 58-58 58-60-18-60-58c0-30 12-44 26-50z', C.sea) +
    fill('M366 154c22-10 52-6 66 10-24 8-48 4-66-10z', C.cream) +
    line('M404 156l22-58 20-4', C.gold, 6) +
    bowl(516, 224, 76, C.white, C.light),
  'scene-growth':
    room('cream', 200) +
    box(380, 60, 30, 236, C.white, 6) +
    line('M380 90h16M380 120h24M380 150h16M380 180h24M380 210h16M380 240h24M380 270h16', C.teal, 4) +
    person(340, 296, { top: C.gold, legs: C.teal, skin: SKIN[2], r: 19 }, 0.98) +
    person(
      476,
      296,
      {
        ...doctor,
        skin: SKIN[1],
        style: 'bun',
        hands: [
          [-60, -128],
          [22, -58],
        ],
      },
      1.3,
    ) +
    plant(120) +
    line('M310 148h96', C.sea, 7),
  'scene-kitchen':
    room('cream', 340) +
    windowAt(80, 50, 140, 110) +
    table(50, 250, 540) +
    bowl(170, 206, 130, C.teal, C.gold) +
    box(286, 226, 120, 18, C.sea, 8) +
    many(
      [
        [310, 212],
        [342, 208],
        [374, 212],
      ],
      (x, y) => dot(x, y, 15, x === 342 ? C.gold : C.leaf),
    ) +
    fill('M440 150h96v92q0 4-6 4h-84q-6 0-6-4z', C.slate) +
    line('M432 150h112M488 150v-14', C.ink, 9) +
    line('M470 112c-10-14 10-20 0-36M504 112c-10-14 10-20 0-36', C.white, 6),
  'scene-lamps':
    room('night', 320) +
    fill('M0 250h640v110H0z', '#083f4a') +
    fill('M150 250h340v46H150z', '#0d5a66') +
    many(
      [
        [90, 312, 0.9],
        [200, 250, 0.7],
        [320, 244, 1.2],
        [440, 250, 0.7],
        [550, 312, 0.9],
      ],
      (x, y, scale) => diya(x, y, scale),
    ) +
    flower(130, 150) +
    flower(510, 150) +
    flower(320, 90, 0.9),
  'scene-measuring':
    room('sea', 300) +
    table(320, 226, 230) +
    chair(200) +
    seated(
      200,
      296,
      {
        ...grandmother,
        hands: [
          [-20, -40],
          [76, -64],
        ],
      },
      1.2,
    ) +
    box(252, 192, 34, 26, C.teal, 6) +
    box(400, 150, 96, 70, C.white, 12) +
    box(412, 162, 72, 38, C.teal, 6) +
    line('M424 172v18M436 172h10v18h-10zM460 172v18', C.light, 4) +
    line('M286 206c40 14 70 6 114-6', C.slate, 5),
  'scene-newborn':
    room('cream', 320) +
    chair(290) +
    seated(
      290,
      296,
      {
        ...mother,
        hands: [
          [44, -62],
          [30, -56],
        ],
      },
      1.35,
    ) +
    at(330, 214, baby(0, 0)) +
    windowAt(440, 60, 130, 120) +
    flower(110, 120, 1.1) +
    flower(170, 80, 0.7),
  'scene-notebook':
    room('air', 300) +
    table(60, 276, 520) +
    at(
      150,
      130,
      fill('M0 0h160v140H0zM170 0h160v140H170z', C.white) +
        line('M165 0v140', C.teal, 8) +
        line('M20 30h110M20 56h80M20 82h110M20 108h60M192 30h110M192 56h60', C.pale, 6),
    ) +
    fill('M340 260l12-40 88-88q10-8 20 0l8 8q8 10 0 20l-88 88z', C.gold) +
    fill('M340 260l6-20 14 14z', C.ink) +
    cup(540, 270, C.teal),
  'scene-walking':
    outdoors('cream', 500) +
    tree(90) +
    person(
      290,
      306,
      {
        ...mother,
        hands: [
          [-26, -60],
          [26, -60],
        ],
      },
      1.15,
    ) +
    person(
      370,
      306,
      {
        top: C.teal,
        legs: C.slate,
        style: 'thin',
        hair: C.grey,
        hands: [
          [-28, -62],
          [28, -66],
        ],
      },
      1.15,
    ) +
    line('M470 306v-60M540 306v-60M458 262h96', C.sea, 8),
};
