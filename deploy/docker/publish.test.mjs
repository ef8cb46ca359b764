import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { publish, rollBack } from './publish.mjs';

const digest = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** A folder of remotes and a way to make packages beside it; both go with the test. */
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

test('a version becomes a folder and the pointer names it; twice is once', async (t) => {
  const { remotes, build, registry } = await scratch(t);
  const pages = await build('booking', '1.0.0');
  for (let time = 0; time < 2; time += 1) assert.equal(await publish({ pages, remotes, name: 'booking' }), '1.0.0');
  await publish({ pages: await build('shell', '7'), remotes, name: 'shell' });
  assert.equal(await readFile(join(remotes, 'booking/1.0.0/chunks/a.js'), 'utf8'), 'page');
  const entry = (stable, moves) => ({ stable, moves, integrity: { [stable]: digest(stable) } });
  const teams = { booking: entry('1.0.0', 2) };
  assert.deepEqual(await registry(), { contract: 3, shell: entry('7', 1), teams });
  assert.deepEqual(await readdir(join(remotes, 'booking')), ['1.0.0']);
  assert.deepEqual((await readdir(remotes)).sort(), ['booking', 'remotes.json', 'shell']);
});

test('a published version does not change', async (t) => {
  const { remotes, build } = await scratch(t);
  await publish({ pages: await build('booking', '1.0.0'), remotes, name: 'booking' });
  const other = await build('booking', '1.0.0', 'other bytes');
  await assert.rejects(
    publish({ pages: other, remotes, name: 'booking' }),
    /1\.0\.0 was published before with other bytes/,
  );
  assert.equal(await readFile(join(remotes, 'booking/1.0.0/chunks/a.js'), 'utf8'), 'page');
});

test('rolling back moves the pointer, keeps what else stands there, and refuses what was never here', async (t) => {
  const { remotes, build, registry } = await scratch(t);
  for (const version of ['1', '2']) await publish({ pages: await build('booking', version), remotes, name: 'booking' });
  const file = join(remotes, 'remotes.json');
  const old = await registry();
  const { booking } = old.teams;
  assert.deepEqual(booking, { stable: '2', previous: '1', moves: 2, integrity: { 1: digest('1'), 2: digest('2') } });
  const canary = { version: '3', percent: 5 };
  const signed = { signed: '{"name":"booking"}', signature: 'AAAA' };
  const integrity = { ...booking.integrity, 3: digest('3') };
  const more = { booking: { ...booking, ...signed, canary, integrity, owner: 'b' } };
  await writeFile(file, JSON.stringify({ ...old, teams: more, more: true }));
  await rollBack({ remotes, name: 'booking', version: '1' });
  const after = { stable: '1', previous: '2', moves: 3, integrity: booking.integrity, owner: 'b' };
  assert.deepEqual((await registry()).teams.booking, after);
  assert.equal((await registry()).more, true);
  await assert.rejects(rollBack({ remotes, name: 'booking', version: '9' }), /9 was never published here/);
});

test('a name or a version that leaves the folder is refused', async (t) => {
  const { remotes, build } = await scratch(t);
  const pages = await build('booking', '1');
  await assert.rejects(publish({ pages, remotes, name: '../booking' }), /PAGES is not the name/);
  await assert.rejects(publish({ pages, remotes, name: 'content' }), /says its name is booking/);
  await writeFile(join(pages, 'module.json'), JSON.stringify({ name: 'booking', version: '../../x', contract: 3 }));
  await assert.rejects(publish({ pages, remotes, name: 'booking' }), /not a version/);
  assert.deepEqual(await readdir(remotes), []);
});

test('twelve processes that publish at once lose no pointer', async (t) => {
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

test('the lock of a job that died does not stop the next one', async (t) => {
  const { remotes, build, registry } = await scratch(t);
  const lock = join(remotes, 'remotes.json.lock');
  await writeFile(lock, '');
  const old = new Date(Date.now() - 60_000);
  await utimes(lock, old, old);
  await publish({ pages: await build('booking', '1'), remotes, name: 'booking' });
  assert.equal((await registry()).teams.booking.stable, '1');
  assert.deepEqual((await readdir(remotes)).sort(), ['booking', 'remotes.json']);
});
