/** Text helpers for cards, metadata and feeds. */
import { formatDay } from '@hospital/page/format';

/** Lengths of the content excerpts that replace a missing excerpt, in lists and in page descriptions. */
export const TEASER_CHARACTERS = 200;
const DESCRIPTION_CHARACTERS = 160;

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
};

/** Inline tags, which are removed without leaving a space. */
const WITHIN_WORDS = /<\/?(a|b|code|em|i|s|strong|sub|sup|u)(\s[^>]*)?>/gi;

/** Returns the text, which may be HTML, as plain text on one line. An incomplete tag at the end is removed too. */
export function plain(text: string): string {
  const words = /<[a-z!/]/i.test(text)
    ? text
        .replace(/<(script|style)\b[^]*?(<\/\1\s*>|$)/gi, ' ')
        .replace(WITHIN_WORDS, '')
        .replace(/<[a-z!/][^>]*(>|$)/gi, ' ')
        .replace(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (entity) => ENTITIES[entity] as string)
    : text;
  return words.replace(/\s+/g, ' ').trim();
}

/** Shortens to at most `characters`, at a word boundary and with an ellipsis. */
export function shortened(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const cut = text.slice(0, characters - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), characters - 40)).replace(/[\s,;:.–-]+$/, '')}…`;
}

/** Returns the first non-empty value of `given`, or else the first 160 characters of `content`. */
export function description(content: string, ...given: string[]): string {
  return given.find(Boolean) ?? shortened(plain(content), DESCRIPTION_CHARACTERS);
}

/** Formats `12 November 2026`; returns an empty string if there is no time. */
export function dayOf(time: string | null | undefined): string {
  return time ? formatDay(time) : '';
}

/** Returns the initials of the first and last word, ignoring titles: `NI` for `Dr. Nandini Iyengar`. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word && !/^\p{L}{2,}\.$/u.test(word));
  return [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '').join('');
}

/** Splits a text into paragraphs at empty lines. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);
}
