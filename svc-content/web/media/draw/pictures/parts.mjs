/**
 * Parts of the drawings: flat shapes, two tones of teal, champaca light, round line ends. Every function returns SVG
 * for a field of 640 by 360 with its floor at y = 296. Figures stand on (x, y) and are about 135 units high.
 */
export const C = {
  ink: '#10262b', slate: '#47606a', teal: '#0b5563', sea: '#2c8a8d', mist: '#7fb3b6', pale: '#c3dfe0', air: '#e1f0f1',
  gold: '#e6a52e', light: '#f3cf86', cream: '#fdf3dc', white: '#fff', grey: '#c9d3d6', leaf: '#0f6b72',
}; // prettier-ignore
export const SKIN = ['#8a5738', '#a9714a', '#c98f63', '#6c422a', '#dfae84'];

export const fill = (d, colour) => `<path d="${d}" fill="${colour}"/>`;
export const line = (d, colour, width = 5) => `<path d="${d}" stroke="${colour}" stroke-width="${width}"/>`;
export const dot = (x, y, r, colour) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}"/>`;
export const oval = (x, y, rx, ry, colour) => `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${colour}"/>`;
export const box = (x, y, width, height, colour, r = 8) => `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${r}" fill="${colour}"/>`;
/** Translates and optionally scales; a negative scale mirrors to the left. */
export const at = (x, y, content, sx = 1, sy = Math.abs(sx)) =>
  `<g transform="translate(${x} ${y})${sx === 1 && sy === 1 ? '' : ` scale(${sx === sy ? sx : `${sx} ${sy}`})`}">${content}</g>`;
export const turn = (x, y, degrees, content) => `<g transform="translate(${x} ${y}) rotate(${degrees})">${content}</g>`;
export const many = (places, draw) => places.map(([x, y, ...rest]) => draw(x, y, ...rest)).join('');

const GROUNDS = { air: [C.air, '#c9e2e4'], cream: [C.cream, '#f7e2b3'], sea: ['#d6e9eb', C.cream], night: [C.teal, '#1c6a76'] };

/** A room with wall, round light and floor. */
export function room(tone = 'air', lightX = 420, floor = tone === 'night' ? '#083f4a' : '#a9d0d2') {
  const [ground, light] = GROUNDS[tone];
  return fill('M0 0h640v360H0z', ground) + dot(lightX, 150, 126, light) + fill('M0 296h640v64H0z', floor);
}

/** Sky with a sun, two hills and the ground. */
export function outdoors(tone = 'sea', sunX = 470) {
  const [ground] = GROUNDS[tone];
  return (
    fill('M0 0h640v360H0z', ground) + dot(sunX, 96, 62, C.cream) + dot(sunX, 96, 38, C.light) +
    fill('M0 250c110-60 210-50 320-16s230 8 320-30v156H0z', C.pale) + fill('M0 296c200-22 440-22 640 0v64H0z', '#9fc9cb')
  );
}

const HAIR = {
  short: (hair) => fill('M-15-117a15 15 0 0 1 30-3c-8-1-16-3-20-6-2 4-5 7-10 9z', hair),
  bun: (hair) => dot(-15, -112, 7, hair) + HAIR.short(hair),
  long: (hair) => fill('M-17-90c-3-20-2-44 17-44s20 16 20 44c-7-4-10-16-11-26-8 1-14-1-18-5-1 12-2 24-8 31z', hair),
  braid: (hair) => line('M-13-116c-6 14-4 26-6 40', hair, 7) + HAIR.short(hair),
  thin: (hair) => fill('M-15-116c-2-8 1-12 5-14l-1 10zM15-118c1-6-1-10-4-12v10z', hair),
  scarf: (colour, skin) => fill('M-17-116a17 17 0 0 1 34 0c0 14 3 20 6 27h-46c3-7 6-13 6-27z', colour) + dot(2, -117, 11, skin),
  turban: (colour) => fill('M-17-120c0-18 34-18 34 0-10-5-24-5-34 0z', colour) + fill('M-10-112c2 12 6 16 12 16s10-6 11-16c-7 4-16 4-23 0z', C.ink),
};

function headOf({ skin = SKIN[1], hair = C.ink, style = 'short', r = 15 }) {
  const middle = r === 15 ? [0, -118] : [0, -118 - (r - 15) / 2];
  return line('M0-104v8', skin, 10) + dot(...middle, r, skin) + at(0, -118 * (1 - r / 15) - (r - 15) / 2, HAIR[style](hair, skin), r / 15);
}

function arms({ hands = [[-24, -56], [24, -56]], skin = SKIN[1] }, sleeve) {
  const drawn = (from) => hands.map(([x, y], index) => `M${from(x, y, index)}`).join('');
  return line(drawn((x, y, index) => `${index ? 15 : -15}-86L${x} ${y}`), sleeve, 10) + line(drawn((x, y) => `${x} ${y}h0`), skin, 11);
}

/** A standing figure. `dress` reaches the feet; `coat` is white and covers the rest. */
export function person(x, y, look = {}, scale = 1) {
  const { top = C.teal, legs = C.ink, dress, coat, pallu } = look;
  const below = dress
    ? line('M-8-4v2M8-4v2', look.skin ?? SKIN[1], 7) + fill('M-18-94q18-16 36 0l10 90h-56z', dress) + (pallu ? fill('M-17-93c15 11 28 38 35 89h-15c-4-36-12-60-24-70z', pallu) : '')
    : line('M-8-46v44M8-46v44', legs, 13) + fill('M-18-94q18-16 36 0l4 54h-44z', top);
  const over = coat ? fill('M-19-95q19-16 38 0l7 64h-52z', C.white) + fill('M-6-100h12l-6 22z', top) : '';
  return at(x, y, below + over + arms(look, coat ? C.white : (dress ?? top)) + headOf(look), scale);
}

/** A figure seated 40 units above the floor, facing right; a negative scale mirrors it. */
export function seated(x, y, look = {}, scale = 1) {
  const { top = C.teal, legs = C.ink, dress, coat, pallu } = look;
  const cloth = dress ?? top;
  const lap = dress ? fill('M-21-46h46q16 0 17 16l3 28h-24l-3-24h-39z', dress) : line('M0-38h32v36', legs, 14);
  const body = fill('M-17-94q17-16 34 0l4 60h-42z', coat ? C.white : cloth) + (pallu ? fill('M-16-93c14 10 24 30 28 59h-14c-3-24-8-40-18-48z', pallu) : '');
  return at(x, y, lap + body + arms(look, coat ? C.white : cloth) + headOf(look), scale);
}

export const chair = (x, y = 296, colour = C.mist, scale = 1) => at(x, y, line('M-24-96v94M-24-36h46v34', colour, 6), scale);
export const table = (x, y, width, colour = C.teal) => line(`M${x} ${y}h${width}`, colour, 9) + line(`M${x + 16} ${y + 4}V294M${x + width - 16} ${y + 4}V294`, colour, 6);
export const baby = (x, y, wrap = C.white, skin = SKIN[2]) =>
  at(x, y, oval(0, 0, 28, 15, wrap) + dot(-24, -4, 11, skin) + line('M-10 8c8-4 16-12 18-20', C.light, 3));

export const windowAt = (x, y, width = 120, height = 110, pane = '#c9e6e8') =>
  box(x, y, width, height, C.white, 6) + fill(`M${x + 8} ${y + 8}h${width / 2 - 11}v${height - 16}h${11 - width / 2}zm${width / 2 - 5} 0h${width / 2 - 11}v${height - 16}h${11 - width / 2}z`, pane);
export const plant = (x, y = 296) =>
  at(x, y, fill('M0-34c-4-30-22-36-28-54 20 4 30 20 30 36 2-24 10-34 26-40-2 22-14 34-24 58z', C.leaf) + fill('M-20-36h40l-5 36h-30z', C.gold));
export const flower = (x, y, scale = 1) =>
  at(x, y, fill('M0-4C-10-11-11-23 0-31 11-23 10-11 0-4M4-1C7-13 18-18 29-10 25 3 14 6 4-1M2 3C15 3 22 12 18 25 5 25-2 15 2 3M-2 3C2 15-5 25-18 25-22 12-15 3-2 3M-4-1C-14 6-25 3-29-10-18-18-7-13-4-1', C.gold) + dot(0, 0, 5, C.cream), scale);
export const tree = (x, y = 300) =>
  at(x, y, line('M0 0c4-40-2-60 4-96M2-50l24-30', C.slate, 9) + fill('M2-196c34-8 62 18 60 48 22 16 18 58-14 64-12 26-50 30-66 12-32 8-58-18-46-46-18-28 2-58 30-56 6-12 18-20 36-22z', C.leaf) +
    line('M-30-150h0M4-166h0M32-128h0M-10-116h0M38-100h0M-36-104h0', C.gold, 12));
export const heart = (x, y, scale = 1, colour = C.gold) => at(x, y, fill('M0 34C-52 0-40-40-16-40-6-40 0-32 0-26 0-32 6-40 16-40 40-40 52 0 0 34z', colour), scale);
export const cross = (x, y, size = 14, colour = C.teal) => line(`M${x - size} ${y}h${2 * size}M${x} ${y - size}v${2 * size}`, colour, size * 0.7);
export const cup = (x, y, colour = C.white) => fill(`M${x - 16} ${y - 30}h32l-4 30h-24z`, colour) + line(`M${x + 15} ${y - 24}c12 0 10 14-1 15`, colour, 4);
export const glass = (x, y, level = 34) => fill(`M${x - 20} ${y - 62}h40l-6 62h-28z`, C.white) + fill(`M${x - 16} ${y - level}h32l-4 ${level - 4}h-24z`, C.mist);
export const paper = (x, y, width = 90, height = 120, lines = 4) =>
  box(x, y, width, height, C.white, 6) + line(Array.from({ length: lines }, (_, index) => `M${x + 16} ${y + 26 + index * 20}h${index % 2 ? width - 46 : width - 32}`).join(''), C.pale, 6);
export const clipboard = (x, y, scale = 1) => at(x, y, box(0, 0, 84, 108, C.teal, 8) + paper(8, 12, 68, 88, 3) + box(24, -6, 36, 16, C.gold, 5), scale);
export const bowl = (x, y, width, colour, food) => oval(x, y, width / 2, width / 9, food) + fill(`M${x - width / 2} ${y}a${width / 2} ${width / 2.4} 0 0 0 ${width} 0z`, colour);
export const diya = (x, y, scale = 1) =>
  at(x, y, dot(0, -34, 30, '#f7e2b3') + fill('M0-58c14 18 12 34 0 34s-14-16 0-34z', C.gold) + fill('M0-42c6 8 5 16 0 16s-6-8 0-16z', C.cream) + fill('M-36-22q36 18 72 0c-4 26-20 32-36 32s-32-6-36-32z', C.sea), scale);
export const drop = (x, y, scale = 1, colour = C.sea) => at(x, y, fill('M0-26C14-8 18 0 18 8a18 18 0 0 1-36 0c0-8 4-16 18-34z', colour), scale);
export const syringe = (x, y, degrees = -35, scale = 1) =>
  turn(x, y, degrees, at(0, 0, line('M52 0h34', C.slate, 3) + box(-40, -13, 92, 26, C.white, 5) + box(-36, -9, 50, 18, C.light, 3) + line('M-40 0h-26M-68-14v28', C.teal, 6) + line('M-14-12v8M6-12v8M26-12v8', C.mist, 3), scale));
export const monitor = (x, y, width = 130, height = 86) =>
  box(x, y, width, height, C.teal, 10) + box(x + 9, y + 9, width - 18, height - 18, '#083f4a', 5) +
  line(`M${x + 16} ${y + height / 2}h${width / 4}l8-18 12 34 10-22 6 6h${width / 5}`, C.light, 4);
export const bed = (x, y = 296, width = 240, sheet = C.white) =>
  line(`M${x} ${y - 86}v84M${x + width} ${y - 62}v60`, C.teal, 9) + box(x + 4, y - 50, width - 8, 30, sheet, 8) + box(x + 10, y - 66, 58, 22, C.cream, 10) + line(`M${x} ${y - 18}h${width}`, C.teal, 7);
export const ambulance = (x, y, scale = 1) =>
  at(x, y, fill('M0-30v-84q0-12 12-12h146q8 0 14 8l34 46 24 8q8 3 8 12v22z', C.white) + fill('M0-58h238v20H0z', C.gold) + fill('M150-108h12l26 36h-38z', C.mist) +
    box(40, -144, 26, 16, C.gold, 6) + cross(76, -88, 16) + many([[52, -28], [192, -28]], (wx, wy) => dot(wx, wy, 27, C.ink) + dot(wx, wy, 11, C.pale)), scale);
export const building = (x, y = 296, width = 190) =>
  box(x, y - 150, width, 150, C.white, 4) + fill(`M${x} ${y - 150}h${width}v18h${-width}z`, C.teal) + box(x + width / 2 - 30, y - 190, 60, 46, C.teal, 6) + cross(x + width / 2, y - 166, 12, C.white) +
  fill([[18, -116], [56, -116], [width - 82, -116], [width - 44, -116], [18, -70], [width - 44, -70]].map(([wx, wy]) => `M${x + wx} ${y + wy}h26v30h-26z`).join(''), '#cfe6e7') + box(x + width / 2 - 24, y - 74, 48, 74, C.sea, 6) + fill(`M${x + width / 2 - 40} ${y - 84}h80l8 14h-96z`, C.gold);
