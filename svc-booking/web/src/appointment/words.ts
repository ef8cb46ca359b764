/** Finds departments by the patient's own words. */
import type { DepartmentProfile } from '@hospital/api/types';

/** Words that say nothing about the problem. */
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
 * Returns whether a word of the text begins a word of the department, or the other way round: `knees` finds `knee`. A
 * text without a telling word matches every department.
 */
export function matches({ name, problems = [], treats = [] }: Words, text: string): boolean {
  const wanted = wordsOf(text).filter((word) => word.length >= WORD_CHARACTERS_MIN && !STOP_WORDS.has(word));
  const known = wordsOf([name, ...problems, ...treats].join(' '));
  return wanted.length === 0 || wanted.some((word) => known.some((one) => isAlike(one, word)));
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
