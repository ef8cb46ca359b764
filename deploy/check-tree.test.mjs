/** This tree violates no rule. A check that could not run appears as a skipped test, with its reason. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const check = fileURLToPath(new URL('check.mjs', import.meta.url));
const { stdout, stderr } = spawnSync(process.execPath, [check, '--json'], { encoding: 'utf8', maxBuffer: 64 << 20 });

test('the deployment files follow every rule', () => {
  assert.notEqual(stdout, '', stderr);
  assert.deepEqual(JSON.parse(stdout).found, []);
});

for (const what of stdout ? JSON.parse(stdout).skipped : []) test(what, { skip: 'its tool is missing' }, () => {});
