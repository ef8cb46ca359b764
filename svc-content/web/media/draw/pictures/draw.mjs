/** Pictures of articles, posts, events, news, promotions and reviews. */
import { ARTICLES, BLOGS, SCENES } from './blogs.mjs';
import { NEWS } from './news.mjs';
import { EVENTS, PROMOS } from './others.mjs';

/** Wraps a scene in an SVG with round line ends. Shapes set their own fill. */
const scene = (content) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360" fill="none" stroke-linecap="round" stroke-linejoin="round">${content.replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 10) / 10))}</svg>\n`;

const drawAll = (kind, scenes, draw) =>
  Object.entries(scenes).map(([name, content]) => [`${kind}/${name}`, draw(content)]);

/** Drawings by key, as in the content files. */
export const PICTURES = new Map([
  ...drawAll('articles', ARTICLES, scene),
  ...drawAll('blogs', { ...BLOGS, ...SCENES }, scene),
  ...drawAll('events', EVENTS, scene),
  ...drawAll('news', NEWS, scene),
  ...drawAll('promos', PROMOS, scene),
]);
