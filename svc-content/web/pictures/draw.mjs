/**
 * Draws every picture of blogs, news, events, promotions, reviews and articles, and the table from a picture's key in the
 * content files to its address. Same scenes, same bytes: run `npm run pictures -w @hospital/content-web` after a change and
 * commit the result.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BEARD, STYLE, face, mix, neckAndHead } from '../portraits/parts.mjs';
import { ARTICLES, BLOGS, SCENES } from './blogs.mjs';
import { NEWS } from './news.mjs';
import { EVENTS, PLACEHOLDER, PROMOS } from './others.mjs';
import { REVIEWERS } from './people.mjs';

/** Round line ends everywhere; shapes name their own fill. */
const scene = (content) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360" fill="none" stroke-linecap="round" stroke-linejoin="round">${content.replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 10) / 10))}</svg>\n`;

/** A bust in a shirt, on a square. */
function reviewer(look) {
  const style = STYLE[look.style];
  const beard = look.beard ? BEARD[look.beard](mix(look.hair, look.skin, 0.25)) : '';
  const shoulders = `<path d="M9 96C9 79 22 72.5 41 68 45 76 51 76 55 68 74 72.5 87 79 87 96Z" fill="${look.garment}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="9 4 78 78"><path d="M0 0H96V96H0Z" fill="#e1f0f1"/><circle cx="62" cy="34" r="30" fill="#fdf3dc"/>${style.back?.(look) ?? ''}${shoulders}${neckAndHead(look)}${beard}${face(look)}${style.front(look)}</svg>\n`;
}

const drawAll = (kind, scenes, draw) => Object.entries(scenes).map(([name, content]) => [`${kind}/${name}`, draw(content)]);

/** Key, as the content files have it, to the drawing. */
export const DRAWN = new Map([
  ...drawAll('articles', ARTICLES, scene),
  ...drawAll('blogs', { ...BLOGS, ...SCENES }, scene),
  ...drawAll('events', EVENTS, scene),
  ...drawAll('news', NEWS, scene),
  ...drawAll('promos', PROMOS, scene),
  ...drawAll('reviews', REVIEWERS, reviewer),
  ['placeholder', scene(PLACEHOLDER)],
]);

/** The head picture of an article, a post, an event or a piece of news. */
const FIRST = /^(articles|events|blogs(?!\/scene-)|news)\//;

export function table() {
  const keys = [...DRAWN.keys()];
  const first = keys.filter((key) => FIRST.test(key));
  const variable = (key) => key.replace(/[/-](.)/g, (_, letter) => letter.toUpperCase());
  return [
    '// Written by pictures/draw.mjs.',
    ...keys.map((key) => `import ${variable(key)} from './${key}.svg';`),
    ...first.map((key) => `import ${variable(key)}Svg from './${key}.svg?raw';`),
    '',
    '/** Key of a picture in the content files to the address of the drawing. */',
    'export const PICTURES: Readonly<Record<string, string>> = {',
    ...keys.map((key) => `  ${key === 'placeholder' ? key : `'${key}'`}${variable(key) === key ? '' : `: ${variable(key)}`},`),
    '};',
    '',
    '/** The drawings themselves, of those that can be in the first screen. */',
    'export const SOURCES: Readonly<Record<string, string>> = {',
    ...first.map((key) => `  '${key}': ${variable(key)}Svg,`),
    '};',
    '',
  ].join('\n');
}

function main() {
  const target = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../src/images');
  for (const kind of new Set([...DRAWN.keys()].map((key) => key.split('/')[0]))) rmSync(join(target, kind), { recursive: true, force: true });
  for (const [key, drawing] of DRAWN) {
    mkdirSync(join(target, key, '..'), { recursive: true });
    writeFileSync(join(target, `${key}.svg`), drawing);
  }
  writeFileSync(join(target, 'pictures.ts'), table());
}

if (process.argv[1]?.endsWith('draw.mjs')) main();
