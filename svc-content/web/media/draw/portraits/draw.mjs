/** Portraits of the doctors. */
import { BEARD, DRESS, STYLE, face, mix, moustache, neckAndHead } from './parts.mjs';
import { PEOPLE } from './people.mjs';

const BACKGROUNDS = [
  ['#e1f0f1', '#c9e2e4'],
  ['#fdf3dc', '#f7e2b3'],
  ['#d6e9eb', '#bad9dc'],
];

function drawPortrait(person, index) {
  const [ground, light] = BACKGROUNDS[index % BACKGROUNDS.length];
  const style = STYLE[person.style];
  const beardColour =
    person.age === 3 ? person.hair : mix(person.hair, person.skin, person.beard === 'short' ? 0.25 : 0);
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

/** Drawings by path below `media/drawn`, without extension. */
export const PORTRAITS = new Map(
  PEOPLE.map((person, index) => [`portraits/${person.slug}`, drawPortrait(person, index)]),
);
