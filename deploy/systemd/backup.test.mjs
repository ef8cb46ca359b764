/** Backups of databases during writes of a real service, restored elsewhere and compared row by row. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { payload, person } from '../../e2e/booking.mjs';
import { Program, ROOT } from '../../e2e/processes.mjs';
import { freeSlots } from './free-slots.mjs';

const run = promisify(execFile);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const POSTGRES_URL = process.env.TEST_POSTGRES_URL;
const BUFFER = { maxBuffer: 256 << 20, encoding: 'utf8' };
/** Bookings made before the backup, and concurrent writers during it. */
const BOOKINGS_BEFORE = 40;
const WRITERS = 4;
/** Copies during which a booking was made, and the tries for them: a copy of a small database can be faster than a booking. */
const COPIES = 3;
const BACKUPS_MAX = 30;
const RESTORED_MS_MAX = 60_000;

const backup = async (url, folder, env = {}) => {
  const { stdout } = await run(here('backup'), [folder], {
    env: { PATH: process.env.PATH, DATABASE_URL: url, ...env },
  });
  return stdout.trim();
};
const restore = (copy, url) => run(here('restore'), [copy], { env: { PATH: process.env.PATH, DATABASE_URL: url } });

/** Starts the gateway and svc-booking on a database. `book` makes a unique booking and returns its id. */
async function site(t, folder, url) {
  execFileSync(process.execPath, [join(ROOT, 'xtask/src/keys/make.mjs'), join(folder, 'keys'), 'svc-booking']);
  const env = {
    DATABASE_URL: url,
    SEAL_KEYS_FILE: join(folder, 'keys/svc-booking.toml'),
    DEVELOPMENT: 'true',
    NETWORK_APPOINTMENTS_MAX: '1000000',
  };
  await new Program('svc-booking', { args: ['migrate'], env, logDir: folder }).runToEnd();
  const service = new Program('svc-booking', { env, logDir: folder });
  await service.start();
  t.after(() => service.stop());
  await service.ready();
  const limits = [
    'VISITOR_CALLS_MAX',
    'ADDRESS_CALLS_MAX',
    'ADDRESS_WRITES_MAX',
    'CREATES_IPV4_32_MAX',
    'CREATES_IPV4_24_MAX',
  ];
  const gateway = new Program('gateway', {
    env: {
      ...Object.fromEntries(limits.map((name) => [name, '1000000'])),
      API_ONLY: 'true',
      UPSTREAMS: `hospital.booking.v1=${service.origin}`,
    },
    logDir: folder,
  });
  await gateway.start();
  t.after(() => gateway.stop());
  const slots = await freeSlots(gateway.origin);
  const book = async () => {
    const slot = slots.pop();
    assert.ok(slot, 'there are free times left');
    const headers = { 'X-Requested-With': 'test', 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
    const body = JSON.stringify(payload(person(), slot));
    const answer = await fetch(`${gateway.origin}/api/appointments`, { method: 'POST', headers, body });
    assert.equal(answer.status, 201, await answer.clone().text());
    return (await answer.json()).id;
  };
  return { env, service, book };
}

/** Returns every row of every table as a line of text, sorted. */
const rows = {
  sqlite(url) {
    const file = url.slice('sqlite:'.length);
    const sqlite = (statement) =>
      execFileSync('sqlite3', ['-readonly', '-cmd', '.mode quote', file, statement], BUFFER);
    const tables = execFileSync(
      'sqlite3',
      ['-readonly', file, "SELECT name FROM sqlite_schema WHERE type = 'table'"],
      BUFFER,
    );
    const lines = tables.split('\n').filter((table) => table && !table.startsWith('sqlite_'));
    return lines
      .flatMap((table) =>
        sqlite(`SELECT * FROM "${table}"`)
          .split('\n')
          .filter(Boolean)
          .map((row) => `${table}: ${row}`),
      )
      .sort();
  },
  postgres(url) {
    const dump = execFileSync('pg_dump', ['--data-only', '--inserts', '--dbname', url], BUFFER);
    return dump
      .split('\n')
      .filter((line) => line.startsWith('INSERT ') || line.startsWith('SELECT pg_catalog.setval'))
      .sort();
  },
};

/** Appointments and seats never change in this test. Their rows in a copy must therefore be rows of the original. */
const bookings = (lines) =>
  lines.filter((line) => /^(appointments|seats): |^INSERT INTO public\.(appointments|seats) /.test(line));

async function backsUpAndRestores(t, kind, url, elsewhere) {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const place = (name) => (kind === 'sqlite' ? `sqlite:${join(folder, name)}.db` : elsewhere(name));
  const source = url ?? place('source');
  const { env, service, book } = await site(t, folder, source);
  for (let index = 0; index < BOOKINGS_BEFORE; index += 1) await book();
  const before = bookings(rows[kind](source));
  assert.ok(before.length >= 2 * BOOKINGS_BEFORE, `${before.length} rows of bookings`);

  // Concurrent writes during the backups.
  let isWriting = true;
  let written = 0;
  const writers = Array.from({ length: WRITERS }, async () => {
    while (isWriting) {
      await book();
      written += 1;
    }
  });
  const copies = [];
  const spans = [];
  for (let made = 0; copies.length < COPIES && made < BACKUPS_MAX; made += 1) {
    const from = written;
    const copy = await backup(source, join(folder, 'copies'));
    if (written === from) continue;
    copies.push(copy);
    spans.push(written - from);
  }
  isWriting = false;
  await Promise.all(writers);
  assert.equal(copies.length, COPIES, `of ${BACKUPS_MAX} backups so many had a booking during them`);
  const live = new Set(bookings(rows[kind](source)));
  for (const [index, copy] of copies.entries()) {
    const target = place(`during_${index}`);
    await restore(copy, target);
    const found = bookings(rows[kind](target));
    assert.ok(
      before.every((row) => found.includes(row)),
      'what was acknowledged before is in it',
    );
    assert.ok(
      found.every((row) => live.has(row)),
      'and nothing that never was',
    );
    // Each appointment has its seat: the copy is from between two transactions, never within one.
    const of = (name) => found.filter((row) => row.includes(name)).length;
    assert.equal(of('appointments'), of('seats'));
  }
  t.diagnostic(`${spans.join(', ')} bookings were made during three backups of ${live.size} rows`);

  // After the last write: every row of every table must match, and a service must work on the copy.
  await service.stop();
  const last = await backup(source, join(folder, 'copies'));
  const target = place('afterwards');
  await restore(last, target);
  assert.deepEqual(rows[kind](target), rows[kind](source));
  await assert.rejects(restore(last, target), /already/, 'nothing is overwritten');
  const restored = { ...env, DATABASE_URL: target };
  await new Program('svc-booking', { args: ['verify-audit'], env: restored, logDir: folder }).runToEnd();
  const again = new Program('svc-booking', { env: restored, logDir: folder });
  await again.start();
  t.after(() => again.stop());
  await again.ready();

  // A copy corrupted by its disk is not restored.
  const bytes = execFileSync('cat', [copies[0]], { maxBuffer: BUFFER.maxBuffer });
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(copies[0], bytes);
  await assert.rejects(restore(copies[0], place('broken')), /FAILED|did NOT match/);
}

test('backs up SQLite during writes', { timeout: RESTORED_MS_MAX }, (t) => backsUpAndRestores(t, 'sqlite'));

test(
  'backs up PostgreSQL during writes',
  { timeout: RESTORED_MS_MAX, skip: POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set' },
  async (t) => {
    const psql = (statement) =>
      execFileSync('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', '-d', POSTGRES_URL, '-c', statement]);
    const create = (name) => {
      const database = `backup_${name}_${randomUUID().slice(0, 8)}`;
      psql(`CREATE DATABASE ${database}`);
      t.after(() => psql(`DROP DATABASE ${database} WITH (FORCE)`));
      const url = new URL(POSTGRES_URL);
      url.pathname = `/${database}`;
      return url.href;
    };
    await backsUpAndRestores(t, 'postgres', create('source'), create);
  },
);

test('deletes old copies, keeps the newest, and does not count a partial copy', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const source = join(folder, 'source.db');
  execFileSync('sqlite3', [source, 'CREATE TABLE t (a); INSERT INTO t VALUES (1)']);
  const copies = join(folder, 'copies');
  const made = [];
  for (let index = 0; index < 5; index += 1) made.push(await backup(`sqlite:${source}`, copies));
  const age = (file, days) => {
    const then = new Date(Date.now() - days * 86_400_000);
    utimesSync(file, then, then);
  };
  // Four copies are a month old. The oldest are deleted until three copies are left.
  for (const copy of made.slice(0, 4)) age(copy, 31);
  writeFileSync(join(copies, '20200101T000000.000Z.db.unfinished'), 'half');
  const env = { KEEP_DAYS: '30', KEEP_MIN: '3', METRICS_DIR: folder };
  const newest = await backup(`sqlite:${source}`, copies, env);
  const left = readdirSync(copies).filter((name) => name !== '.lock');
  const kept = [made[3], made[4], newest].flatMap((copy) => [copy, `${copy}.sha256`]);
  assert.deepEqual(left.map((name) => join(copies, name)).sort(), kept.sort());
  assert.equal(statSync(newest).mode & 0o777, 0o600);
  const metrics = readFileSync(join(folder, 'backup-copies.prom'), 'utf8');
  const [, seconds] = /^backup_completed_time_seconds\{database="copies"\} (\d+)$/m.exec(metrics);
  assert.ok(Math.abs(seconds - Date.now() / 1000) < 60, metrics);
  assert.match(metrics, new RegExp(`^backup_size_bytes\\{database="copies"\\} ${statSync(newest).size}$`, 'm'));
});

test('fails with the reason if a database cannot be copied', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'));
  t.after(() => rmSync(folder, { recursive: true }));
  await assert.rejects(backup(`sqlite:${join(folder, 'nothing.db')}`, folder), /there is no .*nothing\.db/);
  writeFileSync(
    join(folder, 'no.db'),
    'this is no database, and it is longer than a header of SQLite is: a hundred bytes at least.',
  );
  const unusable = backup(`sqlite:${join(folder, 'no.db')}`, join(folder, 'copies'), { METRICS_DIR: folder });
  await assert.rejects(unusable, /not a database/);
  await assert.rejects(backup('mysql://x', folder), /begins with sqlite: or postgres:/);
  await assert.rejects(backup(`sqlite:${join(folder, 'no.db')}`, folder, { KEEP_DAYS: '0' }), /numbers from 1/);
  assert.deepEqual(
    readdirSync(join(folder, 'copies')).filter((name) => name !== '.lock'),
    [],
  );
  assert.ok(!readdirSync(folder).some((name) => name.endsWith('.prom')), 'a failure is no new backup');
});
