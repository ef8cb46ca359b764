/** Starts, kills and restarts the programs of the site, each on a free loopback port. */
import { execFile, spawn } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const TARGET = process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target');
const READY_MS_MAX = 30_000;
/** The gateway gives open requests 10 s to finish. */
const STOP_MS_MAX = 15_000;

/** Folder of this tree's compiled programs. PROGRAMS_DIR selects another profile than the tests' own. */
export const PROGRAMS = process.env.PROGRAMS_DIR ?? join(TARGET, 'debug');

function program(folder, name) {
  const file = join(folder, name);
  if (!existsSync(file)) throw new Error(`${file} is missing: cargo build --workspace --bins`);
  return file;
}

/** One program of the site. A restart keeps its port, so that other programs can reconnect. */
export class Program {
  #child = null;
  #exited = null;

  /**
   * `wrapper` precedes the program on its command line and must `exec` it. With `isLogRead: false` the log pipe is not
   * read. `folder` contains the programs of another build. `announcement` is the start of the last line that the
   * program prints before it accepts requests. `port` is where it listens from the first start on; by default it picks
   * a free port.
   */
  constructor(
    name,
    {
      args = [],
      env = {},
      logDir,
      wrapper = [],
      isLogRead = true,
      folder = PROGRAMS,
      announcement = lastLine(name),
      port,
    },
  ) {
    this.name = name;
    this.folder = folder;
    this.announcement = announcement;
    this.wrapper = wrapper;
    this.isLogRead = isLogRead;
    this.args = args;
    this.env = env;
    this.logFile = join(logDir, `${name}.log`);
    /** Text after `listening on `, known after the first start. */
    this.addresses = port ? `127.0.0.1:${port}` : '';
    /** Text after `operators on `: the address for probes and metrics. */
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

  /** Origin of probes and metrics. */
  get operatorsOrigin() {
    return this.operatorsAddress ? `http://${this.operatorsAddress}` : this.origin;
  }

  /** Resolves when the program listens. Rejects with the end of its log if the program exits earlier. */
  async start() {
    const listen = this.port ? ['--listen', `127.0.0.1:${this.port}`] : ['--listen', '127.0.0.1:0'];
    // Only explicit variables: a variable of the caller must not change what is tested.
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
    // An unread pipe buffers 64 KiB, and this process a little more.
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
    ended.catch(() => {}); // also rejects at the regular end, when nothing awaits it
    await within(READY_MS_MAX, `${this.name} listens`, Promise.race([listening, ended]));
  }

  /** Resolves when the program reports ready: a service has then opened and read its database. */
  async ready() {
    await until(`${this.name} is ready`, async () => (await fetch(`${this.operatorsOrigin}/readyz`)).ok, READY_MS_MAX);
  }

  /** Runs a subcommand to its end; rejects if the exit code is not 0. */
  async runToEnd() {
    const env = { PATH: process.env.PATH, ...this.env };
    await promisify(execFile)(program(this.folder, this.name), this.args, { cwd: ROOT, env, timeout: READY_MS_MAX });
  }

  /** SIGKILL: the program cannot shut down cleanly. */
  async kill() {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** SIGSTOP: the program's connections stay open, but nothing is answered. */
  freeze() {
    this.#child.kill('SIGSTOP');
  }

  thaw() {
    this.#child.kill('SIGCONT');
  }

  /** Sends SIGTERM; kills the program and throws if it does not end within the limit. */
  async stop() {
    if (!this.#child || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGTERM');
    // The `close` event fires only after the log has been read to its end.
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

/**
 * Returns the start of the last line that a program announces. Programs with an operators' listener announce it after
 * the public one.
 */
function lastLine(name) {
  return name === 'ops-traces' ? 'listening on ' : 'operators on ';
}

/** Rejects with a readable message if the promise takes longer than the limit. */
export async function within(limitMs, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${limitMs} ms: ${what}`)), limitMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Polls every 100 ms until `ask` returns something truthy; errors of `ask` count as "not yet". */
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
