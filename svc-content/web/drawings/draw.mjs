#!/usr/bin/env node
/** Writes the drawings and the modules that give their addresses: `node drawings/draw.mjs`. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PICTOGRAMS } from './pictograms.mjs';
import { SERVICES } from './services.mjs';
import { SURGERIES } from './surgeries.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const FIELD = 48;
/** Nothing of one pictogram shows at the edge of its neighbour. */
const PITCH = FIELD + 16;

/** All pictograms in one file; `#name` shows one of them. */
export function drawPictograms() {
  const names = Object.keys(PICTOGRAMS);
  const parts = names.map((name, index) => {
    const x = index * PITCH;
    return `<view id="${name}" viewBox="${x} 0 ${FIELD} ${FIELD}"/><g transform="translate(${x})">${PICTOGRAMS[name]}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${names.length * PITCH} ${FIELD}">${parts.join('')}</svg>\n`;
}

/** One scene on a field of 320 by 180. */
export function drawScene(content) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180">${content}</svg>\n`;
}

/** Path below this folder to content, of every file. */
export function drawAll() {
  const files = new Map([['drawn/pictograms.svg', drawPictograms()]]);
  for (const [folder, scenes] of [['services', SERVICES], ['surgeries', SURGERIES]]) {
    for (const [slug, content] of Object.entries(scenes)) files.set(`drawn/${folder}/${slug}.svg`, drawScene(content));
  }
  files.set('../src/service/drawings.ts', addresses('services', Object.keys(SERVICES), 'serviceDrawing'));
  files.set('../src/surgery/drawings.ts', addresses('surgeries', Object.keys(SURGERIES), 'surgeryDrawing'));
  return files;
}

function addresses(folder, slugs, name) {
  const variable = (slug) => slug.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  return [
    '// Written by drawings/draw.mjs.',
    "import type { Drawing } from '@hospital/ui/drawing';",
    ...slugs.map((slug) => `import ${variable(slug)} from '../../drawings/drawn/${folder}/${slug}.svg';`),
    ...slugs.map((slug) => `import ${variable(slug)}Svg from '../../drawings/drawn/${folder}/${slug}.svg?raw';`),
    '',
    'const DRAWINGS: Readonly<Record<string, Drawing>> = {',
    ...slugs.map((slug) => `  '${slug}': { address: ${variable(slug)}, svg: ${variable(slug)}Svg },`),
    '};',
    '',
    '/** 16 by 9; none for a slug that nothing is drawn for. */',
    `export function ${name}(slug: string): Drawing | undefined {`,
    '  return DRAWINGS[slug];',
    '}',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, content] of drawAll()) writeFileSync(join(HERE, path), content);
}
