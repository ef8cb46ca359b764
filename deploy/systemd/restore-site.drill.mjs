/**
 * The drill: a machine is lost while visitors book, and `restore-site` restores its site from the archive. Prints how
 * much was lost and how long it took. `DRILL_SYNC_SECONDS=10` runs it with the interval of the units.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { payload, person } from '../../e2e/booking.mjs';
import { PROGRAMS, Program, ROOT, until, within } from '../../e2e/processes.mjs';
import { freeSlots } from './free-slots.mjs';
import { Server } from './postgres.mjs';

const run = promisify(execFile);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const SYNC_SECONDS = Number(process.env.DRILL_SYNC_SECONDS ?? 2);
/** Bookings go on through this many comparisons of the archive before the machine is lost. */
const COMPARISONS = 4;
const WRITERS = 4;
/** Time between two bookings of a writer, in milliseconds: the free times last for the whole drill. */
const THINKING_MS = 25 * SYNC_SECONDS;
/** Appointments that were confirmed longer ago must not be lost. */
const LOST_SECONDS_MAX = 60;
const RESTORED_SECONDS_MAX = 60;
const DRILL_MS_MAX = 600_000;
const PICTURE = join(ROOT, 'svc-content/tests/fixtures/pictures/progressive.jpg');
const TEAMS = ['content', 'booking'];
const LIMITS = [
  'STAFF_CALLS',
  'STAFF_ADDRESS_CALLS',
  'VISITOR_CALLS',
  'ADDRESS_CALLS',
  'ADDRESS_WRITES',
  'CREATES_IPV4_32',
  'CREATES_IPV4_24',
];

/** The site's programs and archives on a folder that stands for a machine. */
class Machine {
  programs = [];
  #archives = [];
  #logDir;

  constructor(root, logDir) {
    this.root = root;
    this.#logDir = logDir;
  }

  path(...names) {
    return join(this.root, ...names);
  }

  key(name) {
    return this.path('etc/hospital/keys', name);
  }

  /** Writes keys, settings and pages, as an administrator does. */
  install(urls = {}) {
    for (const folder of ['etc/hospital/keys', ...TEAMS.map((team) => `var/lib/hospital/${team}`)]) {
      mkdirSync(this.path(folder), { recursive: true });
    }
    const services = TEAMS.map((team) => `svc-${team}`);
    execFileSync(process.execPath, [
      join(ROOT, 'xtask/src/keys/make.mjs'),
      this.path('etc/hospital/keys'),
      ...services,
    ]);
    mint('keys', this.path('etc/hospital/keys'));
    for (const [team, url] of Object.entries(urls)) {
      writeFileSync(this.path(`etc/hospital/svc-${team}.env`), `DATABASE_URL=${url}\n`);
    }
    cpSync(process.env.REMOTES_DIR ?? join(ROOT, 'remotes'), this.path('var/lib/hospital/remotes'), {
      recursive: true,
    });
  }

  url(team) {
    const file = this.path(`etc/hospital/svc-${team}.env`);
    const set = existsSync(file) && /^DATABASE_URL=(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1];
    return set || `sqlite:${this.path(`var/lib/hospital/${team}/service.db`)}`;
  }

  env(team) {
    return { DATABASE_URL: this.url(team), SEAL_KEYS_FILE: this.key(`svc-${team}.toml`) };
  }

  async start() {
    const keySet = { JWKS_FILE: this.key('jwks.json'), JWT_ISSUER: 'cargo-xtask', JWT_AUDIENCE: 'hospital-api' };
    const services = await Promise.all(
      TEAMS.map(async (team) => {
        const env = { ...this.env(team), ...keySet, DEVELOPMENT: 'true', NETWORK_APPOINTMENTS_MAX: '1000000' };
        env.MEDIA_URL = `file:${this.path('var/lib/hospital/content/media')}`;
        const name = `svc-${team}`;
        await new Program(name, { args: ['migrate'], env, logDir: this.#logDir }).runToEnd();
        return this.#run(name, env);
      }),
    );
    const upstreams = TEAMS.map((team, index) => `hospital.${team}.v1=${services[index].origin}`);
    const gateway = await this.#run('gateway', {
      ...keySet,
      ...Object.fromEntries(LIMITS.map((name) => [`${name}_MAX`, '1000000'])),
      UPSTREAMS: upstreams.join(','),
      FORM_KEY_FILE: this.key('form.key'),
      REMOTES_DIR: this.path('var/lib/hospital/remotes'),
      RENDER_TIME_MS_MAX: '250',
    });
    this.origin = gateway.origin;
  }

  async #run(name, env) {
    const program = new Program(name, { env, logDir: this.#logDir });
    this.programs.push(program);
    await program.start();
    await program.ready();
    return program;
  }

  /** Starts an archive in its own process group, so that `lose` also ends its children. */
  archive(script, folder, env) {
    const child = spawn(here(script), [folder], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, SYNC_SECONDS: String(SYNC_SECONDS), ...env },
    });
    child.stderr.on('data', (data) => appendFileSync(join(this.#logDir, 'archive.log'), data));
    this.#archives.push({ child, ended: new Promise((resolve) => child.once('exit', resolve)) });
  }

  /** Kills every process; nothing can be flushed. */
  async kill() {
    for (const { child } of this.#archives) if (child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await Promise.all([...this.programs.map((program) => program.kill()), ...this.#archives.map(({ ended }) => ended)]);
    this.#archives = [];
    this.programs = [];
  }

  async call(path, { headers = {}, ...init } = {}) {
    const all = { 'X-Requested-With': 'test', 'X-Client-Id': randomUUID(), Connection: 'close', ...headers };
    return fetch(`${this.origin}${path}`, { ...init, headers: all });
  }

  /** Returns an appointment as staff see it, or `null` if there is none. Retries what a busy machine refuses. */
  read(id, headers) {
    return until(`the appointment ${id}`, async () => {
      const answer = await this.call(`/api/appointments/${id}`, { headers });
      assert.ok([200, 404].includes(answer.status), `${answer.status}`);
      return { found: answer.status === 200 ? await answer.json() : null };
    }).then(({ found }) => found);
  }

  staff(scope) {
    return { Authorization: `Bearer ${mint('token', this.path('etc/hospital/keys'), scope, '3600')}` };
  }

  /** Books, and returns the response. A retry with the same key returns the same appointment. */
  book({ key, who, slot }) {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
    return this.call('/api/appointments', { method: 'POST', headers, body: JSON.stringify(payload(who, slot)) });
  }
}

function mint(...rest) {
  return execFileSync(process.execPath, [join(ROOT, 'xtask/src/token/mint.mjs'), ...rest], { encoding: 'utf8' }).trim();
}

/** Uploads a picture as staff and returns the path at which visitors get it, when it is served. */
async function picture(machine) {
  const headers = machine.staff('media:write');
  const answer = await machine.call('/api/media?alt=Clouds', { method: 'PUT', headers, body: readFileSync(PICTURE) });
  assert.ok(answer.ok, await answer.clone().text());
  const { hash } = await answer.json();
  const path = `/media/${hash}-64.webp`;
  await until('the picture is served', async () => (await machine.call(path)).ok, 60_000);
  return path;
}

/** Books with concurrent writers until `stop`. Each confirmed appointment has the time of its confirmation. */
function visitors(machine, slots) {
  const confirmed = [];
  let isOpen = true;
  const writers = Array.from({ length: WRITERS }, async () => {
    while (isOpen) {
      const booking = { key: randomUUID(), who: person(), slot: slots.pop() };
      assert.ok(booking.slot, 'there are free times left');
      // The loss of the machine interrupts these; they are not confirmed.
      const answer = await machine.book(booking).catch(() => undefined);
      if (!answer) continue;
      const body = await answer.json().catch(() => undefined);
      if (answer.status === 201 && body?.id) confirmed.push({ ...booking, id: body.id, at: Date.now() });
      await pause(THINKING_MS);
    }
  });
  const stop = async () => {
    isOpen = false;
    await Promise.all(writers);
  };
  return { confirmed, stop };
}

const inStep = (folder) => Number(readFileSync(join(folder, 'in-step'), 'utf8')) * 1000;

/** Copies the files at the interval of the archives, as the timer does. */
function filesTimer(machine, archive, recipient) {
  let isOn = true;
  const env = { PATH: process.env.PATH, AGE_RECIPIENT: recipient, ROOT: machine.root };
  const running = (async () => {
    while (isOn) {
      await run(here('archive-files'), [join(archive, 'files')], { env });
      await until(
        'the next copy',
        () => !isOn || Date.now() - inStep(join(archive, 'files')) > SYNC_SECONDS * 1000,
        60_000,
      );
    }
  })();
  return async () => {
    isOn = false;
    await running;
  };
}

async function drill(t, kind) {
  const folder = mkdtempSync(join(process.env.DRILL_DIR ?? '/var/tmp', 'drill-'));
  chmodSync(folder, 0o755);
  const archive = join(folder, 'elsewhere');
  const identity = join(folder, 'identity.age');
  execFileSync('age-keygen', ['--output', identity], { stdio: 'pipe' });
  const recipient = execFileSync('age-keygen', ['-y', identity], { encoding: 'utf8' }).trim();
  const machine = new Machine(join(folder, 'machine'), folder);
  const server = kind === 'postgres' ? await Server.create(machine.path('pg')) : undefined;
  t.after(async () => {
    await machine.kill();
    await server?.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  machine.install(server ? Object.fromEntries(TEAMS.map((team) => [team, server.database(team)])) : {});
  await machine.start();
  const names = server ? ['postgres'] : TEAMS;
  const archives = () => {
    for (const name of names) {
      machine.archive('archive', join(archive, name), { DATABASE_URL: server?.url('postgres') ?? machine.url(name) });
    }
  };
  archives();
  const shown = await picture(machine);
  const stopFiles = filesTimer(machine, archive, recipient);

  // A normal day.
  const { confirmed, stop } = visitors(machine, await freeSlots(machine.origin));
  const places = names.map((name) => join(archive, name));
  for (let count = 0; count < COMPARISONS; count += 1) {
    const from = Date.now();
    const isNewer = (place) => existsSync(join(place, 'in-step')) && inStep(place) > from;
    await until('the archives are compared', () => places.every(isNewer), LOST_SECONDS_MAX * 1000);
  }
  await stopFiles();

  // The machine is lost just before the next round: the worst moment.
  const age = () => Date.now() - Math.min(...places.map(inStep));
  await until('the next round is due', () => age() > SYNC_SECONDS * 900, LOST_SECONDS_MAX * 1000);
  const lostAt = Date.now();
  await Promise.all([machine.kill(), server?.kill()]);
  await stop();
  rmSync(machine.root, { recursive: true });
  const archived = Math.min(...places.map(inStep));

  // An empty machine gets the archive and the private key from the safe.
  const options = ['--identity', identity, '--root', machine.root, archive];
  const env = { PATH: process.env.PATH, PROGRAMS, PG_DATA: machine.path('pg') };
  const { stdout } = await run(here('restore-site'), options, { env });
  t.diagnostic(stdout.trim());
  await server?.start();
  await machine.start();
  const headers = machine.staff('appointments:read');
  assert.equal((await machine.call('/api/appointments?pageSize=1', { headers })).status, 200);
  const restoredSeconds = (Date.now() - lostAt) / 1000;

  // Every appointment that the archive covered is there, and staff read its sealed name.
  const lost = [];
  for (const booking of confirmed) {
    const found = await machine.read(booking.id, headers);
    if (found) assert.equal(found.patientName, `${booking.who.firstName} ${booking.who.lastName}`);
    else lost.push(booking);
  }
  const ages = lost.map(({ at }) => (lostAt - at) / 1000);
  assert.ok(
    ages.every((age) => age <= LOST_SECONDS_MAX),
    `lost, seconds before: ${ages}`,
  );
  assert.ok(
    lost.every(({ at }) => at >= archived),
    'nothing is lost that was confirmed before the last comparison',
  );
  assert.ok(confirmed.length - lost.length > 0, 'appointments were restored');
  assert.ok(restoredSeconds <= RESTORED_SECONDS_MAX, `restored after ${restoredSeconds} s`);
  t.diagnostic(
    `${kind}: ${confirmed.length} appointments were confirmed, ${lost.length} of them were lost, the oldest ` +
      `${Math.max(0, ...ages).toFixed(1)} s before the loss; last round ${((lostAt - archived) / 1000).toFixed(1)} s ` +
      `before it; answers again after ${restoredSeconds.toFixed(1)} s`,
  );

  // Visitors retry. A restored appointment is the same one; a lost one is made again; no seat is sold twice.
  const isLost = new Set(lost);
  const ids = new Set();
  for (const booking of confirmed) {
    const answer = await machine.book(booking);
    assert.ok(answer.ok, await answer.clone().text());
    const { id } = await answer.json();
    if (!isLost.has(booking)) assert.equal(id, booking.id);
    ids.add(id);
  }
  assert.equal(ids.size, confirmed.length);
  const page = await machine.call('/appointment', { headers: { Accept: 'text/html' } });
  assert.match(await page.text(), /<form/);
  assert.ok((await machine.call(shown)).ok, 'the picture is served');

  // The restored site is archived again into the same folder, and what was booked since can be restored too.
  const from = Date.now();
  archives();
  await until(
    'the archives are compared',
    () => places.every((place) => inStep(place) > from),
    LOST_SECONDS_MAX * 1000,
  );
  await machine.kill();
  await server?.kill();
  await assert.rejects(run(here('restore-site'), options, { env }), /is there already/, 'nothing is overwritten');
  renameSync(machine.root, `${machine.root}-old`);
  await within(RESTORED_SECONDS_MAX * 1000, 'the second restore', run(here('restore-site'), options, { env }));
  await server?.start();
  await machine.start();
  for (const id of ids) assert.ok(await machine.read(id, headers), `${id} was restored again`);
}

test('restores a lost machine on SQLite', { timeout: DRILL_MS_MAX }, (t) => drill(t, 'sqlite'));

test('restores a lost machine on PostgreSQL', { timeout: DRILL_MS_MAX }, (t) => drill(t, 'postgres'));
