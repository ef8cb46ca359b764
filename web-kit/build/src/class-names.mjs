/**
 * Names of classes and animations that compress well: every byte of them is in each document. Who it belongs to, four characters
 * that the file's place gives, then the number of the name in the file. The same sources give the same names, in every folder
 * and bundle. What comes from the design system has the same names in every team's bundle, so that the gateway finds its style
 * sheets equal and lays each into a document once; there the text counts too, as teams may be built with different versions.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The package of the design system. */
const KIT = '@hospital/ui';
/** Path of a style sheet to its four characters and the names in it. */
const files = new Map();

/** The class `name` of the style sheet at `path`, in a bundle of `team`. */
export function className(team, path, name) {
  const { owner, prefix, names } = described(path);
  const index = names.indexOf(name);
  return `${owner ?? team}-${prefix}${index < 0 ? `_${name}` : index.toString(36)}`;
}

/** True for a style sheet that several teams have in common. */
export function isOfKit(path) {
  return described(path).owner !== null;
}

/** Read anew when the file has changed, for a build that watches. */
function described(path) {
  const { mtimeMs } = statSync(path);
  const known = files.get(path);
  if (known?.mtimeMs === mtimeMs) return known;
  files.delete(path);
  const fresh = { ...describe(path), mtimeMs };
  files.set(path, fresh);
  return fresh;
}

function describe(path) {
  const text = readFileSync(path, 'utf8').replace(/\/\*[^]*?\*\//g, '');
  const names = [...text.matchAll(/\.(-?[A-Za-z_][\w-]*)|@keyframes\s+([\w-]+)/g)].map(
    ([, className, animation]) => className ?? animation,
  );
  const root = packageRoot(path);
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const owner = name === KIT ? 'kit' : null;
  const hash = createHash('sha256').update(`${name}/${relative(root, path)}`);
  if (owner) hash.update(text);
  const prefix = letters(hash.digest(), 4);
  for (const [other, known] of files) {
    if (known.prefix === prefix)
      throw new Error(`${path}: rename it, its classes would be called as those of ${other}`);
  }
  return { owner, prefix, names: [...new Set(names)] };
}

function packageRoot(path) {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`${path} is in no package`);
  }
}

/** Letters only, so that the number after them cannot be taken for a part of them. */
function letters(bytes, count) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  return Array.from({ length: count }, (_, index) => alphabet[bytes[index] % alphabet.length]).join('');
}
