/** Every rule for Kubernetes manifests rejects its violation and names the location. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as kubernetes from './check-kubernetes.mjs';
import { COMMON, VARIABLES, cluster, violationsAfter } from './check.fixture.mjs';

test('accepts manifests that follow every rule', () =>
  assert.deepEqual(
    violationsAfter(() => {}),
    [],
  ));

/** Switches to a valid SQLite setup; each test of the rule breaks one part of it. */
function onSqlite({ find, pod, one }) {
  one.env = [{ name: 'DATABASE_URL', value: 'sqlite:/data/service.db' }];
  one.volumeMounts.push({ name: 'data', mountPath: '/data' });
  pod('svc-booking').volumes.push({ name: 'data', persistentVolumeClaim: { claimName: 'data' } });
  Object.assign(find('Deployment', 'svc-booking').spec, { replicas: 1, strategy: { type: 'Recreate' } });
}

test('allows SQLite with one replica, Recreate and a claim', () => assert.deepEqual(violationsAfter(onSqlite), []));

const scaler = {
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'a' },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'svc-booking' } },
};
for (const [what, change, expected] of [
  [
    'two replicas',
    ({ find }) => (find('Deployment', 'svc-booking').spec.replicas = 2),
    /spec\.replicas: is 2 .*more replicas need PostgreSQL/,
  ],
  [
    'no number of replicas',
    ({ find }) => delete find('Deployment', 'svc-booking').spec.replicas,
    /spec\.replicas: is not set/,
  ],
  [
    'a rolling update',
    ({ find }) => (find('Deployment', 'svc-booking').spec.strategy.type = 'RollingUpdate'),
    /spec\.strategy\.type: is not Recreate/,
  ],
  ['an autoscaler', ({ objects }) => objects.push(scaler), /HorizontalPodAutoscaler\/a scales it/],
  [
    'no claim',
    ({ pod }) => (pod('svc-booking').volumes.at(-1).persistentVolumeClaim = undefined),
    /volumes: \/data is not on a claim/,
  ],
  [
    'its address in a ConfigMap and two replicas',
    ({ find, one }) => {
      one.env = [];
      find('ConfigMap', 'svc-booking-config').data.DATABASE_URL = 'sqlite:/data/service.db';
      find('Deployment', 'svc-booking').spec.replicas = 2;
    },
    /spec\.replicas: is 2/,
  ],
]) {
  test(`refuses SQLite with ${what}`, () => {
    const found = violationsAfter((all) => (onSqlite(all), change(all)));
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0], /^Deployment\/svc-booking: /);
    assert.match(found[0], expected);
  });
}

for (const [what, change, expected] of [
  [
    'root',
    ({ pod }) => (pod('gateway').securityContext.runAsUser = 0),
    /Deployment\/gateway: spec\.template\.spec\.securityContext\.runAsUser/,
  ],
  ['a token', ({ pod }) => delete pod('gateway').automountServiceAccountToken, /automountServiceAccountToken/],
  [
    'a folder of the host',
    ({ pod }) => pod('gateway').volumes.push({ hostPath: {} }),
    /volumes: mounts a folder of the host/,
  ],
  [
    'a file system that can be written',
    ({ one }) => delete one.securityContext.readOnlyRootFilesystem,
    /containers\[service\]\.securityContext\.readOnlyRootFilesystem/,
  ],
  [
    'capabilities',
    ({ one }) => (one.securityContext.capabilities.add = ['NET_RAW']),
    /capabilities: are not all dropped/,
  ],
  ['no limit of memory', ({ one }) => delete one.resources.limits.memory, /resources\.limits\.memory/],
  ['no readiness probe', ({ one }) => delete one.readinessProbe, /readinessProbe: is not set/],
  ['liveness by readiness', ({ one }) => (one.livenessProbe.httpGet.path = '/readyz'), /livenessProbe\.httpGet\.path/],
  ['latest', ({ one }) => (one.image = 'registry.example/hospital/svc-booking:latest'), /image: .*moving tag/],
  ['no version', ({ one }) => (one.image = 'registry.example:5000/svc-booking'), /image: .*has no version/],
  [
    'a variable nobody knows',
    ({ one }) => one.env.push({ name: 'LISTN', value: 'x' }),
    /env: svc-booking does not know LISTN/,
  ],
  [
    'one in a ConfigMap',
    ({ find }) => (find('ConfigMap', 'svc-booking-config').data.NOPE = '1'),
    /env: svc-booking does not know NOPE/,
  ],
  [
    'a ConfigMap that is not there',
    ({ one }) => (one.envFrom[0].configMapRef.name = 'other'),
    /envFrom: there is no ConfigMap other/,
  ],
  ['all of a Secret', ({ one }) => one.envFrom.push({ secretRef: { name: 'all' } }), /envFrom: imports a whole Secret/],
  [
    'a password',
    ({ one }) => (one.env[0] = { name: 'DATABASE_URL', value: 'postgres://a:b@c/d' }),
    /env: DATABASE_URL has a password/,
  ],
  [
    'a secret as text',
    ({ pod }) => (pod('gateway').containers[0].env[0] = { name: 'REDIS_URL', value: 'redis://redis' }),
    /env: REDIS_URL is a secret/,
  ],
  [
    'a key beside the Secrets',
    ({ one }) => (one.env[1].value = '/etc/keys.toml'),
    /SEAL_KEYS_FILE \(\/etc\/keys\.toml\) is in no mounted Secret/,
  ],
  [
    'a Secret with content',
    ({ objects }) => objects.push({ kind: 'Secret', metadata: { name: 's' } }),
    /Secret\/s: data:/,
  ],
  [
    'too little time to stop',
    ({ pod }) => (pod('gateway').terminationGracePeriodSeconds = 20),
    /terminationGracePeriodSeconds: is 20, stopping may take 24 s/,
  ],
  ['nothing forbidden', ({ objects }) => objects.splice(7, 1), /NetworkPolicy\/default-deny: spec/],
  // O3
  [
    'O3: no issuer of the gateway tokens',
    ({ find }) => delete find('ConfigMap', 'svc-booking-config').data.JWT_ISSUER,
    /svc-booking.*staff cannot sign in: JWT_ISSUER not set/,
  ],
  [
    'O3: no issuer of staff sign-ins',
    ({ find }) => delete find('ConfigMap', 'gateway-config').data.STAFF_ISSUER,
    /gateway.*staff cannot sign in: STAFF_ISSUER not set/,
  ],
  [
    'staff who sign in without TLS',
    ({ find }) => (find('ConfigMap', 'gateway-config').data.SITE_ORIGINS = 'http://hospital.dev.example'),
    /SITE_ORIGINS is http:\/\/hospital\.dev\.example: staff sign in over https only/,
  ],
  [
    'O3: an issuer that cannot be reached',
    ({ find }) => find('NetworkPolicy', 'gateway').spec.egress.pop(),
    /gateway cannot reach STAFF_ISSUER: 443 is closed/,
  ],
  [
    'a policy for everybody',
    ({ find }) => (find('NetworkPolicy', 'svc-booking').spec.podSelector = {}),
    /NetworkPolicy\/svc-booking: spec\.podSelector: selects every pod/,
  ],
  [
    'everybody let in',
    ({ find }) => find('NetworkPolicy', 'svc-booking').spec.ingress.push({}),
    /spec\.ingress\[1\]\.from: allows every source/,
  ],
  [
    'the wrong peer',
    ({ find }) => (find('NetworkPolicy', 'gateway').spec.egress[0].to[0].podSelector.matchLabels.app = 'x'),
    /gateway → svc-booking:50052 is needed and not allowed/,
  ],
  [
    'an edge too many',
    ({ find }) => (find('ConfigMap', 'gateway-config').data.UPSTREAMS = ''),
    /gateway → svc-booking:50052 is allowed and not needed/,
  ],
  [
    'a port that nobody offers',
    ({ find }) => (find('Service', 'svc-booking').spec.ports[0].port = 1),
    /svc-booking:50052: no Service has that port/,
  ],
  [
    'clear text to TLS',
    ({ find }) => (find('ConfigMap', 'svc-booking-config').data.TLS_CERTIFICATE = '/x'),
    /svc-booking requires TLS/,
  ],
]) {
  test(`refuses manifests with ${what}`, () => {
    const found = violationsAfter(change);
    assert.ok(
      found.some((line) => expected.test(line)),
      `${expected} in:\n${found.join('\n')}`,
    );
  });
}

/** O5: a manifest promised the Maildir without a Secret that the pod cannot start without. */
const MAIL = new Map([
  ...VARIABLES,
  ['svc-booking', new Set([...COMMON, 'DEVELOPMENT', 'SITE_ORIGIN', 'SMTP_URL', 'MAIL_DIR', 'MESSAGING_URL'])],
]);
const url = { secretKeyRef: { name: 'mail', key: 'url' } };
for (const [what, literals, mail, expected] of [
  ['all that is needed', { SITE_ORIGIN: 'https://site.example' }, url, []],
  ['development', { DEVELOPMENT: 'true', MAIL_DIR: '/data/mail' }, undefined, []],
  ['no origin', {}, url, [/SITE_ORIGIN is not set/]],
  ['no mail server', { SITE_ORIGIN: 'https://site.example' }, undefined, [/SMTP_URL is not set/]],
  [
    'an optional Secret',
    { SITE_ORIGIN: 'https://site.example' },
    { secretKeyRef: { ...url.secretKeyRef, optional: true } },
    [/SMTP_URL comes from an optional Secret/],
  ],
  [
    'a folder beside a mail server',
    { SITE_ORIGIN: 'https://site.example', MAIL_DIR: '/data/mail' },
    url,
    [/MAIL_DIR is set/],
  ],
  [
    'no token for svc-messaging (M8)',
    { SITE_ORIGIN: 'https://site.example', MESSAGING_URL: 'https://messaging.example' },
    url,
    [/MESSAGING_TOKEN_FILE is not set/],
  ],
]) {
  test(`checks the settings that a program needs to start: ${what}`, () => {
    const objects = cluster();
    const find = (kind, name) => objects.find((object) => object.kind === kind && object.metadata.name === name);
    Object.assign(find('ConfigMap', 'svc-booking-config').data, literals);
    find('NetworkPolicy', 'to-postgres').spec.egress[0].ports.push({ port: 587 });
    const [one] = find('Deployment', 'svc-booking').spec.template.spec.containers;
    if (mail) one.env.push({ name: 'SMTP_URL', valueFrom: mail });
    const found = kubernetes.violations(objects, MAIL);
    assert.equal(found.length, expected.length, found.join('\n'));
    expected.forEach((pattern, index) => assert.match(found[index], pattern));
  });
}
