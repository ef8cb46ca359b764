// What an image of page modules does when it is run: copies its folder to REMOTES_DIR/PAGES/VERSION, which is never changed again,
// and moves the pointer in remotes.json. Its lock is its own: a folder is filled by these images or by `cargo xtask publish`. `--version V` moves the pointer to a version that is there (roll back) and copies nothing.
// It signs nothing: gateways with REMOTES_KEYS do not follow a pointer that it moved.
import { createHash } from 'node:crypto';
import { cp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const NAME = /^[a-z][a-z0-9-]{0,62}$/;
const VERSION = /^[A-Za-z0-9_+-][A-Za-z0-9._+-]{0,127}$/;
const LOCK_WAIT_MS_MAX = 30_000;
const LOCK_PAUSE_MS = 50;
/** Beyond this age a lock is that of a job that died: moving a pointer takes milliseconds. */
const LOCK_AGE_MS_MAX = 20_000;

/**
 * Publishes what stands in `pages`.
 *
 * @param {{ pages: string, remotes: string, name: string }} what Folder of the image, folder of the gateways, team or `shell`.
 * @returns {Promise<string>} The version.
 * @throws When the folder is not a package of that name, or the version was published with other bytes.
 */
export async function publish({ pages, remotes, name }) {
  checkName(name);
  const declaration = await readJson(join(pages, 'module.json'));
  if (declaration.name !== name)
    throw new Error(`module.json says its name is ${declaration.name}, PAGES says ${name}`);
  const version = checkVersion(declaration.version);
  const folder = join(remotes, name, version);
  if (await exists(join(folder, 'module.json'))) {
    if ((await digest(folder)) !== (await digest(pages))) {
      throw new Error(`${name} ${version} was published before with other bytes: a new build needs a new version`);
    }
  } else {
    // A name of its own for each process: two jobs of one version do not write into one folder.
    const unfinished = `${folder}.unfinished-${process.pid}-${Date.now()}`;
    await cp(pages, unfinished, { recursive: true });
    await rename(unfinished, folder).catch(async (error) => {
      await rm(unfinished, { recursive: true });
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  await pointTo({ remotes, name, version, contract: declaration.contract });
  return version;
}

/**
 * Moves the pointer to a version that was published before.
 *
 * @param {{ remotes: string, name: string, version: string }} what
 */
export async function rollBack({ remotes, name, version }) {
  checkName(name);
  const file = join(remotes, name, checkVersion(version), 'module.json');
  if (!(await exists(file))) throw new Error(`${name} ${version} was never published here`);
  await pointTo({ remotes, name, version, contract: (await readJson(file)).contract });
}

async function pointTo({ remotes, name, version, contract }) {
  await locked(join(remotes, 'remotes.json.lock'), async () => {
    const file = join(remotes, 'remotes.json');
    const registry = (await exists(file)) ? await readJson(file) : { contract, shell: {}, teams: {} };
    const entry = moved(name === 'shell' ? registry.shell : registry.teams[name], version);
    const manifest = join(remotes, name, version, 'integrity.json');
    if (await exists(manifest))
      entry.integrity[version] = `sha256-${sha256(await readFile(manifest)).digest('base64')}`;
    if (name === 'shell') registry.shell = entry;
    else registry.teams[name] = entry;
    // Readers see the old file or the new one, never half of it.
    const unfinished = `${file}.unfinished`;
    await writeFile(unfinished, `${JSON.stringify(registry, null, 2)}\n`, { mode: 0o644, flush: true });
    await rename(unfinished, file);
  });
}

/**
 * The entry of a team that points to `version`, as `cargo xtask publish` without a key writes it: the version before is the one to go
 * back to, and a signature of what the entry said before is gone.
 */
function moved(entry = {}, version) {
  const { canary: _ended, keep: _kept, signed: _said, signature: _stale, ...rest } = entry;
  const previous = entry.stable === undefined || entry.stable === version ? entry.previous : entry.stable;
  const integrity = Object.fromEntries(
    Object.entries(entry.integrity ?? {}).filter(([known]) => known === version || known === previous),
  );
  return { ...rest, stable: version, ...(previous && { previous }), moves: (entry.moves ?? 0) + 1, integrity };
}

/** Runs `work` while nobody else does: two teams publish at once, and neither may lose its pointer. */
async function locked(file, work) {
  const end = Date.now() + LOCK_WAIT_MS_MAX;
  let lock;
  while (!lock) {
    lock = await open(file, 'wx').catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if (lock) break;
    await removeIfDead(file);
    if (Date.now() > end) throw new Error(`${file} was not free within ${LOCK_WAIT_MS_MAX} ms`);
    await pause(LOCK_PAUSE_MS);
  }
  try {
    return await work();
  } finally {
    await lock.close();
    await rm(file);
  }
}

async function removeIfDead(file) {
  const found = await stat(file).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!found || Date.now() - found.mtimeMs < LOCK_AGE_MS_MAX) return;
  // Of several who wait, the one whose rename succeeds has removed it.
  const dead = `${file}.dead-${process.pid}`;
  await rename(file, dead).then(
    () => rm(dead),
    (error) => {
      if (error.code !== 'ENOENT') throw error;
    },
  );
}

const sha256 = (bytes) => createHash('sha256').update(bytes);

/** One hash over the paths and bytes of a folder. */
async function digest(folder) {
  const hash = sha256('');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  for (const file of files.sort()) {
    const bytes = await readFile(file);
    hash.update(`${relative(folder, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

function checkName(name) {
  if (!NAME.test(name ?? '')) throw new Error(`PAGES is not the name of a team or "shell": ${name}`);
}

function checkVersion(version) {
  if (!VERSION.test(version ?? '')) throw new Error(`not a version that can name a folder: ${version}`);
  return version;
}

async function readJson(file) {
  return JSON.parse(await readFile(file, 'utf8'));
}

async function exists(file) {
  return stat(file).then(
    () => true,
    (error) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { version: { type: 'string' } } });
  const { PAGES: name, REMOTES_DIR: remotes = '/remotes' } = process.env;
  if (values.version) await rollBack({ remotes, name, version: values.version });
  const version = values.version ?? (await publish({ pages: '/pages', remotes, name }));
  process.stdout.write(`${name} is ${version}\n`);
}
