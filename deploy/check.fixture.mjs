import * as kubernetes from './check-kubernetes.mjs';

/** Variables of a service, for tests of the checks. */
export const COMMON = [
  'LISTEN',
  'SHUTDOWN_DRAIN_MS_MAX',
  'SEAL_KEYS_FILE',
  'DATABASE_URL',
  'TLS_CERTIFICATE',
  'TLS_KEY',
  'PGPASSFILE',
  'JWKS_URL',
  'JWKS_FILE',
  'JWT_ISSUER',
  'JWT_AUDIENCE',
];

/** Names by program. */
export const VARIABLES = new Map([
  [
    'gateway',
    new Set([
      'LISTEN',
      'UPSTREAMS',
      'LAME_DUCK_MS',
      'SHUTDOWN_DRAIN_MS_MAX',
      'REDIS_URL',
      'FORM_KEY_FILE',
      'JWT_ISSUER',
      'SITE_ORIGINS',
      'STAFF_ISSUER',
      'STAFF_CLIENT_ID',
      'STAFF_CLIENT_SECRET_FILE',
      'STAFF_ROLES',
      'STAFF_ENDED_FILE',
      'SESSION_KEYS_FILE',
      'TOKEN_KEY_FILE',
    ]),
  ],
  ['svc-booking', new Set(COMMON)],
]);

/** Settings of a service that accepts the gateway's tokens. */
export const TOKENS = {
  JWKS_FILE: '/run/config/jwks.json',
  JWT_ISSUER: 'gateway',
  JWT_AUDIENCE: 'hospital-services',
};

/**
 * Returns the gateway's settings for staff sign-in.
 *
 * @param {string} folder Folder of its secrets.
 */
export const signIn = (folder) => ({
  SITE_ORIGINS: 'https://www.example.org',
  STAFF_ISSUER: 'https://id.example.org',
  STAFF_CLIENT_ID: 'hospital-gateway',
  STAFF_CLIENT_SECRET_FILE: `${folder}/staff-client.secret`,
  STAFF_ROLES: '/etc/hospital/staff-roles.toml',
  STAFF_ENDED_FILE: '/state/staff-ended',
  SESSION_KEYS_FILE: `${folder}/session.keys`,
  TOKEN_KEY_FILE: `${folder}/token.pem`,
});

/** Returns a gateway and a service on PostgreSQL that violate no rule. */
export function cluster() {
  const container = (name, env, port, image = name) => ({
    name,
    image: `registry.example/hospital/${image}:1.4.2`,
    envFrom: [{ configMapRef: { name: `${image}-config` } }],
    env,
    ports: [{ name: 'rpc', containerPort: port }],
    ...Object.fromEntries(
      ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) => [probe, { httpGet: { path: '/healthz' } }]),
    ),
    resources: { limits: { cpu: '1', memory: '64Mi' }, requests: { cpu: '1', memory: '64Mi' } },
    securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    volumeMounts: [{ name: 'keys', mountPath: '/run/secrets/hospital/keys' }],
  });
  const deployment = (name, one, labels) => ({
    kind: 'Deployment',
    metadata: { name },
    spec: {
      minReadySeconds: 40,
      template: {
        metadata: { labels: { app: name, ...labels } },
        spec: {
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: 40,
          securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [one],
          volumes: [{ name: 'keys', secret: { secretName: 'keys' } }],
        },
      },
    },
  });
  const secret = { secretKeyRef: { name: 'database', key: 'url' } };
  const keys = '/run/secrets/hospital/keys/keys.toml';
  const owner = { secretKeyRef: { name: 'database-owner', key: 'url' } };
  const migrate = {
    ...container('migrate', [{ name: 'DATABASE_URL', valueFrom: owner }], 1, 'svc-booking'),
    args: ['migrate'],
    envFrom: [],
  };
  return [
    { kind: 'Namespace', metadata: { name: 'hospital' } },
    {
      kind: 'ConfigMap',
      metadata: { name: 'gateway-config' },
      data: {
        LAME_DUCK_MS: '10000',
        UPSTREAMS: 'a.v1=http://svc-booking:50052',
        ...signIn('/run/secrets/hospital/keys'),
      },
    },
    { kind: 'ConfigMap', metadata: { name: 'svc-booking-config' }, data: { LISTEN: '0.0.0.0:50052', ...TOKENS } },
    deployment('gateway', container('gateway', [{ name: 'REDIS_URL', valueFrom: secret }], 8080), { edge: 'true' }),
    deployment(
      'svc-booking',
      container(
        'service',
        [
          { name: 'DATABASE_URL', valueFrom: secret },
          { name: 'SEAL_KEYS_FILE', value: keys },
        ],
        50052,
        'svc-booking',
      ),
    ),
    {
      ...deployment('migrate-booking', migrate, { component: 'migration' }),
      kind: 'Job',
    },
    {
      kind: 'Service',
      metadata: { name: 'svc-booking' },
      spec: {
        selector: { app: 'svc-booking' },
        ports: [{ name: 'rpc', port: 50052, appProtocol: 'kubernetes.io/h2c' }],
      },
    },
    {
      kind: 'NetworkPolicy',
      metadata: { name: 'default-deny' },
      spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
    },
    {
      kind: 'NetworkPolicy',
      metadata: { name: 'gateway' },
      spec: {
        podSelector: { matchLabels: { app: 'gateway' } },
        egress: [
          { to: [{ podSelector: { matchLabels: { app: 'svc-booking' } } }], ports: [{ port: 50052 }] },
          { to: [{ ipBlock: { cidr: '192.0.2.12/32' } }], ports: [{ port: 443 }] },
        ],
      },
    },
    {
      kind: 'NetworkPolicy',
      metadata: { name: 'to-postgres', annotations: { 'hospital/max-connections': '100' } },
      spec: {
        podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['svc-booking', 'migrate-booking'] }] },
        egress: [{ to: [{ ipBlock: { cidr: '192.0.2.10/32' } }], ports: [{ port: 5432 }] }],
      },
    },
    {
      kind: 'NetworkPolicy',
      metadata: { name: 'svc-booking' },
      spec: {
        podSelector: { matchLabels: { app: 'svc-booking' } },
        ingress: [{ from: [{ podSelector: { matchLabels: { edge: 'true' } } }], ports: [{ port: 'rpc' }] }],
      },
    },
  ];
}

/** Returns the violations after a change of the objects. */
export function violationsAfter(change) {
  const objects = cluster();
  const find = (kind, name) => objects.find((object) => object.kind === kind && object.metadata.name === name);
  const pod = (name) => find('Deployment', name).spec.template.spec;
  change({ objects, find, pod, one: pod('svc-booking').containers[0] });
  return kubernetes.violations(objects, VARIABLES);
}
