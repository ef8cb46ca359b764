/** The last release and this tree: where their programs and their page modules are. `cargo xtask test --only skew` makes both. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAMS, ROOT } from '../processes.mjs';

/** The checkout of the last release with what was built in it. */
const RELEASE = process.env.RELEASE_DIR;
assert.ok(RELEASE, 'RELEASE_DIR names the last release: cargo xtask test --only skew');
const SOURCE = join(RELEASE, 'source');

export const SHELL = 'shell';
export const TEAMS = ['assessment', 'booking', 'content', 'messaging'];
const packageOf = (name) => (name === SHELL ? 'web-shell' : `svc-${name}/web`);

/** One build of everything: folder of programs, and of the page modules by name. */
export const OLD = {
  name: 'old',
  programs: join(RELEASE, 'target/debug'),
  modules: Object.fromEntries([SHELL, ...TEAMS].map((name) => [name, join(SOURCE, packageOf(name), 'dist')])),
};
export const NEW = { name: 'new', programs: PROGRAMS, modules: published() };
/** The booking team's pages of this tree, built with the kit of the last release. */
export const OTHER_KIT = join(RELEASE, 'kit/svc-booking/web/dist');

/** What this tree has published, with its integrity manifests. */
function published() {
  const { shell, teams } = JSON.parse(readFileSync(join(ROOT, 'remotes/remotes.json'), 'utf8'));
  const all = Object.entries({ shell, ...teams });
  return Object.fromEntries(all.map(([name, { stable }]) => [name, join(ROOT, 'remotes', name, stable)]));
}

export function moduleOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'module.json'), 'utf8'));
}

/** A folder that a gateway reads: versions of modules, and a pointer to one of each name. */
export class Remotes {
  #pointers = {};

  constructor(folder) {
    this.folder = folder;
  }

  /** Points to these modules (name → folder) in one step, as `publish` does; copies what is not there yet. */
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

  /** Name → version of what is pointed to. */
  versions() {
    return Object.fromEntries(Object.entries(this.#pointers).map(([name, { stable }]) => [name, stable]));
  }

  /** Every page that is declared by what is pointed to, with one address of each. */
  pages() {
    const declared = Object.entries(this.versions()).map(([name, version]) =>
      moduleOf(join(this.folder, name, version)),
    );
    const pages = declared.flatMap(({ pages: own, compositions = [] }) => [...own, ...compositions]);
    return pages.flatMap(({ route, walk }) => walk ?? [route]);
  }
}

/** What publishing notes of a folder; folders of older tools have no manifest. */
function digests(folder, version) {
  const manifest = join(folder, 'integrity.json');
  if (!existsSync(manifest)) return {};
  return { [version]: `sha256-${createHash('sha256').update(readFileSync(manifest)).digest('base64')}` };
}

/** Bytes that browsers are sent for the scripts of a built folder. */
export function scriptBytes(folder) {
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js.br') && name !== 'server.js.br');
  return scripts.reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
}
