/** Who the directory's filter finds. The page decides with it what the address asks for, its script what is being typed. */
import type { Doctor } from '@hospital/api/list-doctors';

/** What a doctor is found by. */
export interface Searchable {
  /** Labels of one meaning (Orthopaedics, Orthopedics) share a key. */
  key: string;
  /** Lower case, a line each: name and label of the specialty. */
  text: string;
}

export function searchable({ name, specialty, specialtyKey }: Doctor): Searchable {
  return { key: specialtyKey, text: `${name}\n${specialty}`.toLowerCase() };
}

/** Whether the words stand in the name or in the label, in any case; an empty key takes every specialty. */
export function matches({ key, text }: Searchable, words: string, wantedKey: string): boolean {
  const wanted = words.trim().toLowerCase();
  return (!wantedKey || key === wantedKey) && text.split('\n').some((line) => line.includes(wanted));
}

/** `1 doctor`, `16 doctors` */
export function counted(doctors: number): string {
  return `${doctors} ${doctors === 1 ? 'doctor' : 'doctors'}`;
}
