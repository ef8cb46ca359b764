/** A site whose gateway and services come from two builds, on databases that outlive it. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Program, ROOT } from '../processes.mjs';

const PACKAGES = {
  'svc-messaging': 'hospital.messaging.v1',
  'svc-content': 'hospital.content.v1',
  'svc-booking': 'hospital.booking.v1',
  'svc-assessment': 'hospital.assessment.v1',
};
/**
 * Call limits are out of the test's way, because all calls come from one machine. A build ignores limits that it does
 * not know.
 */
const UNLIMITED = Object.fromEntries(
  [
    'VISITOR_CALLS_MAX',
    'ADDRESS_CALLS_MAX',
    'ADDRESS_WRITES_MAX',
    'ADDRESS_DOCUMENTS_MAX',
    'CREATES_IPV4_32_MAX',
    'CREATES_IPV4_24_MAX',
  ].map((name) => [name, '1000000']),
);
/** A log line with a failure: its level has a column of its own. */
const FAILURE = /^\S+\s+(ERROR|WARN)\b/;

/** A running site. Call `stop()` in any case; `folder` keeps databases and keys for the next site. */
export class Site {
  programs = {};
  /** Log length by program once the site was up. Warnings about the configuration before that are not failures. */
  #said = {};

  constructor({ folder, remotes }) {
    this.folder = folder;
    this.remotes = remotes;
  }

  static async start({ gateway, services, folder, remotes }) {
    const site = new Site({ folder, remotes });
    try {
      await site.#start(gateway, services);
    } catch (error) {
      await site.stop();
      throw error;
    }
    return site;
  }

  async #start(gateway, services) {
    const keys = join(this.folder, 'keys');
    run('xtask/src/token/mint.mjs', 'keys', keys);
    run('xtask/src/keys/make.mjs', keys, ...Object.keys(PACKAGES));
    for (const name of Object.keys(PACKAGES)) await this.#startService(name, services);
    const upstreams = Object.entries(PACKAGES).map(([name, of]) => `${of}=${this.programs[name].origin}`);
    const hasOperators = execFileSync(join(gateway.programs, 'gateway'), ['--help']).includes('--operators-listen');
    await this.#run('gateway', gateway, {
      env: {
        UPSTREAMS: upstreams.join(','),
        REMOTES_DIR: this.remotes.folder,
        FORM_KEY_FILE: join(keys, 'form.key'),
        TRUSTED_HOPS: '1',
        ...UNLIMITED,
        ...this.#keySet,
      },
      ...(hasOperators ? {} : { announcement: 'listening on ' }),
    });
    for (const [name, program] of Object.entries(this.programs)) this.#said[name] = program.log().length;
  }

  async #startService(name, build) {
    const messaging = this.programs['svc-messaging'];
    const service = await this.#run(name, build, {
      env: {
        DATABASE_URL: `sqlite:${join(this.folder, name)}.db`,
        SEAL_KEYS_FILE: join(this.folder, 'keys', `${name}.toml`),
        MAIL_DIR: join(this.folder, 'mail'),
        DEVELOPMENT: 'true',
        ...(messaging ? { MESSAGING_URL: messaging.origin } : {}),
        ...this.#keySet,
      },
    });
    await service.ready();
  }

  async #run(name, { programs, name: build }, options) {
    const program = new Program(name, { ...options, folder: programs, logDir: this.folder });
    program.logFile = join(this.folder, `${name}-${build}-${randomUUID().slice(0, 8)}.log`);
    this.programs[name] = program;
    await program.start();
    return program;
  }

  get #keySet() {
    const keys = join(this.folder, 'keys');
    return { JWKS_FILE: join(keys, 'jwks.json'), JWT_ISSUER: 'cargo-xtask', JWT_AUDIENCE: 'hospital-api' };
  }

  get origin() {
    return this.programs.gateway.origin;
  }

  /** Sends a request as a visitor with a unique address. */
  fetch(path, { headers = {}, ...init } = {}) {
    return fetch(`${this.origin}${path}`, { redirect: 'manual', ...init, headers: { ...stranger(), ...headers } });
  }

  /** Calls the API as a new visitor. */
  api(path, { headers = {}, ...init } = {}) {
    const own = { 'X-Client-Id': randomUUID(), 'X-Requested-With': 'XMLHttpRequest' };
    if (init.body) own['Content-Type'] = 'application/json';
    return this.fetch(`/api${path}`, { ...init, headers: { ...own, ...headers } });
  }

  /** Submits a form as a browser without script does. */
  form(path, fields) {
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    return this.fetch(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  /** Returns all errors and warnings that any program has logged since the site was up. */
  failures() {
    return Object.entries(this.programs).flatMap(([name, program]) => {
      const lines = program.log().slice(this.#said[name]).split('\n');
      return lines.filter((line) => FAILURE.test(line)).map((line) => `${name}: ${line}`);
    });
  }

  async stop() {
    const problems = [];
    for (const program of Object.values(this.programs).reverse()) {
      await program.stop().catch((error) => problems.push(error));
    }
    if (problems.length) throw new AggregateError(problems, problems.map(String).join('; '));
  }
}

let strangers = 0;

/** Returns a balancer's header with a unique address. */
function stranger() {
  strangers += 1;
  return { 'X-Forwarded-For': `10.${(strangers >> 16) & 255}.${(strangers >> 8) & 255}.${strangers & 255}` };
}

function run(path, ...rest) {
  return execFileSync(process.execPath, [join(ROOT, path), ...rest], { encoding: 'utf8' }).trim();
}
