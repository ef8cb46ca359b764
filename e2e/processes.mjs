/** Starting, killing and restarting the programs of the site, each on a free loopback port. */
import { execFile, spawn } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const TARGET = process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target');
const READY_MS_MAX = 30_000;
/** The gateway gives requests under way 10 s. */
const STOP_MS_MAX = 15_000;

/** Where the compiled programs of this tree are. PROGRAMS_DIR chooses another profile than the tests' own. */
export const PROGRAMS = process.env.PROGRAMS_DIR ?? join(TARGET, 'debug');

function program(folder, name) {
  const file = join(folder, name);
  if (!existsSync(file)) throw new Error(`${file} is missing: cargo build --workspace --bins`);
  return file;
}

/** One program of the site. It keeps its port over restarts, so that others find it again. */
export class Program {
  #child = null;
  #exited = null;

  /**
   * `wrapper` stands before the program on its command line and must become it (`exec`); with `isLogRead: false` nobody reads what
   * it logs, once it listens. `folder` has the programs of another build, `announcement` begins the last line that it prints before
   * it can be asked.
   */
  constructor(
    name,
    { args = [], env = {}, logDir, wrapper = [], isLogRead = true, folder = PROGRAMS, announcement = lastLine(name) },
  ) {
    this.name = name;
    this.folder = folder;
    this.announcement = announcement;
    this.wrapper = wrapper;
    this.isLogRead = isLogRead;
    this.args = args;
    this.env = env;
    this.logFile = join(logDir, `${name}.log`);
    /** What follows `listening on `, known after the first start. */
    this.addresses = '';
    /** What follows `operators on `: where a program answers probes and metrics. */
    this.operatorsAddress = '';
  }

  get pid() {
    return this.#child?.pid;
  }

  get port() {
    return Number(this.addresses.match(/:(\d+)$/)?.[1]);
  }

  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Where probes and metrics are. */
  get operatorsOrigin() {
    return this.operatorsAddress ? `http://${this.operatorsAddress}` : this.origin;
  }

  /** Resolves when the program listens; rejects with the end of its log when it ends before. */
  async start() {
    const listen = this.port ? ['--listen', `127.0.0.1:${this.port}`] : ['--listen', '127.0.0.1:0'];
    // Only what is given here: a variable of the caller must not change what is tested.
    const env = {
      PATH: process.env.PATH,
      RUST_LOG: process.env.RUST_LOG ?? 'info',
      OPERATORS_LISTEN: '127.0.0.1:0',
      // No balancer has to notice that the gateway stops.
      LAME_DUCK_MS: '0',
      ...this.env,
    };
    const [command, ...words] = [...this.wrapper, program(this.folder, this.name), ...listen, ...this.args];
    const child = spawn(command, words, {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    // A pipe takes 64 KiB, this process a little more.
    if (this.isLogRead) child.stderr.pipe(createWriteStream(this.logFile, { flags: 'a' }));
    else child.stderr.pause();
    this.#exited = new Promise((resolve) => child.once('close', resolve));
    const listening = new Promise((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('listening on ')) this.addresses = line.slice('listening on '.length);
        if (line.startsWith('operators on ')) this.operatorsAddress = line.slice('operators on '.length);
        if (line.startsWith(this.announcement)) resolve();
      });
    });
    const ended = this.#exited.then((code) =>
      Promise.reject(new Error(`${this.name} ended (${code}) before it listened\n${this.log().slice(-2000)}`)),
    );
    ended.catch(() => {}); // also happens at the regular end, when nobody waits any more
    await within(READY_MS_MAX, `${this.name} listens`, Promise.race([listening, ended]));
  }

  /** Resolves when the program says that it is ready: a service has opened and read its database by then. */
  async ready() {
    await until(`${this.name} is ready`, async () => (await fetch(`${this.operatorsOrigin}/readyz`)).ok, READY_MS_MAX);
  }

  /** For subcommands that end by themselves; rejects when the exit code is not 0. */
  async runToEnd() {
    const env = { PATH: process.env.PATH, ...this.env };
    await promisify(execFile)(program(this.folder, this.name), this.args, { cwd: ROOT, env, timeout: READY_MS_MAX });
  }

  /** SIGKILL: the program gets no chance to say good-bye. */
  async kill() {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** SIGSTOP freezes it: its connections stay open, and nobody answers. */
  freeze() {
    this.#child.kill('SIGSTOP');
  }

  thaw() {
    this.#child.kill('SIGCONT');
  }

  /** SIGTERM, and an error when the program does not end in time. */
  async stop() {
    if (!this.#child || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGTERM');
    // Its end is seen only when its log has been read to the end.
    this.#child.stderr.resume();
    try {
      await within(STOP_MS_MAX, `${this.name} stops after SIGTERM`, this.#exited);
    } catch (error) {
      await this.kill();
      throw error;
    }
  }

  log() {
    return existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8') : '';
  }
}

/** The second line of those that have operators follows their first. */
function lastLine(name) {
  return name === 'ops-traces' ? 'listening on ' : 'operators on ';
}

/** Fails with a readable message when the promise takes longer. */
export async function within(limitMs, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${limitMs} ms: ${what}`)), limitMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Asks every 100 ms until `ask` gives something truthy; errors of `ask` count as "not yet". */
export async function until(what, ask, limitMs = 15_000) {
  const end = Date.now() + limitMs;
  let last;
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`not within ${limitMs} ms: ${what}; last: ${last?.stack ?? last}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
