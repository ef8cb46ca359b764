/**
 * Class and animation names that compress well, because every byte of them is in each document. A name consists of its
 * owner's initial, four letters derived from the package and the file's path, and the index of the name in the file. The
 * same sources give the same names in every folder and bundle. Names of the design system are equal in every team's
 * bundle. The gateway can therefore recognise equal style sheets and include each once per document. Their letters also
 * depend on the file's text, because teams may be built with different versions of the design system.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The package of the design system. */
const KIT = '@hospital/ui';
/** Cache of described style sheets: path to owner, four letters and names. */
const files = new Map();

/** Returns the built name of class `name` of the style sheet at `path`, in a bundle of `team`. */
export function className(team, path, name) {
  const { owner, prefix, names } = described(path);
  const index = names.indexOf(name);
  return `${(owner ?? team)[0]}${prefix}${index < 0 ? `_${name}` : index.toString(36)}`;
}

/** Returns whether a style sheet belongs to the design system, which teams share. */
export function isOfKit(path) {
  return described(path).owner !== null;
}

/** Returns the cached description of a style sheet. Re-reads a changed file, for watch builds. */
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
    if (known.prefix === prefix) throw new Error(`${path}: rename it, its class names would equal those of ${other}`);
  }
  return { owner, prefix, names: [...new Set(names)] };
}

function packageRoot(path) {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`${path} is not in a package`);
  }
}

/** Encodes bytes as capital letters, which cannot be confused with the base-36 number that follows. */
function letters(bytes, count) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  return Array.from({ length: count }, (_, index) => alphabet[bytes[index] % alphabet.length]).join('');
}
