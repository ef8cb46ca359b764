/** An own PostgreSQL server for tests that lose it with its machine. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, openSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from '../observability/free-port.mjs';
import { until } from '../../e2e/processes.mjs';

const run = promisify(execFile);
/** PostgreSQL refuses to run as root. */
const AS = process.getuid() === 0 ? ['runuser', '-u', 'postgres', '--'] : ['env'];

/** Folder with the newest installed server. */
function programs() {
  const versions = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(a) - Number(b));
  return join('/usr/lib/postgresql', versions.at(-1), 'bin');
}

export class Server {
  #child;
  #ended;
  #log;

  constructor(data, port) {
    this.data = data;
    this.port = port;
    // Beside the machine: the log explains a failed start after a restore.
    this.#log = openSync(join(dirname(dirname(data)), 'postgres.log'), 'a');
  }

  static async create(data) {
    const server = new Server(data, await freePort());
    mkdirSync(dirname(data), { recursive: true });
    mkdirSync(data, { mode: 0o700 });
    if (process.getuid() === 0) execFileSync('chown', ['postgres', data]);
    const options = ['--username=hospital', '--auth=trust', '--encoding=UTF8', '--locale=C'];
    await run(AS[0], [...AS.slice(1), join(programs(), 'initdb'), '--pgdata', data, ...options], { cwd: '/' });
    await server.start();
    return server;
  }

  url(database) {
    return `postgres://hospital@127.0.0.1:${this.port}/${database}`;
  }

  /** Creates a database and returns its URL. */
  database(name) {
    execFileSync('psql', ['-qX', '-d', this.url('postgres'), '-c', `CREATE DATABASE ${name}`]);
    return this.url(name);
  }

  async start() {
    const settings = [`port=${this.port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
    const words = [join(programs(), 'postgres'), '-D', this.data, ...settings.flatMap((setting) => ['-c', setting])];
    // Its own process group: the signal also reaches the server's processes.
    this.#child = spawn(AS[0], [...AS.slice(1), ...words], {
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'ignore', this.#log],
    });
    this.#ended = new Promise((resolve) => this.#child.once('exit', resolve));
    await until('PostgreSQL answers', () => run('psql', ['-qX', '-d', this.url('postgres'), '-c', 'SELECT 1']), 60_000);
  }

  async kill() {
    if (!this.#child || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    process.kill(-this.#child.pid, 'SIGKILL');
    await this.#ended;
  }
}
