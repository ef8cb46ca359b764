/** Words about a text, for cards, heads and feeds. */
import { formatDay } from '@hospital/page/format';

/** Characters of a content that stand for a missing excerpt, in lists and in the description of a page. */
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

/** Tags around words of a sentence: no space stands for them. */
const WITHIN_WORDS = /<\/?(a|b|code|em|i|s|strong|sub|sup|u)(\s[^>]*)?>/gi;

/** The words of a text that may be HTML, on one line. A tag that was cut off at the end goes too. */
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

/** First letters of the first and the last word, titles left out: `NI` of `Dr. Nandini Iyengar`. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word && !/^\p{L}{2,}\.$/u.test(word));
  return [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '').join('');
}

/** Paragraphs are parted by an empty line. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);
}
