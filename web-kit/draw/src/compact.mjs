/** Makes drawings small: relative path data with one decimal place, short colours, line ends given once. */
const NONE = ' fill="none"';
const ENDS = ' stroke-linecap="round" stroke-linejoin="round"';
const TOKENS = /[a-zA-Z]|-?(?:\d+\.?\d*|\.\d+)/g;
/** Numbers per command. */
const COUNT = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };

const tenth = (value) => Math.round(value * 10) / 10;
const short = (value) => String(tenth(value)).replace(/^(-?)0\./, '$1.');

/** Joins numbers with as few separators as the syntax allows. */
function join(numbers) {
  return numbers.map(short).reduce((text, number) => {
    const apart = text !== '' && !number.startsWith('-') && !(number.startsWith('.') && /\.\d*$/.test(text));
    return text + (apart ? ' ' : '') + number;
  }, '');
}

/** Rewrites path data with relative commands, without adding up rounding errors. */
export function compactPath(d) {
  const tokens = d.match(TOKENS) ?? [];
  let [from, drawn, start] = [
    [0, 0],
    [0, 0],
    [0, 0],
  ];
  let [out, last, command] = ['', '', ''];
  for (let index = 0; index < tokens.length;) {
    if (/[a-zA-Z]/.test(tokens[index])) command = tokens[index++];
    const kind = command.toLowerCase();
    if (kind === 'z') {
      [out, last, from, drawn] = [`${out}z`, 'z', start, start];
      continue;
    }
    const numbers = tokens.slice(index, (index += COUNT[kind])).map(Number);
    const [base, offset] = [command === kind ? from : [0, 0], drawn];
    /** Whether a number is an x (0), a y (1) or neither. */
    const axis = (at) => (kind === 'v' ? 1 : kind === 'h' ? 0 : kind === 'a' ? [-1, -1, -1, -1, -1, 0, 1][at] : at % 2);
    const absolute = numbers.map((number, at) => (axis(at) < 0 ? number : number + base[axis(at)]));
    const relative = absolute.map((number, at) => (axis(at) < 0 ? number : tenth(number - offset[axis(at)])));
    numbers.forEach((_, at) => {
      if (at >= numbers.length - (kind === 'h' || kind === 'v' ? 1 : 2)) {
        from = from.map((value, side) => (side === axis(at) ? absolute[at] : value));
        drawn = drawn.map((value, side) => (side === axis(at) ? tenth(value + relative[at]) : value));
      }
    });
    const same = kind === last || (last === 'm' && kind === 'l');
    const text = join(relative);
    out += same ? (text.startsWith('-') ? text : ` ${text}`) : kind + text;
    if (kind === 'm') {
      start = drawn;
      command = command === 'm' ? 'l' : 'L';
    }
    last = kind;
  }
  return out;
}

/** Shortens a complete drawing. */
export const compact = (svg) =>
  svg
    .replaceAll(ENDS, '')
    .replaceAll(NONE, '')
    .replace('>', `${NONE}${ENDS}>`)
    .replace(/ d="([^"]+)"/g, (_, d) => ` d="${compactPath(d)}"`)
    .replace(/#([\da-f])\1([\da-f])\2([\da-f])\3\b/g, '#$1$2$3')
    .replace(/(?<=[" (-])0\.(?=\d)/g, '.')
    .replace(/-?\d*\.\d{2,}/g, (number) => short(Number(number)));
