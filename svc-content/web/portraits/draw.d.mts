import type { Person } from './people.mjs';

/** The SVG of one person; `index` picks the background. */
export function drawPortrait(person: Person, index: number): string;
