/** Pictures of articles, posts, events, news, promotions and reviews. */
import { BEARD, STYLE, face, mix, neckAndHead } from '../portraits/parts.mjs';
import { ARTICLES, BLOGS, SCENES } from './blogs.mjs';
import { NEWS } from './news.mjs';
import { EVENTS, PROMOS } from './others.mjs';
import { REVIEWERS } from './people.mjs';

/** Wraps a scene in an SVG with round line ends. Shapes set their own fill. */
const scene = (content) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360" fill="none" stroke-linecap="round" stroke-linejoin="round">${content.replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 10) / 10))}</svg>\n`;

/** Draws a square portrait of a reviewer in a shirt. */
function reviewer(look) {
  const style = STYLE[look.style];
  const beard = look.beard ? BEARD[look.beard](mix(look.hair, look.skin, 0.25)) : '';
  const shoulders = `<path d="M9 96C9 79 22 72.5 41 68 45 76 51 76 55 68 74 72.5 87 79 87 96Z" fill="${look.garment}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="9 4 78 78"><path d="M0 0H96V96H0Z" fill="#e1f0f1"/><circle cx="62" cy="34" r="30" fill="#fdf3dc"/>${style.back?.(look) ?? ''}${shoulders}${neckAndHead(look)}${beard}${face(look)}${style.front(look)}</svg>\n`;
}

const drawAll = (kind, scenes, draw) =>
  Object.entries(scenes).map(([name, content]) => [`${kind}/${name}`, draw(content)]);

/** Drawings by key, as in the content files. */
export const PICTURES = new Map([
  ...drawAll('articles', ARTICLES, scene),
  ...drawAll('blogs', { ...BLOGS, ...SCENES }, scene),
  ...drawAll('events', EVENTS, scene),
  ...drawAll('news', NEWS, scene),
  ...drawAll('promos', PROMOS, scene),
  ...drawAll('reviews', REVIEWERS, reviewer),
]);
