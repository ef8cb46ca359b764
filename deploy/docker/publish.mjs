// Entry point of an image of page modules: copies its folder to REMOTES_DIR/PAGES/VERSION, which never changes again,
// and moves the pointer in remotes.json. Its lock differs from that of `cargo xtask publish`, so a folder must be
// filled by only one of the two. `--canary PERCENT` serves the version for a share of the documents. `--back` ends the
// canary, or returns to the previous version; `--version V` moves the pointer to any existing version. These two copy
// nothing.
// With REMOTES_STORE, an S3-compatible store at `https://HOST/BUCKET/PREFIX`, REMOTES_DIR is only a partial copy of the
// store, as for `cargo xtask publish --store`, which has the same client.
// With SIGNING_KEY_FILE it signs the version and the pointer; gateways with REMOTES_KEYS require both signatures.
import { execFile } from 'node:child_process';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { chmod, cp, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const NAME = /^[a-z][a-z0-9-]{0,62}$/;
const VERSION = /^[A-Za-z0-9_+-][A-Za-z0-9._+-]{0,127}$/;
const LOCK_WAIT_MS_MAX = 30_000;
const LOCK_PAUSE_MS = 50;
/** Age in milliseconds beyond which a lock belongs to a dead job: moving a pointer takes milliseconds. */
const LOCK_AGE_MS_MAX = 20_000;
const POINTERS = 'remotes.json';
const MANIFEST = 'integrity.json';
const SIGNATURE = 'integrity.sig';
/** Client of a store; the image keeps the paths of the tree. */
const STORE = fileURLToPath(new URL('../../xtask/src/publish/store.mjs', import.meta.url));
/** Time limit for one object, including retries. */
const OBJECT_MS_MAX = 30_000;
/** Maximum number of attempts to move a pointer while others move theirs. */
const TRIES_MAX = 10;
/** Prefix of the signed bytes, so that a signature is invalid in any other context. The gateway has the same lines. */
const CONTEXT = {
  manifest: 'hospital page modules, integrity 1\n',
  pointer: 'hospital page modules, pointer 1\n',
};
/** Fields of an entry that are signed, and that a gateway with keys follows. */
const FIELDS = ['stable', 'previous', 'canary', 'integrity', 'published', 'keep', 'moves'];

/**
 * Publishes the package in `pages`.
 *
 * @param {{ pages: string, remotes: string, name: string, keyFile?: string, percent?: number }} what Folder of the
 *   image, folder of the gateways, team or `shell`, the team's key (Ed25519 as PKCS#8 in PEM), and the share of a canary.
 * @returns {Promise<string>} The version.
 * @throws If the folder is not a package of that name, the version was published with other bytes, or the key cannot
 *   sign.
 */
export async function publish({ pages, remotes, name, keyFile, percent }) {
  checkName(name);
  const signed = await signer(keyFile);
  const declaration = await readJson(join(pages, 'module.json'));
  if (declaration.name !== name) throw new Error(`module.json has the name ${declaration.name}, PAGES is ${name}`);
  const version = checkVersion(declaration.version);
  const folder = join(remotes, name, version);
  if (await exists(join(folder, 'module.json'))) {
    if ((await digest(folder)) !== (await digest(pages))) {
      throw new Error(`${name} ${version} was published before with other bytes: a new build needs a new version`);
    }
    if (signed) await seal(folder, signed);
  } else {
    // A unique name per process, so that two jobs of one version do not write into one folder.
    const unfinished = `${folder}.unfinished-${process.pid}-${Date.now()}`;
    await cp(pages, unfinished, { recursive: true });
    if (signed) await seal(unfinished, signed);
    await rename(unfinished, folder).catch(async (error) => {
      await rm(unfinished, { recursive: true });
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  await pointTo({ remotes, name, contract: declaration.contract, signed, to: () => ({ version, percent }) });
  return version;
}

/**
 * Moves the pointer to a version that was published before. Without a version, ends the canary or returns to the
 * previous version.
 *
 * @param {{ remotes: string, name: string, version?: string, keyFile?: string }} what
 * @returns {Promise<string>} The stable version.
 */
export async function rollBack({ remotes, name, version, keyFile }) {
  checkName(name);
  const signed = await signer(keyFile);
  if (!version) return pointTo({ remotes, name, signed, to: (entry) => ({ version: back(name, entry) }) });
  const file = join(remotes, name, checkVersion(version), 'module.json');
  if (!(await exists(file))) throw new Error(`${name} ${version} was never published here`);
  return pointTo({ remotes, name, contract: (await readJson(file)).contract, signed, to: () => ({ version }) });
}

function back(name, { canary, stable, previous }) {
  const version = canary ? stable : previous;
  if (!version) throw new Error(`${name} has no version to go back to`);
  return version;
}

/**
 * Runs `work` on a copy of the store's pointers, and stores what it did: its version first, then the pointer.
 *
 * @param {{ store: string, remotes: string, name: string, version?: string }} where Address of the store, folder of the
 *   copy, team or `shell`, and the published version that `work` needs.
 * @param {() => Promise<string>} work Publishes to the folder, or moves a pointer there. Runs again if another job has
 *   moved its pointer in the meantime.
 * @param {boolean} isNew Whether `work` publishes the version that it returns.
 * @returns {Promise<string>} The version that `work` returned.
 */
export async function inStore({ store, remotes, name, version }, work, isNew) {
  const run = async (command, ...words) => {
    const args = [STORE, command, store.replace(/\/+$/, ''), OBJECT_MS_MAX, ...words];
    return (await promisify(execFile)(process.execPath, args)).stdout;
  };
  if (version) {
    checkVersion(version);
    await mkdir(join(remotes, name, version), { recursive: true });
    for (const file of ['module.json', MANIFEST])
      await run('get', `${name}/${version}/${file}`, join(remotes, name, version, file));
  }
  const pointers = join(remotes, POINTERS);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const etag = await run('get', POINTERS, pointers);
    const result = await work();
    if (isNew) await run('upload', `${name}/${result}`, join(remotes, name, result));
    if ((await run('replace', POINTERS, pointers, etag)) === 'done') return result;
  }
  throw new Error(`${store}/${POINTERS} was changed by others ${TRIES_MAX} times while this pointer was to move`);
}

/** Moves a pointer to what `to` returns for the entry so far: a version, and a percentage if it is a canary. */
async function pointTo({ remotes, name, contract, signed, to }) {
  return locked(join(remotes, `${POINTERS}.lock`), async () => {
    const file = join(remotes, POINTERS);
    const registry = (await exists(file)) ? await readJson(file) : { contract, shell: {}, teams: {} };
    const before = (name === 'shell' ? registry.shell : registry.teams[name]) ?? {};
    if (signed && before.signed && before.signature !== signed(CONTEXT.pointer, before.signed))
      process.stdout.write(`the pointer of ${name} was not signed with this key: ${before.signed}\n`);
    const start = signed ? stated(before, name) : before;
    const { version, percent } = to(start);
    if (percent && (!start.stable || start.stable === version))
      throw new Error(`${name} has no other stable version beside which ${version} could be a canary`);
    const entry = moved(start, version, percent);
    const manifest = join(remotes, name, version, MANIFEST);
    if (await exists(manifest))
      entry.integrity[version] = `sha256-${sha256(await readFile(manifest)).digest('base64')}`;
    if (signed) {
      entry.signed = JSON.stringify({ name, ...fieldsOf(entry) });
      entry.signature = signed(CONTEXT.pointer, entry.signed);
    }
    if (name === 'shell') registry.shell = entry;
    else registry.teams[name] = entry;
    await writeWhole(file, `${JSON.stringify(registry, null, 2)}\n`);
    return entry.stable;
  });
}

/** Signs a version's manifest and writes the signature. */
async function seal(folder, signed) {
  // The folder may be copied from an image, where it is read-only.
  await chmod(folder, 0o755);
  await writeWhole(join(folder, SIGNATURE), signed(CONTEXT.manifest, await readFile(join(folder, MANIFEST))));
}

/** Replaces a file atomically, so that readers never see a partial one. */
async function writeWhole(file, text) {
  const unfinished = `${file}.unfinished-${process.pid}`;
  await writeFile(unfinished, text, { mode: 0o644, flush: true });
  await rename(unfinished, file);
}

/** Returns a function that signs a context line and bytes, in base64; `undefined` without a key. */
async function signer(keyFile) {
  if (!keyFile) return undefined;
  const key = createPrivateKey(await readFile(keyFile));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`SIGNING_KEY_FILE is no Ed25519 key: ${keyFile}`);
  return (context, bytes) =>
    sign(null, Buffer.concat([Buffer.from(context), Buffer.from(bytes)]), key).toString('base64');
}

const fieldsOf = (entry) =>
  Object.fromEntries(FIELDS.filter((field) => field in entry).map((field) => [field, entry[field]]));

/**
 * Returns an entry as gateways with keys read it. Unsigned changes beside the statement must not get into the next
 * signature.
 */
function stated(entry, name) {
  if (!entry.signed) return entry;
  if (!isFor(entry.signed, name))
    throw new Error(`\`signed\` of ${name} in remotes.json is not for ${name}: it was changed`);
  const statement = JSON.parse(entry.signed);
  const beside = Object.entries(entry).filter(([field]) => !FIELDS.includes(field));
  return { ...Object.fromEntries(beside), ...fieldsOf(statement) };
}

function isFor(text, name) {
  try {
    return JSON.parse(text).name === name;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return false;
    throw error;
  }
}

/**
 * Returns the team's entry with its pointer moved to `version`, as `cargo xtask publish` writes it. The current version
 * becomes the one to roll back to. A signature of the old entry is dropped. A version that is already stable keeps its
 * publication time, in seconds since 1970: signing it again does not restart its trial period.
 */
function moved(entry, version, percent) {
  const { canary: _ended, keep: _kept, signed: _said, signature: _stale, previous: _before, ...rest } = entry;
  const isStable = entry.stable === version;
  const previous = entry.stable === undefined || isStable || percent ? entry.previous : entry.stable;
  const stable = percent ? entry.stable : version;
  const ofNamed = (values) =>
    Object.fromEntries(Object.entries(values ?? {}).filter(([known]) => [version, stable, previous].includes(known)));
  const published = ofNamed(entry.published);
  if (!isStable) published[version] = Math.floor(Date.now() / 1000);
  return {
    ...rest,
    stable,
    ...(previous && { previous }),
    ...(percent && { canary: { version, percent } }),
    moves: (entry.moves ?? 0) + 1,
    integrity: ofNamed(entry.integrity),
    published,
  };
}

/** Runs `work` under an exclusive lock: teams may publish concurrently, and neither may lose its pointer. */
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
  // Of several waiting processes, the one whose rename succeeds has removed the lock.
  const dead = `${file}.dead-${process.pid}`;
  await rename(file, dead).then(
    () => rm(dead),
    (error) => {
      if (error.code !== 'ENOENT') throw error;
    },
  );
}

const sha256 = (bytes) => createHash('sha256').update(bytes);

/** Returns one hash over the paths and bytes of a folder, without signatures, which are not part of the build. */
async function digest(folder) {
  const hash = sha256('');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith(SIGNATURE))
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
  const {
    version,
    canary,
    back: isBack,
  } = parseArgs({
    options: { version: { type: 'string' }, canary: { type: 'string' }, back: { type: 'boolean' } },
  }).values;
  const percent = canary && Number(canary);
  if (canary && !(Number.isInteger(percent) && percent >= 1 && percent <= 99)) throw new Error('--canary is 1 to 99');
  const { PAGES: name, REMOTES_DIR: remotes = '/remotes', SIGNING_KEY_FILE: keyFile } = process.env;
  const { PAGES_DIR: pages = '/pages', REMOTES_STORE: store } = process.env;
  const isNew = !version && !isBack;
  const work = () =>
    isNew ? publish({ pages, remotes, name, keyFile, percent }) : rollBack({ remotes, name, version, keyFile });
  const result = await (store ? inStore({ store, remotes, name, version }, work, isNew) : work());
  process.stdout.write(percent ? `${name} ${result} makes ${percent} % of the documents\n` : `${name} is ${result}\n`);
}
