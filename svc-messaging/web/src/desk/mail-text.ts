/**
 * The text of a newsletter as its mail has it: paragraphs with links. Same as `paragraphs` and `as_link` of the
 * service.
 */

/** Text between links, or a link. */
export type Piece = string | { href: string };

export interface MailText {
  paragraphs: Piece[][];
  /** More paragraphs or links follow than a page can show. */
  isCut: boolean;
}

/** Maximum paragraphs and links. The gateway's engine takes some 25 µs for each, and at most 50 ms for a page. */
const ELEMENTS_MAX = 400;
/** Punctuation after an address. */
const AFTER = '.,;:)"\'';

export function mailTextOf(text: string): MailText {
  const paragraphs: Piece[][] = [];
  let left = ELEMENTS_MAX;
  for (const paragraph of paragraphsOf(text)) {
    left -= 1;
    if (left < 0) return { paragraphs, isCut: true };
    const pieces = piecesOf(paragraph);
    left -= pieces.filter((piece) => typeof piece !== 'string').length;
    if (left < 0) return { paragraphs, isCut: true };
    paragraphs.push(pieces);
  }
  return { paragraphs, isCut: false };
}

/** Returns the paragraphs, which empty lines separate. A single line break becomes a space. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[][] = [[]];
  for (const line of text.trim().split('\n')) {
    const trimmed = line.trimEnd();
    const last = paragraphs.at(-1) as string[];
    if (trimmed) last.push(trimmed);
    else if (last.length > 0) paragraphs.push([]);
  }
  return paragraphs.filter((lines) => lines.length > 0).map((lines) => lines.join(' '));
}

function piecesOf(paragraph: string): Piece[] {
  const pieces: Piece[] = [];
  let plain = '';
  for (const [index, word] of paragraph.split(' ').entries()) {
    if (index > 0) plain += ' ';
    const href = addressIn(word);
    if (!href) {
      plain += word;
      continue;
    }
    if (plain) pieces.push(plain);
    pieces.push({ href });
    plain = word.slice(href.length);
  }
  if (plain) pieces.push(plain);
  return pieces;
}

/** Returns the address that a word begins with, without the punctuation after it. Empty: none. */
function addressIn(word: string): string {
  if (!word.startsWith('https://') && !word.startsWith('http://')) return '';
  let end = word.length;
  while (AFTER.includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}
