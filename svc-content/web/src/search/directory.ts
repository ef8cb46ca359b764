/** Search over the pages that teams declare with search words. */
import type { DirectoryEntry, SearchEntry } from '@hospital/page';

/** Maximum pages; more would push the other results below the fold. */
const PAGES_MAX = 5;
/** Minimum word length for tolerating a typing error. Shorter words would match unrelated words. */
const FORGIVING_LETTERS_MIN = 5;
/** Stop words. */
const FILLERS = new Set('a an and at for from how i in is my of on or the to what when where with'.split(' '));

export interface PageFound extends SearchEntry {
  path: string;
  /** Whether the title alone matches. */
  inTitle: boolean;
}

/**
 * Returns the pages that match every word of `question` in title or words, also by prefix or with one typing error.
 * Title matches rank first.
 */
export function pagesFor(question: string, pages: readonly DirectoryEntry[]): PageFound[] {
  const asked = wordsOf(question);
  const telling = asked.filter((word) => !FILLERS.has(word));
  const wanted = telling.length > 0 ? telling : asked;
  if (wanted.length === 0) return [];
  return pages
    .flatMap(({ path, search }) => (search ? [{ path, ...search, ...scoreOf(wanted, search) }] : []))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, PAGES_MAX)
    .map(({ score: _, ...page }) => page);
}

/** The score is 0 if any word does not match. */
function scoreOf(wanted: readonly string[], { title, words }: SearchEntry): { score: number; inTitle: boolean } {
  const [ofTitle, further] = [wordsOf(title), wordsOf(words)];
  const inTitle = wanted.every((word) => likeness(word, ofTitle) > 0);
  const scores = wanted.map((word) => Math.max(3 * likeness(word, ofTitle), likeness(word, further)));
  return { score: scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score), inTitle };
}

/** Returns 3 for the same word, 2 for a prefix, 1 for one typing error, otherwise 0. */
function likeness(typed: string, words: readonly string[]): number {
  if (words.includes(typed)) return 3;
  if (typed.length > 1 && words.some((word) => word.startsWith(typed))) return 2;
  return typed.length >= FORGIVING_LETTERS_MIN && words.some((word) => differByOne(typed, word)) ? 1 : 0;
}

/** Returns whether the words differ by one inserted, deleted or replaced letter, or by two swapped neighbours. */
function differByOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const [restA, restB] = [a.slice(same), b.slice(same)];
  if (restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
