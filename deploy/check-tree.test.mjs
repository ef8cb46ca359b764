/** This tree violates no rule. A check that could not run appears as a skipped test, with its reason. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const check = fileURLToPath(new URL('check.mjs', import.meta.url));
const { stdout, stderr } = spawnSync(process.execPath, [check, '--json'], { encoding: 'utf8', maxBuffer: 64 << 20 });

test('the deployment files follow every rule', () => {
  assert.notEqual(stdout, '', stderr);
  assert.deepEqual(JSON.parse(stdout).found, []);
});

test('a role has each scope of the contracts, and the copy for Kubernetes is current', () => {
  const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const roles = read('staff-roles.toml');
  const contracts = readdirSync(new URL('../proto/hospital/', import.meta.url), { recursive: true });
  const scopes = contracts
    .filter((name) => name.endsWith('.proto'))
    .flatMap((name) => [...read(`../proto/hospital/${name}`).matchAll(/scope: "([^"]+)"/g)].map(([, scope]) => scope));
  assert.ok(scopes.length > 10);
  assert.deepEqual(
    [...new Set(scopes)].filter((scope) => !roles.includes(`"${scope}"`)),
    [],
  );
  assert.equal(read('k8s/components/staff-sign-in/staff-roles.toml'), roles);
});

for (const what of stdout ? JSON.parse(stdout).skipped : []) test(what, { skip: 'its tool is missing' }, () => {});
