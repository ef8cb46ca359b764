/**
 * Converts a drawing (SVG) to the PNG that social networks show beside a shared link: none of them shows SVG. Drawings
 * contain no text, so no font is needed. Pictures are cached in `node_modules/.cache` by source hash, because
 * rasterising all of them takes ten seconds.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Size in pixels, as Open Graph recommends. The shell repeats it in every document. */
const [WIDTH, HEIGHT] = [1200, 630];
/** Background beside a drawing that is narrower than the picture. */
const GROUND = '#e1f0f1';
const CACHE = join(createRequire(import.meta.url).resolve('sharp'), '../../../.cache/hospital-share-images');

export const raw = true;

export default function shareImage(source) {
  const done = this.async();
  made(framed(source.toString('utf8'))).then((png) => done(null, png), done);
}

/** Fits a drawing into the picture. A wide drawing fills it; a square one, such as a portrait, is centred. */
export function framed(svg) {
  if (/<text[\s>]/.test(svg)) throw new Error('drawings must not contain text: the machine may lack its font');
  const [, box] = /viewBox="([^"]+)"/.exec(svg) ?? [];
  const [, , width = 1, height = 1] = (box ?? '').split(/[\s,]+/).map(Number);
  const fit = width / height > 1.3 ? 'slice' : 'meet';
  const place = `x="0" y="0" width="${WIDTH}" height="${HEIGHT}" preserveAspectRatio="xMidYMid ${fit}"`;
  const inner = svg.trim().replace('<svg ', `<svg ${place} `);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="${GROUND}"/>${inner}</svg>`;
}

async function made(svg) {
  const { default: sharp } = await import('sharp');
  const key = createHash('sha256')
    .update(JSON.stringify([sharp.versions, svg]))
    .digest('hex');
  const file = join(CACHE, `${key}.png`);
  try {
    return readFileSync(file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  // Drawings have few colours: a palette halves the size, and the gateway keeps every file in memory.
  const png = await sharp(Buffer.from(svg)).png({ palette: true, compressionLevel: 9, effort: 10 }).toBuffer();
  mkdirSync(CACHE, { recursive: true });
  // Renamed into place: two builds may run at the same time.
  writeFileSync(`${file}.${process.pid}`, png);
  renameSync(`${file}.${process.pid}`, file);
  return png;
}
