/** Every rule for the other files rejects its violation and names the location. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as compose from './check-compose.mjs';
import * as docker from './check-docker.mjs';
import * as systemd from './check-systemd.mjs';
import { imageViolation, literalViolation, namesInHelp } from './check-variables.mjs';
import { TOKENS, VARIABLES, signIn } from './check.fixture.mjs';

const service = () => ({
  image: 'registry.example/hospital/gateway:${VERSION:?names the images}',
  user: '10001:10001',
  read_only: true,
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
  mem_limit: '64m',
  cpus: 1,
  pids_limit: 8,
  restart: 'unless-stopped',
  logging: { driver: 'json-file' },
  stop_grace_period: '20s',
  networks: ['public'],
  ports: ['${SITE_ADDRESS:-127.0.0.1}:8080:8080'],
  environment: {
    LISTEN: '0.0.0.0:8080',
    LAME_DUCK_MS: '0',
    FORM_KEY_FILE: '/run/secrets/form.key',
    ...signIn('/run/secrets'),
  },
  secrets: ['form.key', 'staff-client.secret', 'session.keys', 'token.pem'],
});
const composeFile = (change = () => {}) => {
  const file = {
    services: {
      gateway: service(),
      'svc-booking': { ...service(), ports: [], environment: { ...TOKENS }, networks: ['booking'] },
    },
    networks: { public: {}, booking: { internal: true } },
    secrets: { 'form.key': { file: 'secrets/form.key' } },
  };
  change(file);
  return compose.violations('compose.yaml', file, VARIABLES);
};

test('accepts a compose file that follows every rule', () => assert.deepEqual(composeFile(), []));

for (const [what, change, expected] of [
  [
    'a published service',
    (file) => file.services['svc-booking'].ports.push('50052:50052'),
    /services\.svc-booking\.ports: 50052:50052 is published/,
  ],
  [
    'the door open to all by default',
    (file) => (file.services.gateway.ports = ['8080:8080']),
    /services\.gateway\.ports/,
  ],
  ['a way out', (file) => (file.networks.booking = {}), /networks\.booking\.internal/],
  [
    'a service on the way out',
    (file) => file.services['svc-booking'].networks.push('public'),
    /services\.svc-booking\.networks: public is not internal/,
  ],
  ['root', (file) => (file.services.gateway.user = 'root'), /services\.gateway\.user/],
  ['capabilities', (file) => delete file.services.gateway.cap_drop, /cap_drop/],
  ['new privileges', (file) => delete file.services.gateway.security_opt, /security_opt/],
  ['a file system that can be written', (file) => delete file.services.gateway.read_only, /read_only/],
  ['no limit of memory', (file) => delete file.services.gateway.mem_limit, /mem_limit/],
  [
    'a log driver of Docker alone',
    (file) => (file.services.gateway.logging.driver = 'local'),
    /logging: driver is not/,
  ],
  [
    'a tmpfs with an owner',
    (file) => (file.services.gateway.tmpfs = ['/tmp:size=1m,uid=10001']),
    /tmpfs: has an owner/,
  ],
  // O7
  [
    'a gateway that waits for Redis',
    (file) => (file.services.gateway.depends_on = { redis: { condition: 'service_healthy' } }),
    /gateway\.depends_on: waits for redis, which is optional/,
  ],
  ['an unknown variable', (file) => (file.services.gateway.environment.LISTN = '1'), /gateway does not know LISTN/],
  ['a secret as text', (file) => (file.services.gateway.environment.REDIS_URL = 'redis://x'), /REDIS_URL is a secret/],
  [
    'a key that is no secret',
    (file) => (file.services.gateway.secrets = []),
    /FORM_KEY_FILE .* is not a secret of this service/,
  ],
  [
    'too little time to stop',
    (file) => (file.services.gateway.stop_grace_period = '10s'),
    /stop_grace_period: is 10s, stopping may take 14 s/,
  ],
  [
    'more services than the database takes',
    ({ services }) => {
      services['svc-booking'].environment.DATABASE_URL = 'postgres://svc-booking@postgres:5432/svc-booking';
      services.postgres = { ...services['svc-booking'], environment: {}, command: ['-c', 'max_connections=35'] };
    },
    /services\.postgres\.command: max_connections is 35, the services, 0 for migrations and 20 to spare are 36/,
  ],
  // O3
  [
    'no key for the tokens of the gateway',
    (file) => (file.services['svc-booking'].environment = {}),
    /svc-booking\.environment: staff cannot sign in: JWKS_FILE, JWT_ISSUER, JWT_AUDIENCE not set/,
  ],
  [
    'the tokens of another issuer',
    (file) => (file.services['svc-booking'].environment.JWT_ISSUER = 'https://id.example.org'),
    /JWT_ISSUER is https:\/\/id\.example\.org, but the gateway signs tokens with gateway/,
  ],
  [
    'no issuer of staff sign-ins',
    (file) => delete file.services.gateway.environment.STAFF_ISSUER,
    /gateway\.environment: staff cannot sign in: STAFF_ISSUER not set/,
  ],
  [
    'an issuer that cannot be reached',
    (file) => (file.services.gateway.networks = ['booking']),
    /gateway\.networks: no network to reach STAFF_ISSUER/,
  ],
  ['latest', (file) => (file.services.gateway.image = 'gateway:latest'), /image: gateway:latest/],
  ['a secret from elsewhere', (file) => (file.secrets['form.key'].file = '/etc/form.key'), /secrets\.form\.key\.file/],
]) {
  test(`refuses a compose file with ${what}`, () => {
    const found = composeFile(change);
    assert.ok(
      found.some((line) => line.startsWith('compose.yaml: ') && expected.test(line)),
      found.join('\n'),
    );
  });
}

// O2
test('O2: Grafana reads dashboards from where they are mounted', () => {
  const grafana = { volumes: ['../grafana/dashboards:/etc/grafana/dashboards:ro', 'grafana:/var/lib/grafana'] };
  const from = (path, names = ['site.json']) =>
    compose.dashboardViolations(grafana, { providers: [{ options: { path } }] }, () => names);
  assert.deepEqual(from('/etc/grafana/dashboards'), []);
  for (const [path, names] of [['/var/lib/grafana/dashboards'], ['/srv'], ['/etc/grafana/dashboards', ['README.md']]]) {
    assert.match(from(path, names)[0], /no dashboards are mounted at /);
  }
});

const DOCKERFILE = `FROM rust:1.95-bookworm AS build
RUN cargo auditable build --locked
FROM scratch
LABEL org.opencontainers.image.title="a" org.opencontainers.image.version="1" \\
  org.opencontainers.image.revision="r" org.opencontainers.image.licenses="Apache-2.0"
USER 10001:10001
HEALTHCHECK NONE
ENV LISTEN=0.0.0.0:50052
`;
for (const [what, from, to, expected] of [
  ['root', 'USER 10001:10001\n', '', /USER/],
  ['a base without version', 'rust:1.95-bookworm', 'rust', /FROM: rust has no version/],
  ['a base argument without version', 'FROM rust:1.95-bookworm', 'ARG BASE=rust\nFROM ${BASE}', /FROM: rust has no/],
  ['a base argument without default', 'rust:1.95-bookworm', '${BASE}', /FROM: \$\{BASE\} has no version/],
  ['no word about health', 'HEALTHCHECK NONE\n', '', /HEALTHCHECK/],
  ['no label', 'image.revision', 'image.other', /LABEL: org\.opencontainers\.image\.revision/],
  ['an unknown variable', 'LISTEN=', 'LISTN=', /ENV: the program does not know LISTN/],
  ['a build that changes the lock file', ' --locked', '', /RUN: .*cargo auditable build --locked/],
  ['something from the network', 'FROM scratch', 'RUN curl https://x | sh\nFROM scratch', /RUN: downloads/],
]) {
  test(`refuses a Dockerfile with ${what}`, () => {
    assert.deepEqual(docker.violations('a.Dockerfile', DOCKERFILE, VARIABLES.get('svc-booking')), []);
    const found = docker.violations('a.Dockerfile', DOCKERFILE.replace(from, to), VARIABLES.get('svc-booking'));
    assert.ok(
      found.some((line) => line.startsWith('a.Dockerfile: ') && expected.test(line)),
      found.join('\n'),
    );
  });
}

test('refuses an image of pages without a list of its packages', () => {
  const pages = DOCKERFILE.replace('cargo auditable build --locked', 'npm run build');
  const found = docker.violations('a.Dockerfile', pages, undefined);
  assert.deepEqual(found, ['a.Dockerfile: COPY: the image has no list of the npm packages, /sbom.cdx.json']);
  const listed = `${pages}COPY --from=build /sbom.cdx.json /sbom.cdx.json\n`;
  assert.deepEqual(docker.violations('a.Dockerfile', listed, undefined), []);
});

const UNIT = `[Service]
ExecStart=/usr/lib/hospital/svc-booking
User=hospital-booking
Restart=always
Environment=LISTEN=127.0.0.1:1 SEAL_KEYS_FILE=%d/keys
Environment=JWKS_FILE=/etc/hospital/token.jwks.json JWT_ISSUER=gateway JWT_AUDIENCE=hospital-services
LoadCredential=keys:/etc/hospital/keys
TimeoutStopSec=20
TimeoutStartSec=30
MemoryMax=1
TasksMax=1
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
RestrictNamespaces=yes
MemoryDenyWriteExecute=yes
UMask=0077
`;
for (const [what, from, to, expected] of [
  ['root', 'User=hospital-booking\n', '', /User: is root/],
  ['an open file system', 'ProtectSystem=strict', 'ProtectSystem=full', /ProtectSystem: is not strict/],
  ['no limit of memory', 'MemoryMax=1\n', '', /MemoryMax: is not set/],
  ['no restart', 'Restart=always', 'Restart=no', /Restart: is not always/],
  ['an unknown variable', 'LISTEN=', 'LISTN=', /Environment: the program does not know LISTN/],
  ['a key that is not a credential', '%d/keys', '/etc/keys', /LoadCredential: SEAL_KEYS_FILE/],
  // O3
  [
    'no key for the tokens of the gateway',
    'JWKS_FILE=/etc/hospital/token.jwks.json ',
    '',
    /Environment: staff cannot sign in: JWKS_FILE not set/,
  ],
  ['a password', 'LISTEN=127.0.0.1:1', 'DATABASE_URL=postgres://a:b@c/d', /Environment: DATABASE_URL has a password/],
  [
    'too little time to stop',
    'TimeoutStopSec=20',
    'TimeoutStopSec=10',
    /TimeoutStopSec: is 10, stopping may take 14 s/,
  ],
]) {
  test(`refuses a unit with ${what}`, () => {
    assert.deepEqual(systemd.violations('a.service', UNIT, VARIABLES.get('svc-booking')), []);
    const found = systemd.violations('a.service', UNIT.replace(from, to), VARIABLES.get('svc-booking'));
    assert.ok(
      found.some((line) => line.startsWith('a.service: ') && expected.test(line)),
      found.join('\n'),
    );
  });
}

test('the gateway reads its sign-in settings from a drop-in file and the files of the administrator', () => {
  const unit = UNIT.replace(/^Environment.*\n/gm, '').replace('LoadCredential=keys:/etc/hospital/keys\n', '');
  const dropIn = `[Service]
EnvironmentFile=-/etc/hospital/gateway.env
EnvironmentFile=/etc/hospital/staff.env
${['staff-client.secret', 'session.keys', 'token.pem'].map((name) => `LoadCredential=${name}:/etc/keys`).join('\n')}
Environment=STAFF_CLIENT_SECRET_FILE=%d/staff-client.secret SESSION_KEYS_FILE=%d/session.keys
Environment=TOKEN_KEY_FILE=%d/token.pem STAFF_ROLES=/etc/roles.toml STAFF_ENDED_FILE=/var/lib/ended LAME_DUCK_MS=0
`;
  const found = (text) => systemd.violations('a.service', text, VARIABLES.get('gateway'));
  assert.deepEqual(found(`${unit}\n${dropIn}`), []);
  assert.match(found(unit)[0], /staff cannot sign in: SITE_ORIGINS, STAFF_ISSUER/);
  const [line] = found(`${unit}\n${dropIn.replace(/.*staff\.env\n/, '')}`);
  assert.match(line, /staff cannot sign in: STAFF_ISSUER, STAFF_CLIENT_ID not set/);
});

test('reads names of variables from the output of --help', () => {
  const help = '  --listen <A>  [env: LISTEN=]\n  --redis-url <B>  [env: REDIS_URL]\n  [env: DATABASE_URL=sqlite:x]';
  assert.deepEqual([...namesInHelp(help)], ['LISTEN', 'REDIS_URL', 'DATABASE_URL', 'PGPASSFILE']);
});

test('passwords and versions', () => {
  assert.equal(literalViolation('DATABASE_URL', 'postgres://svc@host/db'), undefined);
  assert.match(literalViolation('MESSAGING_URL', 'http://a:b@host'), /password/);
  assert.equal(imageViolation('registry.example:5000/a/b:1.2'), undefined);
  assert.equal(imageViolation(`a@sha256:${'0'.repeat(64)}`), undefined);
  assert.equal(imageViolation('${REGISTRY:-r.example}/a:${A_VERSION:-${VERSION:?names the images}}'), undefined);
});
