/** The file system of an image, without a container engine: the program runs in it as a user without a name. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { ROOT } from '../../e2e/processes.mjs';

const USER = 10001;
const skip = process.getuid?.() === 0 ? false : 'only root can give a process another root and user';
const target = process.env.PROGRAMS_DIR ?? join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'debug');
const script = fileURLToPath(new URL('rootfs.sh', import.meta.url));

test('svc-booking runs from the extracted file system', { skip, timeout: 60_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'rootfs-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const rootfs = join(folder, 'rootfs');
  execFileSync('sh', [script, join(target, 'svc-booking'), rootfs]);
  const files = readdirSync(rootfs, { recursive: true }).filter((name) => statSync(join(rootfs, name)).isFile());
  const expected =
    /^(program|etc\/(passwd|group|nsswitch\.conf)|etc\/ssl\/certs\/ca-certificates\.crt|(usr\/)?lib(64)?\/.*\.so[.\d]*)$/;
  assert.deepEqual(
    files.filter((name) => !expected.test(name)),
    [],
    'the program, its libraries, certificates and nothing else',
  );
  assert.ok(!existsSync(join(rootfs, 'bin')), 'no shell');
  execFileSync(process.execPath, [join(ROOT, 'xtask/src/keys/make.mjs'), join(folder, 'keys'), 'svc-booking']);
  copyFileSync(join(folder, 'keys/svc-booking.toml'), join(rootfs, 'data/keys.toml'));
  chownSync(join(rootfs, 'data/keys.toml'), USER, USER);

  const env = {
    PATH: process.env.PATH,
    LISTEN: '127.0.0.1:0',
    OPERATORS_LISTEN: '127.0.0.1:0',
    DATABASE_URL: 'sqlite:/data/service.db',
    SEAL_KEYS_FILE: '/data/keys.toml',
    DEVELOPMENT: 'true',
  };
  const child = spawn('chroot', [`--userspec=${USER}:${USER}`, rootfs, '/program'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  t.after(() => child.kill('SIGKILL'));
  let operators;
  for await (const line of createInterface({ input: child.stdout })) {
    operators = /^operators on (.*)$/.exec(line)?.[1];
    if (operators) break;
  }
  assert.ok(operators, 'it listens');
  assert.equal((await fetch(`http://${operators}/readyz`)).status, 200);
  assert.equal(statSync(join(rootfs, 'data/service.db')).uid, USER);
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null], 'it ends by itself after SIGTERM');
});

test('refuses a program with a missing library', { skip }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'rootfs-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const ldd = join(folder, 'ldd');
  writeFileSync(ldd, '#!/bin/sh\necho "libnone.so.1 => not found"\n', { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH}` };
  assert.throws(
    () => execFileSync('sh', [script, '/bin/true', join(folder, 'rootfs')], { env, stdio: 'pipe' }),
    /needs what this machine does not have/,
  );
});
