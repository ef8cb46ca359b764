/** svc-booking and svc-messaging together: databases of older builds, and the token between the two services. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { mailsTo, sentMails } from '../mail.mjs';
import { Program, ROOT, until } from '../processes.mjs';
import { DATABASES, POSTGRES_URL } from '../system.mjs';

const FIXTURES = join(ROOT, 'svc-booking/tests/fixtures');
/** The seal keys of the fixtures; not secret. */
const KEYS = /FILE: &str = r#"([^#]+)"#;/.exec(readFileSync(join(ROOT, 'test-kit/src/keys.rs'), 'utf8'))[1];
const DAY_MS = 86_400_000;
/** Longer than the time span of a fixture's visits, so that shifted visits never coincide with the original ones. */
const SHIFT_DAYS = 91;
const MAIL_MS_MAX = 60_000;

for (const { database, skip } of DATABASES) {
  describe(`notices on ${database}`, { skip }, () => {
    const isSqlite = database === 'sqlite';
    let folder;
    let programs;
    let created;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'hospital-notices-'));
      [programs, created] = [[], []];
      writeFileSync(join(folder, 'keys.toml'), KEYS);
    });
    afterEach(async () => {
      for (const program of programs) await program.stop();
      for (const name of created) psql(POSTGRES_URL, `DROP DATABASE ${name} WITH (FORCE)`);
      rmSync(folder, { recursive: true, force: true });
    });

    const mailbox = () => ({ mailDir: join(folder, 'mail') });

    function newDatabase() {
      if (isSqlite) return `sqlite:${join(folder, randomUUID())}.db`;
      const name = `e2e_notices_${randomUUID().slice(0, 8)}`;
      psql(POSTGRES_URL, `CREATE DATABASE ${name}`);
      created.push(name);
      const url = new URL(POSTGRES_URL);
      url.pathname = `/${name}`;
      return url.href;
    }

    /** Returns the single row of a query as text. */
    function query(url, sql) {
      if (!isSqlite) return psql(url, sql);
      return execFileSync('sqlite3', ['-cmd', '.timeout 5000', url.slice('sqlite:'.length), sql], {
        encoding: 'utf8',
      }).trim();
    }

    /** Creates the database of an older build, with its visits moved into the future. */
    function written(version) {
      const url = newDatabase();
      if (isSqlite) copyFileSync(join(FIXTURES, `${version}.db`), url.slice('sqlite:'.length));
      else
        execFileSync('psql', ['-q', '-X', '-v', 'ON_ERROR_STOP=1', '-d', url, '-f', join(FIXTURES, `${version}.sql`)]);
      const answers = JSON.parse(readFileSync(join(FIXTURES, `${version}.${database}.json`), 'utf8')).map(
        ({ answer }) => answer,
      );
      const first = Math.min(...answers.map(({ date }) => Date.parse(date)));
      const days = SHIFT_DAYS + Math.max(0, Math.ceil((Date.now() - first) / DAY_MS));
      const shifted = isSqlite
        ? `strftime('%Y-%m-%dT%H:%M:%S+00:00', starts_at, '+${days} days')`
        : `starts_at + interval '${days} days'`;
      for (const table of ['appointments', 'seats']) query(url, `UPDATE ${table} SET starts_at = ${shifted}`);
      return { url, answers };
    }

    async function start(name, env, url = newDatabase()) {
      const more = { SEAL_KEYS_FILE: join(folder, 'keys.toml'), MAIL_DIR: mailbox().mailDir, DEVELOPMENT: 'true' };
      const all = { ...more, DATABASE_URL: url, ...env };
      if (!isSqlite) await new Program(name, { args: ['migrate'], env: all, logDir: folder }).runToEnd();
      const program = new Program(name, { env: all, logDir: folder });
      programs.push(program);
      await program.start();
      await program.ready();
      return program;
    }

    function tokenFile(...tokens) {
      const file = join(folder, `${randomUUID()}.token`);
      writeFileSync(file, tokens.map((token) => `${token}\n`).join(''));
      return file;
    }

    const newToken = () => randomBytes(32).toString('base64url');

    /** Checks that each person of the fixture gets one mail about the appointment, and that no message is dead. */
    async function allAreDelivered({ url, answers }) {
      const count = async () => (await sentMails(mailbox())).length;
      await until('all mails are sent', async () => (await count()) >= answers.length, MAIL_MS_MAX);
      for (const { email, reference } of answers) {
        const [mail, ...others] = await mailsTo(mailbox(), email);
        assert.equal(others.length, 0, email);
        assert.ok(mail?.text.includes(reference), reference);
      }
      assert.equal(query(url, 'SELECT count(*) FROM outbox_messages WHERE dead_time IS NOT NULL'), '0');
    }

    for (const version of ['v1', 'v2']) {
      test(`B2: delivers the waiting notices of a ${version} database`, async () => {
        const old = written(version);
        const messaging = await start('svc-messaging', {});
        await start('svc-booking', { MESSAGING_URL: messaging.origin }, old.url);
        await allAreDelivered(old);
      });
    }

    test('M8: refuses a notice without a valid token, which stays queued', async () => {
      const old = written('v2');
      const [before, present] = [newToken(), newToken()];
      const messaging = await start('svc-messaging', { NOTICE_TOKEN_FILE: tokenFile(present, before) });
      const env = { MESSAGING_URL: messaging.origin };
      // Without a token, with an unknown token, and with a token that is being replaced.
      for (const token of [undefined, newToken(), before]) {
        if (token) env.MESSAGING_TOKEN_FILE = tokenFile(token);
        const booking = await start('svc-booking', env, old.url);
        if (token === before) break;
        const refused = `SELECT count(*) FROM outbox_messages WHERE last_error LIKE '%Unauthenticated%' AND attempts > 0`;
        await until(
          'each notice is refused',
          () => query(old.url, refused) === String(old.answers.length),
          MAIL_MS_MAX,
        );
        assert.deepEqual(await sentMails(mailbox()), []);
        await booking.stop();
        const rest = 'SELECT count(*) FROM outbox_messages WHERE delivered_time IS NULL AND dead_time IS NULL';
        assert.equal(query(old.url, rest), String(old.answers.length), 'all of them wait');
        query(old.url, `UPDATE outbox_messages SET due_time = not_before, attempts = 0, last_error = ''`);
      }
      await allAreDelivered(old);
      for (const program of programs)
        assert.ok(!program.log().includes(before), `a token is in the log of ${program.name}`);
    });
  });
}

function psql(url, sql) {
  return execFileSync('psql', ['-q', '-X', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url, '-c', sql], {
    encoding: 'utf8',
  }).trim();
}
