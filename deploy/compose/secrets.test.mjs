/**
 * Tests the generated secrets with their users: PostgreSQL accepts the roles, and a service its keys and its password.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Program } from '../../e2e/processes.mjs';

const POSTGRES_URL = process.env.TEST_POSTGRES_URL;
const root = process.getuid?.() === 0 ? false : 'only root can give files to other users';
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const SERVICES = [...readFileSync(here('compose.yaml'), 'utf8').matchAll(/^ {2}(svc-[a-z0-9]+):$/gm)].map(
  ([, name]) => name,
);

function made(t) {
  const parent = mkdtempSync(join(tmpdir(), 'secrets-'));
  t.after(() => rmSync(parent, { recursive: true }));
  const folder = join(parent, 'secrets');
  execFileSync('sh', [here('secrets.sh'), folder]);
  return folder;
}

const contents = (folder) =>
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('hex')]);

test('creates each secret once, owned by its reader', { skip: root }, (t) => {
  const folder = made(t);
  const first = contents(folder);
  const used = [
    ...(readFileSync(here('compose.yaml'), 'utf8') + readFileSync(here('compose.observability.yaml'), 'utf8')).matchAll(
      /file: secrets\/([\w.-]+)/g,
    ),
  ].map(([, name]) => name);
  assert.ok(used.length > 10);
  for (const name of used) {
    const { mode, uid } = statSync(join(folder, name));
    assert.equal(mode & 0o777, 0o400, name);
    assert.ok([10001, 999, 472, 65534].includes(uid), `${name} belongs to ${uid}`);
  }
  execFileSync('sh', [here('secrets.sh'), folder]);
  assert.deepEqual(contents(folder), first);
});

const skip = root || (POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set');
test('creates a role and a database for each service, which connects with its password', { skip }, async (t) => {
  const folder = made(t);
  const psql = (statement) =>
    execFileSync('psql', ['-qXtA', '-v', 'ON_ERROR_STOP=1', '-d', POSTGRES_URL, '-c', statement], { encoding: 'utf8' });
  t.after(() => {
    for (const name of SERVICES) psql(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    for (const name of SERVICES) psql(`DROP ROLE IF EXISTS "${name}"`);
  });
  const { hostname, port, username } = new URL(POSTGRES_URL);
  const env = {
    PATH: process.env.PATH,
    PGHOST: hostname,
    PGPORT: port,
    POSTGRES_USER: username,
    POSTGRES_DB: 'postgres',
    SECRETS_DIR: folder,
  };
  execFileSync('bash', [here('postgres/roles.sh')], { env });
  // A second run on a volume in use leaves existing services unchanged, and completes a half-created one.
  const before = psql(`SELECT rolname, rolpassword FROM pg_authid WHERE rolname LIKE 'svc-%' ORDER BY 1`);
  psql('DROP DATABASE "svc-content"');
  execFileSync('bash', [here('postgres/roles.sh')], { env });
  assert.equal(psql(`SELECT rolname, rolpassword FROM pg_authid WHERE rolname LIKE 'svc-%' ORDER BY 1`), before);
  assert.equal(psql(`SELECT count(*) FROM pg_database WHERE datname LIKE 'svc-%'`).trim(), String(SERVICES.length));
  assert.equal(
    psql(
      `SELECT count(*) FROM pg_authid WHERE rolname LIKE 'svc-%' AND rolpassword LIKE 'SCRAM-SHA-256$%' AND NOT rolsuper`,
    ).trim(),
    String(SERVICES.length),
  );
  assert.equal(psql(`SELECT has_database_privilege('svc-content', 'svc-booking', 'CONNECT')`).trim(), 'f');

  // The generated line, but for this test's server instead of the host `postgres`.
  const pgpass = readFileSync(join(folder, 'svc-booking.pgpass'), 'utf8');
  const [, password] = /^postgres:5432:\*:svc-booking:([0-9a-f]{48})\n$/.exec(pgpass) ?? [];
  assert.equal(password, readFileSync(join(folder, 'svc-booking.password'), 'utf8'));
  await new Program('svc-booking', {
    args: ['migrate'],
    env: {
      DATABASE_URL: `postgres://svc-booking@${hostname}:${port}/svc-booking`,
      PGPASSFILE: join(folder, 'svc-booking.pgpass'),
      SEAL_KEYS_FILE: join(folder, 'svc-booking.seal-keys.toml'),
    },
    logDir: folder,
  }).runToEnd();
});
