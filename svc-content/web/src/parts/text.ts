/** Words about a text, for cards, heads and feeds. */
import { formatDay } from '@hospital/page/format';

/** Characters of a content that stand for a missing excerpt, in lists and in the description of a page. */
export const TEASER_CHARACTERS = 200;
const DESCRIPTION_CHARACTERS = 160;

/** The words of a text that may be HTML, on one line. A tag that was cut off at the end goes too. */
export function plain(text: string): string {
  return text
    .replace(/<[^>]*(>|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** At most that many characters, ended at a word and with an ellipsis when something is left out. */
export function shortened(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const cut = text.slice(0, characters - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), characters - 40)).replace(/[\s,;:.–-]+$/, '')}…`;
}

/** The first of `given` that says something, or the first 160 characters of `content`. */
export function description(content: string, ...given: string[]): string {
  return given.find(Boolean) ?? shortened(plain(content), DESCRIPTION_CHARACTERS);
}

/** `12 November 2026`, or nothing for a time that is missing. */
export function dayOf(time: string | null | undefined): string {
  return time ? formatDay(time) : '';
}

/** Paragraphs are parted by an empty line. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);
}
