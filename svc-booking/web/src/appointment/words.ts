/** Finds departments by the patient's own words. */
import type { DepartmentProfile } from '@hospital/api/types';

/** Stop words. */
const STOP_WORDS = new Set(
  'a am an and at be been can cant for from get got had has have her his i im in is it its me my need not of on one or our some the to too very want with'.split(
    ' ',
  ),
);
const WORD_CHARACTERS_MIN = 3;

/** The words of a department in which a visitor searches. */
export interface Words extends Pick<DepartmentProfile, 'problems' | 'treats'> {
  name: string;
}

/**
 * Returns the share of the text's telling words that the department knows, 0 to 1. A word is known if it begins a word
 * of the department, or the other way round: `knees` finds `knee`. 1 for a text without a telling word.
 */
export function knownShare({ name, problems = [], treats = [] }: Words, text: string): number {
  const wanted = wordsOf(text).filter((word) => word.length >= WORD_CHARACTERS_MIN && !STOP_WORDS.has(word));
  const known = wordsOf([name, ...problems, ...treats].join(' '));
  if (wanted.length === 0) return 1;
  return wanted.filter((word) => known.some((one) => isAlike(one, word))).length / wanted.length;
}

function isAlike(one: string, other: string): boolean {
  return one.startsWith(other) || (one.length > WORD_CHARACTERS_MIN && other.startsWith(one));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/’|'/g, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u);
}
