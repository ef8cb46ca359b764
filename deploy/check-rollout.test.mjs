/** Every rule for rollouts, egress and placeholders rejects its violation and names the location. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { placeholders } from './check-rollout.mjs';
import { cluster, violationsAfter } from './check.fixture.mjs';

const scaler = {
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'gateway' },
  spec: {
    scaleTargetRef: { kind: 'Deployment', name: 'gateway' },
    metrics: [{ resource: { name: 'cpu', target: { averageValue: '1200m' } } }],
  },
};
const claim = { kind: 'PersistentVolumeClaim', metadata: { name: 'c' }, spec: { accessModes: ['ReadWriteMany'] } };

for (const [what, change, expected] of [
  // O6
  [
    'a claim for several nodes without a class',
    ({ objects }) => objects.push(claim),
    /PersistentVolumeClaim\/c: spec\.storageClassName: is not set for ReadWriteMany/,
  ],
  [
    'an autoscaler target above the requests',
    ({ objects }) => objects.push(scaler),
    /HorizontalPodAutoscaler\/gateway: spec\.metrics: the target is 1200m, but gateway requests 1000m/,
  ],
  [
    'pods that replace others before DNS knows them',
    ({ find }) => (find('Deployment', 'gateway').spec.minReadySeconds = 5),
    /Deployment\/gateway: spec\.minReadySeconds: is 5, DNS keeps an address 30 s/,
  ],
  [
    'migrations in an init container',
    ({ pod }) => (pod('svc-booking').initContainers = [{ ...pod('svc-booking').containers[0], args: ['migrate'] }]),
    /Deployment\/svc-booking: spec\.template\.spec: the init container service migrates/,
  ],
  [
    'no migrations',
    ({ find }) => (find('Job', 'migrate-booking').spec.template.spec.containers[0].args = []),
    /Deployment\/svc-booking: .*no job runs registry\.example\/hospital\/svc-booking:1\.4\.2 migrate/,
  ],
  [
    'migrations of another version',
    ({ one }) => (one.image = 'registry.example/hospital/svc-booking:1.4.3'),
    /no job runs registry\.example\/hospital\/svc-booking:1\.4\.3 migrate/,
  ],
  [
    'a service that owns its schema',
    ({ find }) =>
      (find('Job', 'migrate-booking').spec.template.spec.containers[0].env[0].valueFrom.secretKeyRef.name = 'database'),
    /service has the database role of its migrations, from database/,
  ],
  [
    'an empty folder of pages without a store',
    ({ find, pod }) => {
      find('ConfigMap', 'gateway-config').data.REMOTES_DIR = '/remotes';
      pod('gateway').volumes.push({ name: 'remotes', emptyDir: {} });
      pod('gateway').containers[0].volumeMounts.push({ name: 'remotes', mountPath: '/remotes' });
    },
    /Deployment\/gateway: env: REMOTES_URL is not set, and \/remotes is an empty folder/,
  ],
  [
    'gRPC under no name',
    ({ find }) => delete find('Service', 'svc-booking').spec.ports[0].appProtocol,
    /Service\/svc-booking: spec\.ports\[rpc\]\.appProtocol: is not set, not kubernetes\.io\/h2c/,
  ],
  [
    'gRPC with TLS under the name of clear text',
    ({ find }) => (find('ConfigMap', 'svc-booking-config').data.TLS_CERTIFICATE = '/x'),
    /Service\/svc-booking: spec\.ports\[rpc\]\.appProtocol: is kubernetes\.io\/h2c, not https/,
  ],
  [
    'another port without a protocol',
    ({ find }) => find('Service', 'svc-booking').spec.ports.push({ name: 'operators', port: 9092 }),
    /Service\/svc-booking: spec\.ports\[operators\]\.appProtocol: is not set/,
  ],
  [
    'calls to the pods of a job',
    ({ find }) => (find('Job', 'migrate-booking').spec.template.metadata.labels.app = 'svc-booking'),
    /Service\/svc-booking: spec\.selector: selects the pods of Job\/migrate-booking/,
  ],
  [
    'PostgreSQL at any address',
    ({ find }) => delete find('NetworkPolicy', 'to-postgres').spec.egress[0].to,
    /NetworkPolicy\/to-postgres: spec\.egress\[0\]\.to: allows every destination/,
  ],
  [
    'PostgreSQL at any address but private ones',
    ({ find }) =>
      (find('NetworkPolicy', 'to-postgres').spec.egress[0].to[0].ipBlock = {
        cidr: '0.0.0.0/0',
        except: ['10.0.0.0/8'],
      }),
    /NetworkPolicy\/to-postgres: spec\.egress\[0\]\.to: allows every destination/,
  ],
  [
    'a database that cannot be reached',
    ({ find }) => find('NetworkPolicy', 'to-postgres').spec.egress.pop(),
    /svc-booking cannot reach DATABASE_URL: 5432 is closed/,
  ],
  [
    'a database that migrations cannot reach',
    ({ find }) => find('NetworkPolicy', 'to-postgres').spec.podSelector.matchExpressions[0].values.pop(),
    /migrate-booking cannot reach DATABASE_URL: 5432 is closed/,
  ],
]) {
  test(`refuses ${what}`, () => {
    const found = violationsAfter(change);
    assert.ok(
      found.some((line) => expected.test(line)),
      `${expected} in:\n${found.join('\n')}`,
    );
  });
}

test('names the values that are still examples', () => {
  const found = placeholders(cluster());
  assert.ok(
    found.includes('NetworkPolicy/to-postgres: spec.egress[0].to[0].ipBlock.cidr: 192.0.2.10/32 is a placeholder'),
  );
  assert.ok(found.some((line) => /^ConfigMap\/gateway-config: data\.STAFF_ISSUER: .* is a placeholder$/.test(line)));
  const own = { kind: 'Ingress', metadata: { name: 'site' }, spec: { host: 'www.hospital.test', port: 192 } };
  assert.deepEqual(placeholders([own]), []);
});
