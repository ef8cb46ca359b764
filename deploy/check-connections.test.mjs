/** The connections to PostgreSQL are added up, and refused above the server's `max_connections`. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { POOL_DEFAULT, composeConnections } from './check-connections.mjs';
import { violationsAfter } from './check.fixture.mjs';

const AT = 'NetworkPolicy/to-postgres: metadata.annotations[hospital/max-connections]: ';
/** Expected text for so many pods of the fixture's service, of which each has 16 connections. */
const above = (pods, needed) => [
  `${AT}is 100; svc-booking ${pods} × 16, 1 for migrations and 20 to spare are ${needed}`,
];
const scaler = (maxReplicas) => ({
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'svc-booking' },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'svc-booking' }, maxReplicas },
});
/** Adds one pod in each step of a rollout. */
const oneByOne = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };

for (const [what, change, expected] of [
  // 2 replicas, 1 new and 1 stopping: 4 × 16 + 1 + 20.
  ['two replicas', ({ service }) => Object.assign(service, { replicas: 2, strategy: oneByOne }), []],
  ['three replicas', ({ service }) => Object.assign(service, { replicas: 3, strategy: oneByOne }), above(5, 101)],
  [
    'an autoscaler',
    ({ service, objects }) => {
      Object.assign(service, { replicas: 2, strategy: oneByOne });
      objects.push(scaler(6));
    },
    above(8, 149),
  ],
  // 25 % of 4 are added, and as many are missing.
  ['the default rollout', ({ service }) => (service.replicas = 4), above(7, 133)],
  ['no rollout', ({ service }) => Object.assign(service, { replicas: 4, strategy: { type: 'Recreate' } }), []],
  [
    'pods that stop more slowly than a rollout advances',
    ({ service, pod }) => {
      Object.assign(service, { replicas: 2, strategy: oneByOne });
      pod('svc-booking').terminationGracePeriodSeconds = 81;
    },
    above(6, 117),
  ],
  [
    'a larger pool',
    ({ find, service }) => {
      Object.assign(service, { replicas: 2, strategy: oneByOne });
      find('ConfigMap', 'svc-booking-config').data.DATABASE_CONNECTIONS_MAX = '20';
    },
    [`${AT}is 100; svc-booking 4 × 20, 1 for migrations and 20 to spare are 101`],
  ],
  [
    'no limit',
    ({ find }) => delete find('NetworkPolicy', 'to-postgres').metadata.annotations,
    [`${AT}is not set; svc-booking 3 × 16, 1 for migrations and 20 to spare are 69`],
  ],
]) {
  test(`adds up the connections of pods with ${what}`, () => {
    const found = violationsAfter((all) => change({ ...all, service: all.find('Deployment', 'svc-booking').spec }));
    assert.deepEqual(
      found.filter((line) => line.startsWith(AT)),
      expected,
    );
  });
}

test('adds up the connections of services and migrations of Compose', () => {
  const booking = { environment: { DATABASE_URL: 'postgres://svc-booking@postgres/svc-booking' } };
  const services = (allowed) => ({
    'svc-booking': booking,
    'migrate-booking': { ...booking, command: ['migrate'] },
    postgres: { command: ['postgres', '-c', `max_connections=${allowed}`] },
  });
  assert.equal(composeConnections(services(37)), undefined);
  assert.equal(
    composeConnections(services(36)),
    'max_connections is 36, the services, 1 for migrations and 20 to spare are 37',
  );
});

test('knows the default of DATABASE_CONNECTIONS_MAX', () => {
  const reference = readFileSync(new URL('../docs/reference/configuration.md', import.meta.url), 'utf8');
  const defaults = [...reference.matchAll(/^\| `DATABASE_CONNECTIONS_MAX` \|[^|]*\| `(\d+)`/gm)].map(
    ([, value]) => value,
  );
  assert.deepEqual(new Set(defaults), new Set([String(POOL_DEFAULT)]));
});
