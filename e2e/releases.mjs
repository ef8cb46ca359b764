/**
 * A team's steps to ship page modules: builds of changed sources, and `cargo xtask publish`, `rollback` and `remotes`
 * on a private folder.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, TARGET } from './processes.mjs';

const run = promisify(execFile);
const BUILD = join(ROOT, 'node_modules/@hospital/build/bin/hospital-build.mjs');
/** Time limit of a build or a publication on a busy machine. */
const COMMAND_MS_MAX = 90_000;

/** A private copy of the tree's published modules, changed only by these releases. Call `remove()` in any case. */
export class Releases {
  #folder = mkdtempSync(join(tmpdir(), 'hospital-releases-'));
  /** Folder that gateways read. */
  remotes = this.#copy(join(ROOT, 'remotes'), 'remotes');

  constructor() {
    symlinkSync(join(ROOT, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  #copy(from, name) {
    const to = join(this.#folder, name);
    cpSync(from, to, { recursive: true });
    return to;
  }

  /**
   * Returns a folder with a copy of the currently published modules, as a gateway that fetches from an origin has it. A
   * repeated call adds what is new.
   */
  fetched(name) {
    return this.#copy(this.remotes, name);
  }

  /**
   * Builds a team's package from a copy of its sources with these changes. Returns the team, the folder and the
   * version.
   * @param {{file: string, from: string, to: string}[]} changes
   */
  async build(team, name, changes) {
    const source = join(ROOT, `svc-${team}/web`);
    const copy = join(this.#folder, name, 'web');
    mkdirSync(copy, { recursive: true });
    for (const part of ['package.json', 'module.config.json', 'src', 'messages', 'media', 'built-in']) {
      if (readdirSync(source).includes(part)) cpSync(join(source, part), join(copy, part), { recursive: true });
    }
    for (const { file, from, to } of changes) {
      const text = readFileSync(join(copy, file), 'utf8');
      assert.equal(text.split(from).length, 2, `${file} of ${team} must contain exactly once: ${from}`);
      writeFileSync(
        join(copy, file),
        text.replace(from, () => to),
      );
    }
    await run(process.execPath, [BUILD], { cwd: copy, timeout: COMMAND_MS_MAX });
    const built = join(copy, 'dist');
    return { team, built, version: JSON.parse(readFileSync(join(built, 'module.json'), 'utf8')).version };
  }

  /**
   * Compiles `xtask` once. Cargo's check before each `cargo xtask` would wait for every other Cargo process of this
   * machine.
   */
  async prepare() {
    await run('cargo', ['build', '--quiet', '--package', 'xtask'], { cwd: ROOT, timeout: COMMAND_MS_MAX });
  }

  /** Runs an `xtask` command; returns its output. `code` is not 0 if the command refuses. */
  async #xtask(...words) {
    try {
      const { stdout } = await run(join(TARGET, 'debug/xtask'), words, { cwd: ROOT, timeout: COMMAND_MS_MAX });
      return { code: 0, text: stdout };
    } catch (error) {
      // Without an exit code the command did not run, or not to its end.
      if (typeof error.code !== 'number') throw error;
      return { code: error.code, text: error.stdout + error.stderr };
    }
  }

  /**
   * Verifies and seals a build and moves the pointer, as a team's pipeline does. A version that was published before
   * only gets the pointer.
   */
  publish({ team, built }, ...flags) {
    return this.#xtask('publish', team, '--built', built, '--remotes-dir', this.remotes, ...flags);
  }

  rollBack(team) {
    return this.#xtask('rollback', team, '--remotes-dir', this.remotes);
  }

  /** Reports the live versions; the code is 0 if all gateways show what the pointers name. */
  whatRuns(...gateways) {
    return this.#xtask('remotes', ...gateways.flatMap(({ operatorsOrigin }) => ['--gateway', operatorsOrigin]));
  }

  pointers() {
    return readFileSync(join(this.remotes, 'remotes.json'), 'utf8');
  }

  /** Restores the tree's pointers; later versions stay published. */
  reset() {
    writeFileSync(join(this.remotes, 'remotes.json'), readFileSync(join(ROOT, 'remotes/remotes.json')));
  }

  stable(team) {
    return JSON.parse(this.pointers()).teams[team].stable;
  }

  /** Returns a digest of all names and bytes of each version's folder, by team and version. */
  digests() {
    const digests = {};
    for (const team of folders(this.remotes)) {
      for (const version of folders(join(this.remotes, team))) {
        const folder = join(this.remotes, team, version);
        const hash = createHash('sha256');
        const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
        const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
        for (const file of files.sort()) hash.update(`\0${file}\0`).update(readFileSync(file));
        digests[`${team}/${version}`] = hash.digest('hex');
      }
    }
    return digests;
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function folders(path) {
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Returns what a gateway shows of a team, from its operators' listener. */
export async function shownBy(gateway, team) {
  const answer = await fetch(`${gateway.operatorsOrigin}/remotes`);
  assert.equal(answer.status, 200);
  return (await answer.json()).remotes[team];
}
