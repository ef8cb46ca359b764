/** Archives of databases in use and of their files. `restore-site.drill.mjs` restores a whole site from them. */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { until } from '../../e2e/processes.mjs';

const run = promisify(execFile);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const PATH = process.env.PATH;
/** Copies that are opened while the database is written. */
const COPIES = 4;

function folderOf(t) {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const sqlite = (file, statement) =>
  execFileSync('sqlite3', ['-cmd', '.timeout 9000', file, statement]).toString().trim();

test('copies SQLite whole while it is written and its log is emptied', { timeout: 60_000 }, async (t) => {
  const folder = folderOf(t);
  const source = join(folder, 'source.db');
  const archive = join(folder, 'booking');
  sqlite(source, 'PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE INDEX i ON t (a)');
  const env = { PATH, DATABASE_URL: `sqlite:${source}`, SYNC_SECONDS: '1', METRICS_DIR: folder };
  const archiver = spawn(here('archive'), [archive], { env, stdio: 'inherit' });
  const ended = new Promise((resolve) => archiver.once('exit', resolve));
  t.after(() => archiver.kill());

  // Writes rows of several pages, and moves the log into the file after every tenth of them.
  let isWriting = true;
  const committed = [];
  const writer = (async () => {
    const emptied = 'PRAGMA wal_checkpoint(TRUNCATE)';
    for (let id = 1; isWriting; id += 1) {
      const row = `INSERT INTO t VALUES (${id}, randomblob(9000))`;
      await run('sqlite3', ['-cmd', '.timeout 9000', source, id % 10 ? row : `${row}; ${emptied}`]);
      committed.push({ id, at: Date.now() });
    }
  })();
  const inStep = () => readFileSync(join(archive, 'in-step'), 'utf8').trim();
  let last;
  for (let count = 0; count < COPIES; count += 1) {
    last = await until('the next copy', () => inStep() !== last && inStep());
    const slot = readFileSync(join(archive, 'current'), 'utf8').trim();
    const copy = join(folder, `copy-${count}`);
    cpSync(join(archive, slot), copy, { recursive: true });
    assert.equal(sqlite(join(copy, 'service.db'), 'PRAGMA integrity_check'), 'ok');
    const newest = Number(sqlite(join(copy, 'service.db'), 'SELECT coalesce(max(id), 0) FROM t'));
    const covered = committed.filter(({ at }) => at < Number(last) * 1000).at(-1)?.id ?? 0;
    assert.ok(newest >= covered, `${covered} was committed before the copy, and ${newest} is in it`);
    assert.equal(sqlite(join(copy, 'service.db'), 'SELECT count(*) FROM t'), String(newest), 'without a gap');
  }
  isWriting = false;
  await writer;
  const metrics = readFileSync(join(folder, 'archive-booking.prom'), 'utf8');
  assert.match(metrics, new RegExp(`^archive_in_step_time_seconds\\{database="booking"\\} \\d{10}$`, 'm'));
  await assert.rejects(run(here('archive'), [archive], { env }), /another one is at work/);
  archiver.kill();
  assert.equal(await ended, 0);
});

test('refuses what it cannot archive', async (t) => {
  const folder = folderOf(t);
  const archive = (env) => run(here('archive'), [join(folder, 'booking')], { env: { PATH, ...env } });
  await assert.rejects(archive({}), /usage/);
  await assert.rejects(archive({ DATABASE_URL: `sqlite:${folder}/nothing.db` }), /there is no .*nothing\.db/);
  await assert.rejects(archive({ DATABASE_URL: 'mysql://x' }), /begins with sqlite: or postgres:/);
  await assert.rejects(archive({ DATABASE_URL: 'sqlite:x', SYNC_SECONDS: '0' }), /numbers from 1/);
  await assert.rejects(archive({ DATABASE_URL: 'postgres:///x' }), (error) => error.code === 77);
});

test('seals the keys, and keeps deleted files', async (t) => {
  const folder = folderOf(t);
  const root = join(folder, 'machine');
  const archive = join(folder, 'files');
  const write = (path, text) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('etc/hospital/keys/svc-booking.toml', 'active = "k1"');
  write('var/lib/hospital/content/media/one.jpg', 'picture');
  write('var/lib/hospital/remotes/remotes.json', '{}');
  execFileSync('age-keygen', ['--output', join(folder, 'identity')], { stdio: 'pipe' });
  const AGE_RECIPIENT = execFileSync('age-keygen', ['-y', join(folder, 'identity')])
    .toString()
    .trim();
  const env = { PATH, ROOT: root, METRICS_DIR: folder };
  const copy = () => run(here('archive-files'), [archive], { env: { ...env, AGE_RECIPIENT } });
  const metrics = join(folder, 'archive-files.prom');
  await assert.rejects(run(here('archive-files'), [archive], { env }), /usage/);
  assert.ok(!existsSync(metrics), 'the alert ArchiveMissing sees that nothing was copied');
  await copy();
  assert.match(readFileSync(metrics, 'utf8'), /^archive_in_step_time_seconds\{database="files"\} \d{10}$/m);
  await copy();
  const sealed = () => readdirSync(archive).filter((name) => name.startsWith('etc-') && name.endsWith('.age'));
  assert.equal(sealed().length, 1, 'unchanged keys are not stored again');
  const bytes = readFileSync(join(archive, sealed()[0]));
  assert.ok(!bytes.includes('active'));
  const opened = execFileSync('age', ['--decrypt', '--identity', join(folder, 'identity'), join(archive, sealed()[0])]);
  assert.ok(opened.includes('active = "k1"'));
  rmSync(join(root, 'var/lib/hospital/content/media/one.jpg'));
  await copy();
  assert.ok(!existsSync(join(archive, 'media/one.jpg')));
  const kept = readdirSync(join(archive, 'deleted'), { recursive: true });
  assert.ok(
    kept.some((name) => name.endsWith('media/one.jpg')),
    kept.join(),
  );
});
