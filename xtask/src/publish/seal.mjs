// Run in a folder that is about to be published. Writes the SHA-256 of each file to integrity.json, with a key (PEM file as the one
// argument) the team's signature of that to integrity.sig.
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';

const CONTEXT = 'hospital page modules, integrity 1\n';
const digest = (bytes) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
const names = readdirSync('.', { recursive: true }).filter(
  (name) => statSync(name).isFile() && !['integrity.json', 'integrity.sig'].includes(name),
);
const files = Object.fromEntries(names.sort().map((name) => [name, digest(readFileSync(name))]));
const manifest = `${JSON.stringify({ files }, null, 1)}\n`;
writeFileSync('integrity.json', manifest);
const [keyFile] = process.argv.slice(2);
if (keyFile) {
  const key = createPrivateKey(readFileSync(keyFile));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${keyFile} is no Ed25519 key`);
  writeFileSync('integrity.sig', sign(null, Buffer.from(CONTEXT + manifest), key).toString('base64'));
}
