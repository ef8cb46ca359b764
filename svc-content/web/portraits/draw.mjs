/**
 * Draws the portraits and the table that maps a doctor's slug to the drawing's address.
 * Same people, same bytes: run `npm run portraits -w @hospital/content-web` after a change and commit the result.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BEARD, DRESS, STYLE, face, mix, moustache, neckAndHead } from './parts.mjs';
import { PEOPLE } from './people.mjs';

const BACKGROUNDS = [['#e1f0f1', '#c9e2e4'], ['#fdf3dc', '#f7e2b3'], ['#d6e9eb', '#bad9dc']];

export function drawPortrait(person, index) {
  const [ground, light] = BACKGROUNDS[index % BACKGROUNDS.length];
  const style = STYLE[person.style];
  const beardColour = person.age === 3 ? person.hair : mix(person.hair, person.skin, person.beard === 'short' ? 0.25 : 0);
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="9 4 78 78">',
    `<path d="M0 0H96V96H0Z" fill="${ground}"/><circle cx="${index % 2 ? 66 : 30}" cy="34" r="30" fill="${light}"/>`,
    style.back?.(person) ?? '',
    DRESS[person.dress](person),
    neckAndHead(person),
    person.beard ? BEARD[person.beard](beardColour) : '',
    face(person),
    person.moustache ? moustache(person.hair) : '',
    style.front(person),
    style.over?.(person) ?? '',
    '</svg>\n',
  ].join('');
}

function variableName(slug) {
  return slug.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}

function table() {
  return [
    '// Written by portraits/draw.mjs.',
    ...PEOPLE.map(({ slug }) => `import ${variableName(slug)} from '../../portraits/drawn/${slug}.svg';`),
    '',
    '/** A doctor’s slug to the address of the portrait. */',
    'export const PORTRAITS: Readonly<Record<string, string>> = {',
    ...PEOPLE.map(({ slug }) => `  '${slug}': ${variableName(slug)},`),
    '};',
    '',
  ].join('\n');
}

function main(directory) {
  const drawn = join(directory, 'drawn');
  mkdirSync(drawn, { recursive: true });
  for (const file of readdirSync(drawn)) rmSync(join(drawn, file));
  PEOPLE.forEach((person, index) => writeFileSync(join(drawn, `${person.slug}.svg`), drawPortrait(person, index)));
  writeFileSync(join(directory, '../src/doctors/portraits.ts'), table());
}

if (process.argv[1]?.endsWith('draw.mjs')) main(import.meta.dirname ?? new URL('.', import.meta.url).pathname);
