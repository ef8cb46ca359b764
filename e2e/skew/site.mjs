/** A site whose gateway and services are of two builds, on databases that outlive it. */
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
/** Limits of calls are not what this is about: everything comes from one machine. A build that does not know one ignores it. */
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
/** A line of a log that tells of a failure: its level stands in a column of its own. */
const FAILURE = /^\S+\s+(ERROR|WARN)\b/;

/** A running site. Call `stop()` in any case; `folder` keeps databases and keys for the next one. */
export class Site {
  programs = {};
  /** Name of a program to the length of its log when the site stood: what it says of its configuration is no failure. */
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

  /** A request of a visitor with an address of its own. */
  fetch(path, { headers = {}, ...init } = {}) {
    return fetch(`${this.origin}${path}`, { redirect: 'manual', ...init, headers: { ...stranger(), ...headers } });
  }

  /** A call of the API as a visitor of its own. */
  api(path, { headers = {}, ...init } = {}) {
    const own = { 'X-Client-Id': randomUUID(), 'X-Requested-With': 'XMLHttpRequest' };
    if (init.body) own['Content-Type'] = 'application/json';
    return this.fetch(`/api${path}`, { ...init, headers: { ...own, ...headers } });
  }

  /** Sends a form as a browser without script does. */
  form(path, fields) {
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    return this.fetch(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  /** What any program has logged as an error or a warning since the site stood. */
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

/** The header of a balancer that tells of an address nobody else has. */
function stranger() {
  strangers += 1;
  return { 'X-Forwarded-For': `10.${(strangers >> 16) & 255}.${(strangers >> 8) & 255}.${strangers & 255}` };
}

function run(path, ...rest) {
  return execFileSync(process.execPath, [join(ROOT, path), ...rest], { encoding: 'utf8' }).trim();
}
