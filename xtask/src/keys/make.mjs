// Creates keys for a laptop and for tests. `make.mjs FOLDER SERVICE…` writes:
//   FOLDER/SERVICE.toml   for the sealed fields of each service
//   FOLDER/form.key       for native forms
//   FOLDER/notice.token   which svc-booking presents to svc-messaging
// Existing files are never overwritten: without its key, a sealed row cannot be read again.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;
const [folder, ...services] = process.argv.slice(2);
const key = () => randomBytes(KEY_BYTES).toString('base64');

mkdirSync(folder, { recursive: true });
chmodSync(folder, 0o700);
for (const service of services) {
  make(`${service}.toml`, () => `active = "k1"\nindex_key = "${key()}"\n\n[keys]\nk1 = "${key()}"\n`);
}
make('form.key', () => randomBytes(KEY_BYTES));
make('notice.token', () => `${randomBytes(KEY_BYTES).toString('base64url')}\n`);

function make(name, content) {
  const file = join(folder, name);
  if (existsSync(file)) return;
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, content(), { mode: 0o600, flag: 'wx' });
  try {
    // Unlike a rename, this fails if a concurrent run has already created the file.
    linkSync(unfinished, file);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished);
  }
}
