/** Matching of the directory's filter, shared by the page and its script. */
import type { Doctor } from '@hospital/api/types';

/** Search data of a doctor. */
export interface Searchable {
  /** Key shared by synonymous labels (Orthopaedics, Orthopedics). */
  key: string;
  /** Lower-case name and specialty label, one per line. */
  text: string;
}

export function searchable({ name, specialty, specialtyKey }: Doctor): Searchable {
  return { key: specialtyKey, text: `${name}\n${specialty}`.toLowerCase() };
}

/** Returns whether the name or the label contains the words, ignoring case. An empty key matches every specialty. */
export function matches({ key, text }: Searchable, words: string, wantedKey: string): boolean {
  const wanted = words.trim().toLowerCase();
  return (!wantedKey || key === wantedKey) && text.split('\n').some((line) => line.includes(wanted));
}

/**
 * Formats `1 doctor`, `16 doctors`. `translated` has `#` in place of the number; other languages have one form for all
 * numbers. Without the kit's functions, to keep the script small.
 */
export function counted(doctors: number, translated?: string): string {
  return (translated ?? `# doctor${doctors === 1 ? '' : 's'}`).replace('#', `${doctors}`);
}
