import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { publish, rollBack } from './publish.mjs';

const digest = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** Creates a folder of remotes and helpers to build packages beside it; removed at the end of the test. */
async function scratch(t) {
  const root = await mkdtemp(join(tmpdir(), 'publish-'));
  t.after(() => rm(root, { recursive: true }));
  const remotes = join(root, 'remotes');
  await mkdir(remotes);
  const build = async (name, version, text = 'page') => {
    const pages = join(root, `${name}-${version}-${text}`);
    await mkdir(join(pages, 'chunks'), { recursive: true });
    await writeFile(join(pages, 'module.json'), JSON.stringify({ name, version, contract: 3 }));
    await writeFile(join(pages, 'chunks/a.js'), text);
    await writeFile(join(pages, 'integrity.json'), version);
    return pages;
  };
  const registry = async () => JSON.parse(await readFile(join(remotes, 'remotes.json'), 'utf8'));
  return { remotes, build, registry };
}

/** Publication times that this test run could have written, in whole seconds since 1970. */
const START_S = Math.floor(Date.now() / 1000);

/** Returns an entry without its publication times, which must be those of exactly the versions that it names. */
function timeless({ published, ...entry }) {
  const named = [entry.stable, entry.previous].filter(Boolean);
  assert.deepEqual(Object.keys(published).sort(), named.sort());
  for (const time of Object.values(published)) assert.ok(time >= START_S && time <= Date.now() / 1000, `${time}`);
  return entry;
}

test('publishes a version as a folder and a pointer; repeating it changes nothing', async (t) => {
  const { remotes, build, registry } = await scratch(t);
  const pages = await build('booking', '1.0.0');
  for (let time = 0; time < 2; time += 1) assert.equal(await publish({ pages, remotes, name: 'booking' }), '1.0.0');
  await publish({ pages: await build('shell', '7'), remotes, name: 'shell' });
  assert.equal(await readFile(join(remotes, 'booking/1.0.0/chunks/a.js'), 'utf8'), 'page');
  const entry = (stable, moves) => ({ stable, moves, integrity: { [stable]: digest(stable) } });
  const { contract, shell, teams } = await registry();
  assert.equal(contract, 3);
  assert.deepEqual([timeless(shell), timeless(teams.booking)], [entry('7', 1), entry('1.0.0', 2)]);
  assert.deepEqual(await readdir(join(remotes, 'booking')), ['1.0.0']);
  assert.deepEqual((await readdir(remotes)).sort(), ['booking', 'remotes.json', 'shell']);
});

test('never changes a published version', async (t) => {
  const { remotes, build } = await scratch(t);
  await publish({ pages: await build('booking', '1.0.0'), remotes, name: 'booking' });
  const other = await build('booking', '1.0.0', 'other bytes');
  await assert.rejects(
    publish({ pages: other, remotes, name: 'booking' }),
    /1\.0\.0 was published before with other bytes/,
  );
  assert.equal(await readFile(join(remotes, 'booking/1.0.0/chunks/a.js'), 'utf8'), 'page');
});

test('a rollback moves the pointer, keeps other entries, and refuses an unpublished version', async (t) => {
  const { remotes, build, registry } = await scratch(t);
  for (const version of ['1', '2']) await publish({ pages: await build('booking', version), remotes, name: 'booking' });
  const file = join(remotes, 'remotes.json');
  const old = await registry();
  const { booking } = old.teams;
  const before = { stable: '2', previous: '1', moves: 2, integrity: { 1: digest('1'), 2: digest('2') } };
  assert.deepEqual(timeless(booking), before);
  const canary = { version: '3', percent: 5 };
  const signed = { signed: '{"name":"booking"}', signature: 'AAAA' };
  const integrity = { ...booking.integrity, 3: digest('3') };
  const more = { booking: { ...booking, ...signed, canary, integrity, owner: 'b' } };
  await writeFile(file, JSON.stringify({ ...old, teams: more, more: true }));
  await rollBack({ remotes, name: 'booking', version: '1' });
  const after = { stable: '1', previous: '2', moves: 3, integrity: booking.integrity, owner: 'b' };
  assert.deepEqual(timeless((await registry()).teams.booking), after);
  assert.equal((await registry()).more, true);
  await assert.rejects(rollBack({ remotes, name: 'booking', version: '9' }), /9 was never published here/);
});

// O6
test('a canary runs beside the stable version, and `back` ends it and then returns to the previous version', async (t) => {
  const { remotes, build, registry } = await scratch(t);
  const pages = { 1: await build('booking', '1'), 2: await build('booking', '2'), 3: await build('booking', '3') };
  const name = 'booking';
  await assert.rejects(publish({ pages: pages[1], remotes, name, percent: 10 }), /no other stable version/);
  for (const version of [1, 2]) await publish({ pages: pages[version], remotes, name });
  await publish({ pages: pages[3], remotes, name, percent: 10 });
  const { canary, stable, previous, published, integrity } = (await registry()).teams.booking;
  assert.deepEqual([canary, stable, previous], [{ version: '3', percent: 10 }, '2', '1']);
  for (const values of [published, integrity]) assert.deepEqual(Object.keys(values).sort(), ['1', '2', '3']);
  await assert.rejects(publish({ pages: pages[2], remotes, name, percent: 10 }), /no other stable version/);
  assert.equal(await rollBack({ remotes, name }), '2');
  const ended = (await registry()).teams.booking;
  assert.deepEqual([ended.canary, ended.stable, ended.previous], [undefined, '2', '1']);
  assert.equal(await rollBack({ remotes, name }), '1');
});

/** Creates a team's key file, and a function that checks signatures made with it. */
async function keyOf(t, algorithm = 'ed25519', options = {}) {
  const { privateKey, publicKey } = generateKeyPairSync(algorithm, options);
  const folder = await mkdtemp(join(tmpdir(), 'key-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'key.pem');
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const signs = (text, signature) => verify(null, Buffer.from(text), publicKey, Buffer.from(`${signature}`, 'base64'));
  return { file, signs };
}

const MANIFEST_LINE = 'hospital page modules, integrity 1\n';
const POINTER_LINE = 'hospital page modules, pointer 1\n';

test('with a key, signs the version and the pointer, also on rollback', async (t) => {
  const { remotes, build, registry } = await scratch(t);
  const key = await keyOf(t);
  // The first version was published without a key.
  const first = await build('booking', '1');
  await publish({ pages: first, remotes, name: 'booking' });
  for (const pages of [first, await build('booking', '2')])
    await publish({ pages, remotes, name: 'booking', keyFile: key.file });
  for (const version of ['1', '2']) {
    const signature = await readFile(join(remotes, `booking/${version}/integrity.sig`), 'utf8');
    assert.ok(key.signs(MANIFEST_LINE + version, signature), version);
  }
  const integrity = { 1: digest('1'), 2: digest('2') };
  const says = async () => {
    const { signed, signature, ...plain } = (await registry()).teams.booking;
    assert.ok(key.signs(POINTER_LINE + signed, signature), signed);
    assert.deepEqual(JSON.parse(signed), { name: 'booking', ...plain });
    return timeless(plain);
  };
  assert.deepEqual(await says(), { stable: '2', previous: '1', moves: 3, integrity });
  await rollBack({ remotes, name: 'booking', version: '1', keyFile: key.file });
  assert.deepEqual(await says(), { stable: '1', previous: '2', moves: 4, integrity });
  await rollBack({ remotes, name: 'booking', version: '2' });
  const { signed, signature } = (await registry()).teams.booking;
  assert.deepEqual({ signed, signature }, { signed: undefined, signature: undefined }, 'it says what was before');
});

test('a version that is stable keeps its publication time', async (t) => {
  const { remotes, build, registry } = await scratch(t);
  const key = await keyOf(t);
  const pages = await build('booking', '1');
  const publishedAt = async () => JSON.parse((await registry()).teams.booking.signed).published['1'];
  await publish({ pages, remotes, name: 'booking' });
  const { teams, ...rest } = await registry();
  teams.booking.published['1'] = 7;
  await writeFile(join(remotes, 'remotes.json'), JSON.stringify({ ...rest, teams }));
  await publish({ pages, remotes, name: 'booking', keyFile: key.file });
  assert.equal(await publishedAt(), 7);
  await publish({ pages: await build('booking', '2'), remotes, name: 'booking', keyFile: key.file });
  await rollBack({ remotes, name: 'booking', version: '1', keyFile: key.file });
  assert.ok((await publishedAt()) >= START_S, 'published again');
});

test('does not sign foreign fields beside the signed entry, and stops at a foreign statement', async (t) => {
  const { remotes, build, registry } = await scratch(t);
  const key = await keyOf(t);
  const name = 'booking';
  for (const version of ['1', '2'])
    await publish({ pages: await build(name, version), remotes, name, keyFile: key.file });
  const file = join(remotes, 'remotes.json');
  const change = async (what) => {
    const { teams, ...rest } = await registry();
    await writeFile(file, JSON.stringify({ ...rest, teams: { booking: { ...teams.booking, ...what } } }));
  };
  await change({ previous: '0.9', moves: 90, owner: 'b' });
  await publish({ pages: await build(name, '3'), remotes, name, keyFile: key.file });
  const { booking } = (await registry()).teams;
  assert.deepEqual([booking.previous, booking.moves, booking.owner], ['2', 3, 'b']);
  for (const signed of ['{"name":"content"}', '{', 'null']) {
    await change({ signed });
    await assert.rejects(
      rollBack({ remotes, name, version: '1', keyFile: key.file }),
      /`signed` of booking in remotes.json is not for booking/,
    );
    assert.equal((await registry()).teams.booking.stable, '3', signed);
  }
});

test('publishes nothing with a key that cannot sign', async (t) => {
  const { remotes, build } = await scratch(t);
  const other = await keyOf(t, 'ec', { namedCurve: 'P-256' });
  const pages = await build('booking', '1');
  await assert.rejects(publish({ pages, remotes, name: 'booking', keyFile: other.file }), /is no Ed25519 key/);
  await assert.rejects(publish({ pages, remotes, name: 'booking', keyFile: join(remotes, 'none.pem') }), /ENOENT/);
  assert.deepEqual(await readdir(remotes), []);
});

test(
  'the image user signs files that are read-only in the image',
  {
    skip: process.getuid() !== 0 && 'only root starts a process as another user',
  },
  async (t) => {
    const { remotes, build, registry } = await scratch(t);
    const key = await keyOf(t);
    const user = 10001;
    for (const path of [remotes, join(remotes, '..'), key.file, join(key.file, '..')]) await chown(path, user, user);
    // Readable for that user, wherever this tree is.
    const script = join(remotes, '..', 'publish.mjs');
    await writeFile(script, await readFile(new URL('publish.mjs', import.meta.url)));
    const line = `import { publish } from '${script}'; await publish(JSON.parse(process.argv[1]));`;
    for (const version of ['1', '2', '2']) {
      const pages = await build('booking', version);
      for (const path of [join(pages, 'chunks'), pages]) await chmod(path, 0o555);
      const what = JSON.stringify({ pages, remotes, name: 'booking', keyFile: key.file });
      const options = { stdio: 'inherit', uid: user, gid: user, cwd: remotes };
      const child = spawn(process.execPath, ['--input-type=module', '-e', line, what], options);
      assert.equal((await once(child, 'exit'))[0], 0);
      assert.ok(key.signs(MANIFEST_LINE + version, await readFile(join(remotes, `booking/${version}/integrity.sig`))));
    }
    const { signed, signature } = (await registry()).teams.booking;
    assert.ok(key.signs(POINTER_LINE + signed, signature));
  },
);

test('refuses a name or version that leads out of the folder', async (t) => {
  const { remotes, build } = await scratch(t);
  const pages = await build('booking', '1');
  await assert.rejects(publish({ pages, remotes, name: '../booking' }), /PAGES is not the name/);
  await assert.rejects(publish({ pages, remotes, name: 'content' }), /has the name booking/);
  await writeFile(join(pages, 'module.json'), JSON.stringify({ name: 'booking', version: '../../x', contract: 3 }));
  await assert.rejects(publish({ pages, remotes, name: 'booking' }), /not a version/);
  assert.deepEqual(await readdir(remotes), []);
});

test('keeps every pointer of twelve concurrent publications', async (t) => {
  const { remotes, build, registry } = await scratch(t);
  const names = Array.from({ length: 12 }, (_, index) => `team-${index}`);
  const module = new URL('publish.mjs', import.meta.url).href;
  const line = `import { publish } from '${module}'; await publish(JSON.parse(process.argv[1]));`;
  const codes = await Promise.all(
    names.map(async (name) => {
      const what = JSON.stringify({ pages: await build(name, '1'), remotes, name });
      const child = spawn(process.execPath, ['--input-type=module', '-e', line, what], { stdio: 'inherit' });
      return (await once(child, 'exit'))[0];
    }),
  );
  assert.deepEqual(new Set(codes), new Set([0]));
  assert.deepEqual(Object.keys((await registry()).teams).sort(), [...names].sort());
});

test('takes over the lock of a dead job', async (t) => {
  const { remotes, build, registry } = await scratch(t);
  const lock = join(remotes, 'remotes.json.lock');
  await writeFile(lock, '');
  const old = new Date(Date.now() - 60_000);
  await utimes(lock, old, old);
  await publish({ pages: await build('booking', '1'), remotes, name: 'booking' });
  assert.equal((await registry()).teams.booking.stable, '1');
  assert.deepEqual((await readdir(remotes)).sort(), ['booking', 'remotes.json']);
});
