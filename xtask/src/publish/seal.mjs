// Runs in a folder before it is published. Writes the SHA-256 of each file to integrity.json, which the team may sign.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';

const digest = (bytes) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
const names = readdirSync('.', { recursive: true }).filter(
  (name) => statSync(name).isFile() && !['integrity.json', 'integrity.sig'].includes(name),
);
const files = Object.fromEntries(names.sort().map((name) => [name, digest(readFileSync(name))]));
writeFileSync('integrity.json', `${JSON.stringify({ files }, null, 1)}\n`);
