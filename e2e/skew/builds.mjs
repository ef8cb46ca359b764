/**
 * Locations of the programs and page modules of the last release and of this tree. `cargo xtask test --only skew`
 * builds both.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAMS, ROOT } from '../processes.mjs';

/** Checkout of the last release, with its build results. */
const RELEASE = process.env.RELEASE_DIR;
assert.ok(RELEASE, 'RELEASE_DIR must be the folder of the last release: cargo xtask test --only skew');
const SOURCE = join(RELEASE, 'source');

export const SHELL = 'shell';
export const TEAMS = ['assessment', 'booking', 'content', 'messaging'];
const packageOf = (name) => (name === SHELL ? 'web-shell' : `svc-${name}/web`);

/** One complete build: the folder of its programs, and its page modules by name. */
export const OLD = {
  name: 'old',
  programs: join(RELEASE, 'target/debug'),
  modules: Object.fromEntries([SHELL, ...TEAMS].map((name) => [name, join(SOURCE, packageOf(name), 'dist')])),
};
export const NEW = { name: 'new', programs: PROGRAMS, modules: published() };
/** The booking team's pages of this tree, built with the last release's kit. */
export const OTHER_KIT = join(RELEASE, 'kit/svc-booking/web/dist');

/** Returns this tree's published modules, with their integrity manifests. */
function published() {
  const { shell, teams } = JSON.parse(readFileSync(join(ROOT, 'remotes/remotes.json'), 'utf8'));
  const all = Object.entries({ shell, ...teams });
  return Object.fromEntries(all.map(([name, { stable }]) => [name, join(ROOT, 'remotes', name, stable)]));
}

export function moduleOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'module.json'), 'utf8'));
}

/** A folder that a gateway reads: versions of modules, and one pointer per name. */
export class Remotes {
  #pointers = {};

  constructor(folder) {
    this.folder = folder;
  }

  /** Points to these modules (name → folder) in one step, as `publish` does. Copies missing versions. */
  point(modules) {
    for (const [name, from] of Object.entries(modules)) {
      const { version } = moduleOf(from);
      const to = join(this.folder, name, version);
      if (!existsSync(to)) cpSync(from, to, { recursive: true });
      const before = this.#pointers[name];
      if (before?.stable === version) continue;
      this.#pointers[name] = {
        stable: version,
        ...(before ? { previous: before.stable } : {}),
        integrity: digests(to, version),
        moves: (before?.moves ?? 0) + 1,
      };
    }
    const { shell, ...teams } = this.#pointers;
    const unfinished = join(this.folder, '.remotes.json.unfinished');
    writeFileSync(unfinished, JSON.stringify({ contract: 2, shell, teams }));
    renameSync(unfinished, join(this.folder, 'remotes.json'));
  }

  /** Returns the versions that are pointed to, by name. */
  versions() {
    return Object.fromEntries(Object.entries(this.#pointers).map(([name, { stable }]) => [name, stable]));
  }

  /** Returns one address of every page that the current modules declare for visitors. */
  pages() {
    const declared = Object.entries(this.versions()).map(([name, version]) =>
      moduleOf(join(this.folder, name, version)),
    );
    const pages = declared.flatMap(({ pages: own, compositions = [] }) => [...own, ...compositions]);
    return pages.filter(({ access }) => !access).flatMap(({ route, walk }) => walk ?? [route]);
  }
}

/** Returns the integrity digests that publishing records for a folder. Folders of older tools have no manifest. */
function digests(folder, version) {
  const manifest = join(folder, 'integrity.json');
  if (!existsSync(manifest)) return {};
  return { [version]: `sha256-${createHash('sha256').update(readFileSync(manifest)).digest('base64')}` };
}

/** Returns the compressed size of a built folder's browser scripts, in bytes. */
export function scriptBytes(folder) {
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js.br') && name !== 'server.js.br');
  return scripts.reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
}
