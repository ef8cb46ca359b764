// Keys of sealed fields for a laptop and for tests: `make.mjs FOLDER SERVICE…` makes FOLDER/SERVICE.toml for each service that
// has none. What is there is never overwritten: without its key a sealed row cannot be read again.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, ...services] = process.argv.slice(2);
const key = () => randomBytes(32).toString('base64');

mkdirSync(folder, { recursive: true });
chmodSync(folder, 0o700);
for (const service of services) {
  const file = join(folder, `${service}.toml`);
  if (existsSync(file)) continue;
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `active = "k1"\nindex_key = "${key()}"\n\n[keys]\nk1 = "${key()}"\n`, {
    mode: 0o600,
    flag: 'wx',
  });
  try {
    // Unlike a rename, this fails when somebody else was faster.
    linkSync(unfinished, file);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished);
  }
}
