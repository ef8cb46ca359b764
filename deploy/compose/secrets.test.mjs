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
    ...['compose.yaml', 'compose.observability.yaml', 'compose.signed.yaml']
      .map((name) => readFileSync(here(name), 'utf8'))
      .join('')
      .matchAll(/file: secrets\/([\w.-]+)/g),
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
test('creates an owner, a role and a database for each service', { skip }, async (t) => {
  const folder = made(t);
  const psql = (statement, database = '') =>
    execFileSync('psql', ['-qXtA', '-v', 'ON_ERROR_STOP=1', '-d', POSTGRES_URL.replace(/[^/]*$/, database || '$&')], {
      input: statement,
      encoding: 'utf8',
    });
  t.after(() => {
    for (const name of SERVICES) psql(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    for (const name of SERVICES) psql(`DROP ROLE IF EXISTS "${name}", "${name}-owner"`);
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
  const roles = () => execFileSync('bash', [here('postgres/roles.sh')], { env });
  const count = (what) => Number(psql(`SELECT count(*) FROM ${what}`));
  // An earlier release, whose service owned its schema.
  psql(`CREATE ROLE "svc-messaging" LOGIN; CREATE DATABASE "svc-messaging" OWNER "svc-messaging"`);
  psql(`SET ROLE "svc-messaging"; CREATE TABLE kept AS SELECT 7 AS a`, 'svc-messaging');
  roles();
  assert.equal(psql(`SET ROLE "svc-messaging"; SELECT a FROM kept`, 'svc-messaging').trim(), '7');
  assert.throws(() => psql(`SET ROLE "svc-messaging"; DROP TABLE kept`, 'svc-messaging'), /must be owner/);
  // A second run on a volume in use leaves existing services unchanged, and completes a half-created one.
  const passwords = `SELECT rolname, rolpassword FROM pg_authid WHERE rolname LIKE 'svc-%' ORDER BY 1`;
  const before = psql(passwords);
  psql('DROP DATABASE "svc-content"');
  roles();
  assert.equal(psql(passwords), before);
  assert.equal(count(`pg_database WHERE datname LIKE 'svc-%'`), SERVICES.length);
  assert.equal(
    count(`pg_authid WHERE rolname LIKE 'svc-%' AND rolpassword LIKE 'SCRAM-SHA-256$%' AND NOT rolsuper`),
    // The earlier release's role keeps its own password, here none.
    2 * SERVICES.length - 1,
  );
  assert.equal(psql(`SELECT has_database_privilege('svc-content', 'svc-booking', 'CONNECT')`).trim(), 'f');

  // The generated line, but for this test's server instead of the host `postgres`.
  const pgpass = readFileSync(join(folder, 'svc-booking-owner.pgpass'), 'utf8');
  const [, password] = /^postgres:5432:\*:svc-booking-owner:([0-9a-f]{48})\n$/.exec(pgpass) ?? [];
  assert.equal(password, readFileSync(join(folder, 'svc-booking-owner.password'), 'utf8'));
  const program = (role, args) =>
    new Program('svc-booking', {
      args,
      env: {
        DATABASE_URL: `postgres://${role}@${hostname}:${port}/svc-booking`,
        PGPASSFILE: join(folder, `${role}.pgpass`),
        SEAL_KEYS_FILE: join(folder, 'svc-booking.seal-keys.toml'),
      },
      logDir: folder,
    }).runToEnd();
  await program('svc-booking-owner', ['migrate']);
  // The role of the running service reads and writes, but cannot change the schema.
  const asService = (statement) => psql(`SET ROLE "svc-booking"; ${statement}`, 'svc-booking');
  await program('svc-booking', ['verify-audit']);
  asService('UPDATE appointments SET reference = reference; DELETE FROM appointments');
  assert.throws(() => asService('CREATE TABLE more (a int)'), /permission denied for schema public/);
  assert.throws(() => asService('ALTER TABLE appointments ADD COLUMN more int'), /must be owner of table/);
});
