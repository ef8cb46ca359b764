import assert from 'node:assert/strict';
import { test } from 'node:test';

import { mountViolations } from './check-mounts.mjs';

const SERVICE = {
  command: ['--config.file=/etc/alertmanager/alertmanager.yml', '--storage.path=/alertmanager'],
  volumes: ['../observability/alertmanager:/etc/alertmanager:ro', 'alertmanager:/alertmanager'],
  secrets: ['on_call_token'],
};
const FILES = ['../observability/alertmanager', '../observability/alertmanager/alertmanager.yml'];
const look = (change, { files = FILES, text = 'credentials_file: /run/secrets/on_call_token' } = {}) =>
  mountViolations(
    'alertmanager',
    { ...SERVICE, ...change },
    { has: (path) => files.includes(path), texts: () => [text] },
  );

test('accepts mounts that hold what is read', () => assert.deepEqual(look({}), []));

for (const [what, change, files, expected] of [
  ['a mount of nothing', {}, { files: [] }, /volumes: \.\.\/observability\/alertmanager does not exist/],
  ['a missing file', {}, { files: FILES.slice(0, 1) }, /alertmanager\.yml is read, and not in/],
  ['another folder', { command: ['--config.file=/etc/alertmanager/other.yml'] }, {}, /other\.yml is read, and not in/],
  ['a secret that a file reads', { secrets: [] }, {}, /secrets: \/run\/secrets\/on_call_token is read/],
  [
    'a secret that a variable names',
    { environment: { A_FILE: '/run/secrets/a' } },
    {},
    /secrets: \/run\/secrets\/a is/,
  ],
]) {
  test(`names ${what}`, () => assert.match(look(change, files).join('\n'), expected));
}

test('ignores comments', () => assert.deepEqual(look({}, { text: '# reads /run/secrets/other' }), []));
