/** What a team does to ship page modules: builds of changed sources, `cargo xtask publish`, `rollback` and `remotes` on a folder of their own. */
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
/** Of a build or a publication on a busy machine. */
const COMMAND_MS_MAX = 90_000;

/** A copy of what the tree has published, which only these releases change. Call `remove()` in any case. */
export class Releases {
  #folder = mkdtempSync(join(tmpdir(), 'hospital-releases-'));
  /** The folder that gateways read. */
  remotes = this.#copy(join(ROOT, 'remotes'), 'remotes');

  constructor() {
    symlinkSync(join(ROOT, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  #copy(from, name) {
    const to = join(this.#folder, name);
    cpSync(from, to, { recursive: true });
    return to;
  }

  /** A folder of its own with what is published now, as a gateway has that fetches from elsewhere; again: what is new comes, too. */
  fetched(name) {
    return this.#copy(this.remotes, name);
  }

  /**
   * Builds a team's package from a copy of its sources with these changes; gives its folder and its version.
   * @param {{file: string, from: string, to: string}[]} changes
   */
  async build(team, name, changes) {
    const source = join(ROOT, `svc-${team}/web`);
    const copy = join(this.#folder, name, 'web');
    mkdirSync(copy, { recursive: true });
    for (const part of ['package.json', 'module.config.json', 'src', 'media', 'built-in']) {
      if (readdirSync(source).includes(part)) cpSync(join(source, part), join(copy, part), { recursive: true });
    }
    for (const { file, from, to } of changes) {
      const text = readFileSync(join(copy, file), 'utf8');
      assert.equal(text.split(from).length, 2, `${file} of ${team} has this text once: ${from}`);
      writeFileSync(
        join(copy, file),
        text.replace(from, () => to),
      );
    }
    await run(process.execPath, [BUILD], { cwd: copy, timeout: COMMAND_MS_MAX });
    const built = join(copy, 'dist');
    return { team, built, version: JSON.parse(readFileSync(join(built, 'module.json'), 'utf8')).version };
  }

  /** Compiles `xtask`, once: what `cargo xtask` looks at before each command waits for every other cargo of this machine. */
  async prepare() {
    await run('cargo', ['build', '--quiet', '--package', 'xtask'], { cwd: ROOT, timeout: COMMAND_MS_MAX });
  }

  /** What `cargo xtask` runs, and whatever it says; `code` is not 0 when it refuses. */
  async #xtask(...words) {
    try {
      const { stdout } = await run(join(TARGET, 'debug/xtask'), words, { cwd: ROOT, timeout: COMMAND_MS_MAX });
      return { code: 0, text: stdout };
    } catch (error) {
      // No exit code: it did not run, or not to its end.
      if (typeof error.code !== 'number') throw error;
      return { code: error.code, text: error.stdout + error.stderr };
    }
  }

  /** Verifies what was built, seals it and moves the pointer, as a team's pipeline does. What was published once is only pointed to. */
  publish({ team, built }, ...flags) {
    return this.#xtask('publish', team, '--built', built, '--remotes-dir', this.remotes, ...flags);
  }

  rollBack(team) {
    return this.#xtask('rollback', team, '--remotes-dir', this.remotes);
  }

  /** What runs where; the code is 0 when all gateways show what the pointers say. */
  whatRuns(...gateways) {
    return this.#xtask('remotes', ...gateways.flatMap(({ operatorsOrigin }) => ['--gateway', operatorsOrigin]));
  }

  pointers() {
    return readFileSync(join(this.remotes, 'remotes.json'), 'utf8');
  }

  /** Points to what the tree points to, whatever was published since. */
  reset() {
    writeFileSync(join(this.remotes, 'remotes.json'), readFileSync(join(ROOT, 'remotes/remotes.json')));
  }

  stable(team) {
    return JSON.parse(this.pointers()).teams[team].stable;
  }

  /** Team and version to a digest of all names and bytes in its folder. */
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

/** What a gateway shows of a team, by its operators' listener. */
export async function shownBy(gateway, team) {
  const answer = await fetch(`${gateway.operatorsOrigin}/remotes`);
  assert.equal(answer.status, 200);
  return (await answer.json()).remotes[team];
}
