/** Pictures of articles, posts, events, news and promotions. */
import { compact } from '@hospital/draw/svg';
import { ARTICLES, BLOGS, SCENES } from './blogs.mjs';
import { EVENTS, PROMOS } from './events.mjs';
import { NEWS } from './news.mjs';
import { stage } from './stage.mjs';

/** Draws a scene in 16 by 9; the edges of the stage lie outside. */
const picture = (scene) =>
  compact(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="24 26 592 333">${stage(scene)}</svg>\n`);

const drawAll = (folder, scenes) =>
  Object.entries(scenes).map(([name, scene]) => [`${folder}/${name}`, picture(scene)]);

/** Drawings by key, as in the content files. */
export const PICTURES = new Map([
  ...drawAll('articles', ARTICLES),
  ...drawAll('blogs', { ...BLOGS, ...SCENES }),
  ...drawAll('events', EVENTS),
  ...drawAll('news', NEWS),
  ...drawAll('promos', PROMOS),
]);
