/** The complete real site on free ports with private data: traces, every service, gateway, the issuer of sign-ins. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../deploy/observability/free-port.mjs';
import { FaultProxy } from './fault-proxy.mjs';
import { startIssuer } from './issuer/program.mjs';
import { Program, ROOT } from './processes.mjs';

/** Every service of the root manifest: `name`, `package`, `offers` and its address on a laptop. */
export const LISTED = listedServices();
/** Proto packages by service name. */
const SERVICES = Object.fromEntries(LISTED.map((service) => [service.name, service.package]));

/** Gateway flags that lift the call limits, because all tests call from one address. */
export const UNLIMITED = [
  '--visitor-calls-max',
  '--address-calls-max',
  '--address-writes-max',
  '--staff-calls-max',
  '--staff-address-calls-max',
  '--creates-ipv4-32-max',
  '--creates-ipv4-24-max',
].flatMap((flag) => [flag, '1000000']);

/** URL of a PostgreSQL server on which databases may be created; `cargo xtask test` always sets it. */
export const POSTGRES_URL = process.env.TEST_POSTGRES_URL;

/** Databases that tests can run on here, with the reason if a database is skipped. */
export const DATABASES = [
  { database: 'sqlite', skip: false },
  { database: 'postgres', skip: POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set' },
];

/** Prevents keep-alive: the next request cannot use a connection that the gateway is just closing. */
export const ONCE = { Connection: 'close' };

/** A running site. Call `stop()` in any case. */
export class System {
  #folder = mkdtempSync(join(tmpdir(), 'hospital-e2e-'));
  #databases = [];
  #urls = {};
  #proxied = [];
  #special = {};
  #replicas = {};
  #hasStaff = false;
  programs = {};
  /** Folder of page modules that the gateway reads. */
  remotes;
  /** Breakable networks between the gateway and the services of `proxied`, by name. */
  networks = {};

  /**
   * @param {{database?: 'sqlite'|'postgres', services?: boolean, gateway?: string[], messaging?: Record<string, string>,
   *   proxied?: string[], special?: Record<string, object>, replicas?: Record<string, number>, remotes?: string,
   *   staff?: boolean, issuer?: typeof startIssuer}} options
   *   `services: false` omits everything behind the gateway; `gateway`: its further flags; `messaging`: variables of
   *   svc-messaging; `proxied`: services that the gateway reaches through a breakable network; `special`: further
   *   `Program` options, by program name (`env` is merged); `replicas`: number of processes that share a service's
   *   database (PostgreSQL), by service name, default 1; `remotes`: folder of page modules, default the tree's own;
   *   `staff`: starts the issuer, so that staff can sign in, and services accept the gateway's tokens only; `issuer`:
   *   starts another one than that of a laptop
   */
  static async start(options = {}) {
    const system = new System();
    try {
      await system.#start(options);
    } catch (error) {
      await system.stop();
      throw error;
    }
    return system;
  }

  async #start(options) {
    const { database = 'sqlite', services = true, gateway = [], messaging = {} } = options;
    const { proxied = [], special = {}, replicas = {}, remotes = join(ROOT, 'remotes'), staff = false } = options;
    Object.assign(this, { remotes });
    this.#hasStaff = staff;
    this.#proxied = proxied;
    this.#special = { ...special };
    this.#replicas = replicas;
    this.#mint('keys');
    const telemetry = services ? ['--otlp-endpoint', await this.#startTraces()] : [];
    const names = Object.keys(SERVICES);
    runScript('xtask/src/keys/make.mjs', join(this.#folder, 'keys'), ...names);
    if (services) {
      // Each has a free port, which the next ones need.
      await this.#startService('svc-content', database, telemetry, {});
      const facts = { CONTENT_URL: this.#rpcOrigin('svc-content'), ...messaging };
      await this.#startService('svc-messaging', database, telemetry, facts);
      const env = { MESSAGING_URL: this.#rpcOrigin('svc-messaging') };
      const others = names.filter((name) => name !== 'svc-messaging' && name !== 'svc-content');
      await Promise.all(others.map((name) => this.#startService(name, database, telemetry, env)));
    }
    const signIn = staff ? await this.#startIssuer(options.issuer ?? startIssuer) : {};
    const upstreams = names.flatMap((name) => ['--upstream', `${SERVICES[name]}=${this.#addresses(name)}`]);
    await this.#run('gateway', [...upstreams, '--remotes-dir', remotes, ...telemetry, ...gateway], {
      FORM_KEY_FILE: join(this.#folder, 'keys/form.key'),
      // Five times the limit of a server: processors of test machines differ.
      RENDER_TIME_MS_MAX: '250',
      REMOTES_STATE: join(this.#folder, 'gateway-state.json'),
      ...this.#keySet,
      ...signIn,
    });
  }

  /** Starts the issuer and reserves the gateway's port, which the issuer must know. Returns the gateway's variables. */
  async #startIssuer(start) {
    const port = await freePort();
    this.#special.gateway = { ...this.#special.gateway, port };
    const keys = join(this.#folder, 'keys');
    const origin = `http://127.0.0.1:${port}`;
    const secretFile = join(keys, 'staff-client.secret');
    this.programs.issuer = await start({ origin, secretFile, logDir: this.#folder, ...this.#special.issuer });
    return {
      SITE_ORIGINS: origin,
      // Another site than that of the gateway, as in production: its requests carry only SameSite=Lax cookies.
      STAFF_ISSUER: this.programs.issuer.issuer,
      STAFF_CLIENT_ID: 'hospital-gateway',
      STAFF_CLIENT_SECRET_FILE: secretFile,
      STAFF_ROLES: join(ROOT, 'deploy/staff-roles.toml'),
      STAFF_ENDED_FILE: join(this.#folder, 'staff-ended'),
      SESSION_KEYS_FILE: join(keys, 'session.keys'),
      TOKEN_KEY_FILE: join(keys, 'token.pem'),
    };
  }

  /** Returns the addresses of all replicas of a service, in the gateway's format. */
  #addresses(name) {
    return [
      this.#rpcOrigin(name),
      ...this.replicas(name)
        .slice(1)
        .map((program) => program.origin),
    ].join(';');
  }

  /** Returns the processes of a service. */
  replicas(name) {
    const count = this.#replicas[name] ?? 1;
    return Array.from({ length: count }, (_, index) => this.programs[replica(name, index)]).filter(Boolean);
  }

  #rpcOrigin(name) {
    // Port 9 (discard) of loopback: nothing listens there.
    const origin = (this.networks[name] ?? this.programs[name])?.origin ?? 'http://127.0.0.1:9';
    return this.#special[name]?.env?.TLS_CERTIFICATE ? origin.replace('http:', 'https:') : origin;
  }

  async #startTraces() {
    const traces = await this.#run('ops-traces', [
      '--otlp-grpc-listen',
      '127.0.0.1:0',
      '--otlp-http-listen',
      '127.0.0.1:0',
    ]);
    const address = (name) => traces.addresses.match(new RegExp(`\\b${name}=(\\S+)`))?.[1];
    this.tracesOrigin = `http://${address('ui')}`;
    return `http://${address('otlp-grpc')}`;
  }

  async #startService(name, database, telemetry, further) {
    const url = database === 'postgres' ? this.#createDatabase(name) : `sqlite:${join(this.#folder, name)}.db`;
    this.#urls[name] = url;
    const env = { DATABASE_URL: url, SEAL_KEYS_FILE: join(this.#folder, 'keys', `${name}.toml`), ...this.#tokenSet };
    env.MEDIA_URL = `file:${join(this.#folder, 'media')}`;
    // All tests book from one network.
    Object.assign(env, { MAIL_DIR: this.mailDir, DEVELOPMENT: 'true', NETWORK_APPOINTMENTS_MAX: '1000000' }, further);
    if (database === 'postgres') await this.#migrate(name, env);
    const service = await this.#run(name, telemetry, env);
    await service.ready();
    for (let index = 1; index < (this.#replicas[name] ?? 1); index += 1) {
      await (await this.#run(name, telemetry, env, replica(name, index))).ready();
    }
    if (this.#proxied.includes(name)) this.networks[name] = await FaultProxy.to(() => service.origin);
  }

  #createDatabase(service) {
    const name = `e2e_${service.replace('-', '_')}_${randomUUID().slice(0, 8)}`;
    psql(`CREATE DATABASE ${name}`);
    this.#databases.push(name);
    const url = new URL(POSTGRES_URL);
    url.pathname = `/${name}`;
    return url.href;
  }

  /** Migrates PostgreSQL with the service's own subcommand, as in a deployment. */
  async #migrate(name, env) {
    const program = new Program(name, { args: ['migrate'], env, logDir: this.#folder });
    await program.runToEnd();
  }

  async #run(name, args, env = {}, key = name) {
    const { env: further, ...special } = this.#special[name] ?? {};
    const program = new Program(name, { args, env: { ...env, ...further }, logDir: this.#folder, ...special });
    this.programs[key] = program;
    await program.start();
    return program;
  }

  /** Variables for verifying this run's tokens, with the public key set. */
  get #keySet() {
    return {
      JWKS_FILE: join(this.#folder, 'keys/jwks.json'),
      JWT_ISSUER: 'cargo-xtask',
      JWT_AUDIENCE: 'hospital-api',
    };
  }

  /** Variables of a service. With staff, the gateway verifies the tokens of programs and signs its own. */
  get #tokenSet() {
    if (!this.#hasStaff) return this.#keySet;
    return {
      JWKS_FILE: join(this.#folder, 'keys/token.jwks.json'),
      JWT_ISSUER: 'gateway',
      JWT_AUDIENCE: 'hospital-services',
    };
  }

  #mint(action, ...rest) {
    return runScript('xtask/src/token/mint.mjs', action, join(this.#folder, 'keys'), ...rest);
  }

  /** Maildir of svc-messaging's sent mails. */
  get mailDir() {
    return join(this.#folder, 'mail');
  }

  /** Returns the database URL of a service, for tests that inspect its database directly. */
  databaseUrl(name) {
    return this.#urls[name];
  }

  /** Returns a bearer token for calls that are not public, valid for an hour. */
  token(scope) {
    return this.#mint('token', scope, '3600');
  }

  /**
   * Returns an invalid token that must be refused, with other claims, header or key than a valid one. `claims` and
   * `header` replace single values. `key` is a private key of Node's crypto; `null` omits the signature.
   */
  forgedToken({ scope, claims = {}, header = {}, key } = {}) {
    const { kid, ...jwk } = JSON.parse(readFileSync(join(this.#folder, 'keys/private.jwk.json'), 'utf8'));
    const now = Math.floor(Date.now() / 1000);
    const { JWT_ISSUER: iss, JWT_AUDIENCE: aud } = this.#keySet;
    const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const head = part({ alg: 'EdDSA', typ: 'JWT', kid, ...header });
    const body = part({ iss, aud, sub: 'desk@sampige', iat: now, exp: now + 3600, scope, ...claims });
    const signer = key === undefined ? createPrivateKey({ key: jwk, format: 'jwk' }) : key;
    const signature = signer ? sign(null, Buffer.from(`${head}.${body}`), signer).toString('base64url') : '';
    return `${head}.${body}.${signature}`;
  }

  /** Returns all stored data as bytes: SQLite's files with their logs, or a PostgreSQL dump. */
  stored() {
    const files = readdirSync(this.#folder).filter((name) => /\.db(-wal|-shm)?$/.test(name));
    const dumps = this.#databases.map((name) => {
      const url = new URL(POSTGRES_URL);
      url.pathname = `/${name}`;
      return execFileSync('pg_dump', ['--data-only', '--inserts', '-d', url.href], { maxBuffer: 64 << 20 });
    });
    return Buffer.concat([...files.map((name) => readFileSync(join(this.#folder, name))), ...dumps]);
  }

  get origin() {
    return this.programs.gateway.origin;
  }

  /** Calls the API as a new visitor, so that tests do not use up each other's limits. */
  async api(path, { headers = {}, ...init } = {}) {
    const visitor = { 'X-Client-Id': randomUUID(), 'X-Requested-With': 'XMLHttpRequest', ...ONCE };
    if (init.body) visitor['Content-Type'] = 'application/json';
    return fetch(`${this.origin}/api${path}`, { ...init, headers: { ...visitor, ...headers } });
  }

  /** Calls with a new idempotency key and JSON; returns the status, headers and JSON of the response. */
  async call(method, path, body, headers = {}) {
    const answer = await this.api(path, {
      method,
      headers: { 'Idempotency-Key': randomUUID(), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text && JSON.parse(text) };
  }

  post(path, body, headers) {
    return this.call('POST', path, body, headers);
  }

  /** Returns the sum of a gateway metric over all series with these labels; 0 if there is none yet. */
  async metric(name, labels = {}) {
    const text = await (await fetch(`${this.programs.gateway.operatorsOrigin}/metrics`)).text();
    const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
    const series = text.split('\n').filter((line) => /^[a-z_]+/.exec(line)?.[0] === name);
    const found = series.filter((line) => wanted.every((label) => line.includes(label)));
    return found.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  /** Returns the logs of all programs. */
  logs() {
    return Object.values(this.programs)
      .map((program) => program.log())
      .join('\n');
  }

  /** Stops the programs in reverse order: the gateway first, so that its open calls can finish. */
  async stop() {
    const problems = [];
    for (const program of Object.values(this.programs).reverse()) {
      await program.stop().catch((error) => problems.push(error));
    }
    for (const network of Object.values(this.networks)) await network.stop();
    for (const name of this.#databases) psql(`DROP DATABASE ${name} WITH (FORCE)`);
    rmSync(this.#folder, { recursive: true, force: true });
    if (problems.length) throw new AggregateError(problems, problems.map(String).join('; '));
  }
}

/** Returns the key of a service process in `programs`. */
function replica(name, index) {
  return index ? `${name}-${index + 1}` : name;
}

function psql(statement) {
  execFileSync('psql', ['--quiet', '--no-psqlrc', '-v', 'ON_ERROR_STOP=1', '-d', POSTGRES_URL, '-c', statement]);
}

function listedServices() {
  const metadata = execFileSync('cargo', ['metadata', '--no-deps', '--offline', '--format-version=1'], {
    cwd: ROOT,
    maxBuffer: 64 << 20,
  });
  return JSON.parse(metadata).metadata.services;
}

function runScript(path, ...rest) {
  return execFileSync(process.execPath, [join(ROOT, path), ...rest], { encoding: 'utf8' }).trim();
}
