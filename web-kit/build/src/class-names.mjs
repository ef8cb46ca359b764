/**
 * Names of classes and animations that compress well: every byte of them is in each document. Four characters that the file's
 * place gives, then the number of the name in the file. The same sources give the same names, in every folder and bundle.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Path of a style sheet to its four characters and the names in it. */
const files = new Map();

export function shortName(path, name) {
  if (!files.has(path)) files.set(path, describe(path));
  const { prefix, names } = files.get(path);
  const index = names.indexOf(name);
  return prefix + (index < 0 ? `_${name}` : index.toString(36));
}

function describe(path) {
  const text = readFileSync(path, 'utf8').replace(/\/\*[^]*?\*\//g, '');
  const names = [...text.matchAll(/\.(-?[A-Za-z_][\w-]*)|@keyframes\s+([\w-]+)/g)].map(
    ([, className, animation]) => className ?? animation,
  );
  const root = packageRoot(path);
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const prefix = letters(
    createHash('sha256')
      .update(`${name}/${relative(root, path)}`)
      .digest(),
    4,
  );
  for (const [other, known] of files) {
    if (known.prefix === prefix)
      throw new Error(`${path}: rename it, its classes would be called as those of ${other}`);
  }
  return { prefix, names: [...new Set(names)] };
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
