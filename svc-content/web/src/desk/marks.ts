/** The tools of a text: what each replaces in Markdown, or in HTML if the text has tags. */

export type Tool = 'bold' | 'italic' | 'link' | 'heading' | 'list' | 'quote';

export interface Edit {
  /** Range that is replaced. */
  from: number;
  to: number;
  text: string;
  /** Selection after it. */
  start: number;
  end: number;
}

type Pair = readonly [before: string, after: string];

const ADDRESS = 'https://';
const TAG = /<[a-z][^<>]*>/i;
const MARKDOWN: Readonly<Record<Tool, Pair>> = {
  bold: ['**', '**'],
  italic: ['*', '*'],
  link: ['[', `](${ADDRESS})`],
  heading: ['## ', ''],
  list: ['- ', ''],
  quote: ['> ', ''],
};
const HTML: Readonly<Record<Tool, Pair>> = {
  bold: ['<strong>', '</strong>'],
  italic: ['<em>', '</em>'],
  link: [`<a href="${ADDRESS}">`, '</a>'],
  heading: ['<h2>', '</h2>'],
  list: ['<li>', '</li>'],
  quote: ['<blockquote>', '</blockquote>'],
};

/** Returns what a tool changes. A second use on the same selection removes the marks of Markdown. */
export function marked(text: string, start: number, end: number, tool: Tool): Edit {
  const isHtml = TAG.test(text);
  const pair = (isHtml ? HTML : MARKDOWN)[tool];
  if (tool === 'bold' || tool === 'italic' || tool === 'link') return around(text, start, end, tool, pair);
  return lines(text, start, end, pair, isHtml && tool === 'list');
}

function around(text: string, start: number, end: number, tool: Tool, [before, after]: Pair): Edit {
  // Marks beside spaces are no marks.
  while (start < end && /\s/.test(text.charAt(start))) start++;
  while (start < end && /\s/.test(text.charAt(end - 1))) end--;
  const selected = text.slice(start, end);
  const [from, to] = [start - before.length, end + after.length];
  if (from >= 0 && text.slice(from, start) === before && text.slice(end, to) === after) {
    const isBold = tool === 'italic' && text.charAt(from - 1) === '*' && text.charAt(from - 2) !== '*';
    if (!isBold) return { from, to, text: selected, start: from, end: from + selected.length };
  }
  const whole = before + selected + after;
  const address = selected && tool === 'link' ? whole.lastIndexOf(ADDRESS) : -1;
  const begin = start + (address < 0 ? before.length : address);
  return {
    from: start,
    to: end,
    text: whole,
    start: begin,
    end: begin + (address < 0 ? selected.length : ADDRESS.length),
  };
}

function lines(text: string, start: number, end: number, [before, after]: Pair, isList: boolean): Edit {
  const last = end > start && text.charAt(end - 1) === '\n' ? end - 1 : end;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', last);
  const to = next < 0 ? text.length : next;
  const whole = text.slice(from, to).split('\n');
  const isMarked = !after && whole.every((line) => !line || line.startsWith(before)) && whole.some(Boolean);
  const changed = whole.map((line) => {
    if (isMarked) return line && line.slice(before.length);
    return line.startsWith(before) || (!line && whole.length > 1) ? line : before + line + after;
  });
  const inner = changed.join('\n');
  const replaced = isList ? `<ul>\n${inner}\n</ul>` : inner;
  // Ready to type on, or to be marked again.
  const caret = from + replaced.length - (isList ? '\n</ul>'.length : 0) - after.length;
  return start === end
    ? { from, to, text: replaced, start: caret, end: caret }
    : { from, to, text: replaced, start: from, end: from + replaced.length };
}
