/**
 * Replaces the last release by this tree and back, container by container, while visitors browse and book. Then breaks
 * one part after the other. Started by `cargo xtask containers --upgrade`, which sets the variables. Prints what
 * visitors saw and which alerts rang.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

import { until } from '../../e2e/processes.mjs';
import { Load } from './upgrade.load.mjs';

const { COMPOSE, COMPOSE_FOLDER, COMPOSE_PROJECT_NAME: PROJECT, SITE_ORIGIN: origin } = process.env;
const { VERSION: OLD_VERSION, NEW_VERSION, ALERT_FACTOR } = process.env;
const VISITORS = 100;
const SERVICES = ['svc-messaging', 'svc-content', 'svc-booking', 'svc-assessment'];
/** The shell first: the pages of teams need its runtime. */
const PAGES = ['shell', 'content', 'booking', 'assessment', 'messaging'];
const REPLICAS = [1, 2];
/** Maximum time until a replaced container serves, and of one command of the engine. */
const SERVES_MS_MAX = 60_000;
const COMMAND_MS_MAX = 90_000;
const ROLL_MS_MAX = 900_000;
/** Time in which only the visitors act. */
const CALM_MS = 30_000;
/** How long a part is broken. */
const BROKEN_MS = 60_000;
const RECOVERY_MS_MAX = 60_000;
const OUTPUT_BYTES_MAX = 16 << 20;
const ADDRESSES = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
/** State of a connection in the kernel's table. */
const ESTABLISHED = '01';
/** Ports of calls as the table shows them. */
const RPC_PORTS = {
  'svc-content': ':C383',
  'svc-booking': ':C384',
  'svc-assessment': ':C385',
  'svc-messaging': ':C386',
};

const run = async (program, args, options = {}) =>
  (
    await promisify(execFile)(program, args, {
      maxBuffer: OUTPUT_BYTES_MAX,
      timeout: COMMAND_MS_MAX,
      ...options,
    })
  ).stdout;
const podman = (...args) => run('podman', args);
const container = (service, replica = 1) => `${PROJECT}_${service}_${replica}`;
const compose = (version, ...args) => {
  const [program, ...words] = COMPOSE.split(' ');
  return run(program, [...words, ...args], { cwd: COMPOSE_FOLDER, env: { ...process.env, VERSION: version } });
};
const address = async (name, network) => {
  const format = `{{(index .NetworkSettings.Networks "${PROJECT}_${network}").IPAddress}}`;
  return (await podman('inspect', '--format', format, name)).trim();
};
const get = async (url) => {
  const answer = await fetch(url, { headers: { Connection: 'close' }, signal: AbortSignal.timeout(5_000) });
  assert.equal(answer.status, 200, url);
  return answer.text();
};

let load;
const alarms = [];
const version = Object.fromEntries([...SERVICES, 'gateway'].map((name) => [name, OLD_VERSION]));

/** Returns how many gateways the balancer uses. */
const gatewaysUp = async () => {
  const state = await get(`http://${await address(container('balancer'), 'public')}:8404/stats;csv`);
  const rows = state.split('\n').map((line) => line.split(','));
  const status = rows[0].indexOf('status');
  return rows.filter(([proxy, name, ...rest]) => {
    return proxy === 'gateways' && name !== 'BACKEND' && rest[status - 2]?.startsWith('UP');
  }).length;
};

/** Returns how many gateways have a connection to a container of a service, from the kernel's table. */
const callers = async (service, replica) => {
  const [pid, ...gateways] = await Promise.all([
    podman('inspect', '--format', '{{.State.Pid}}', container(service, replica)),
    ...REPLICAS.map((one) => podman('inspect', '--format', ADDRESSES, container('gateway', one))),
  ]);
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid.trim()}/net/${name}`, 'utf8')));
  const remotes = tables
    .flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)))
    .filter(([, local, , state]) => state === ESTABLISHED && local.endsWith(RPC_PORTS[service]))
    .map(([, , remote]) => ipv4(remote));
  return gateways.filter((own) => remotes.some((remote) => own.trim().split(' ').includes(remote))).length;
};

/** Returns the IPv4 address of the kernel's notation, also of one mapped to IPv6: four bytes, the last one first. */
const ipv4 = (remote) =>
  Array.from(Buffer.from(remote.split(':')[0].slice(-8), 'hex'))
    .reverse()
    .join('.');

const isServed = (service, replica) =>
  service === 'gateway'
    ? async () => (await gatewaysUp()) === REPLICAS.length
    : async () => (await callers(service, replica)) === REPLICAS.length;

/** Replaces one container, and waits until it serves. */
async function replace(service, replica, to) {
  const name = container(service, replica);
  await podman('stop', '--time', '20', name);
  await podman('rm', name);
  await compose(to, 'up', '--detach', '--no-deps', '--no-recreate', service);
  const image = await podman('inspect', '--format', '{{.ImageName}}', name);
  assert.ok(image.trim().endsWith(`/${service}:${to}`), image);
  const healthy = () => podman('healthcheck', 'run', name).then(() => true);
  await until(`${name} is healthy`, tried(healthy), SERVES_MS_MAX);
  await until(`${name} is used`, tried(isServed(service, replica)), SERVES_MS_MAX);
}

/** Replaces both containers of each of these programs. */
async function roll(services, to) {
  for (const service of services) {
    for (const replica of REPLICAS) await replace(service, replica, to);
    version[service] = to;
  }
}

/** Publishes the pages of a version. */
async function publish(version) {
  const pages = version === NEW_VERSION ? PAGES : PAGES.toReversed();
  for (const name of pages) await compose(version, '--profile', 'pages', 'run', '--rm', '--no-deps', `pages-${name}`);
}

/** Returns the act with failures as `false`, for polling. */
const tried = (act) => () => act().catch(() => false);

const phase = (name, options, act) =>
  test(name, options, async () => {
    load.phase = name;
    await act();
    await pause(CALM_MS / 3);
  });

before(async () => {
  for (const service of [...SERVICES, 'gateway'])
    for (const replica of REPLICAS)
      await until(`${container(service, replica)} is used`, tried(isServed(service, replica)), SERVES_MS_MAX);
  load = new Load(origin, VISITORS);
});
after(async () => {
  await load?.end();
  console.table(load?.table());
  console.table(alarms);
});

phase('last release', { timeout: ROLL_MS_MAX }, () => pause(CALM_MS));

phase('services to this tree', { timeout: ROLL_MS_MAX }, async () => {
  for (const service of SERVICES) {
    await compose(NEW_VERSION, 'run', '--rm', '--no-deps', service.replace('svc-', 'migrate-'));
  }
  await roll(SERVICES, NEW_VERSION);
});
phase('gateways to this tree', { timeout: ROLL_MS_MAX }, () => roll(['gateway'], NEW_VERSION));
// Older gateways refuse pages with a newer contract: those come last, and go first.
phase('pages to this tree', { timeout: ROLL_MS_MAX }, () => publish(NEW_VERSION));
phase('pages back', { timeout: ROLL_MS_MAX }, () => publish(OLD_VERSION));
phase('gateways back', { timeout: ROLL_MS_MAX }, () => roll(['gateway'], OLD_VERSION));
phase('services back', { timeout: ROLL_MS_MAX }, () => roll(SERVICES, OLD_VERSION));
phase('all to this tree', { timeout: ROLL_MS_MAX }, async () => {
  await roll([...SERVICES, 'gateway'], NEW_VERSION);
  await publish(NEW_VERSION);
});

test('no request failed during the upgrades', () => {
  const failed = load.failures();
  assert.deepEqual(failed.slice(0, 10), [], `${failed.length} requests failed`);
});

/** Returns the pending and firing alerts: name, severity, service and state. */
async function ringing() {
  const url = `http://${await address(container('prometheus'), 'watching')}:9090/api/v1/alerts`;
  const { data } = JSON.parse(await get(url));
  return new Set(
    data.alerts.map(
      ({ state, labels }) =>
        `${labels.alertname} (${[labels.severity, labels.service, state].filter(Boolean).join(', ')})`,
    ),
  );
}

/** Changes the network that svc-booking shares with the gateways and with Prometheus. */
const eachCut = async (change) => {
  for (const replica of REPLICAS) await change(`${PROJECT}_booking`, container('svc-booking', replica));
};

/** Faults: what breaks, what mends it, and an alert that must fire. */
const FAULTS = {
  'PostgreSQL restarted': [() => podman('restart', '--time', '30', container('postgres')), () => {}],
  'PostgreSQL stopped': [
    () => podman('stop', '--time', '30', container('postgres')),
    () => podman('start', container('postgres')),
    'NotReady',
  ],
  'Redis stopped': [
    () => podman('stop', '--time', '0', container('redis')),
    () => podman('start', container('redis')),
    'RedisAway',
  ],
  'one gateway killed': [
    () => podman('kill', container('gateway', 2)),
    () => podman('start', container('gateway', 2)),
    'ReplicaDown',
  ],
  'one svc-booking killed': [
    () => podman('kill', container('svc-booking', 2)),
    () => podman('start', container('svc-booking', 2)),
    'ReplicaDown',
  ],
  'svc-booking 2 cut from its database': [
    () => podman('network', 'disconnect', `${PROJECT}_booking-database`, container('svc-booking', 2)),
    () => podman('network', 'connect', `${PROJECT}_booking-database`, container('svc-booking', 2)),
    'NotReady',
  ],
  'both svc-booking cut from the gateways': [
    () => eachCut((network, name) => podman('network', 'disconnect', network, name)),
    () => eachCut((network, name) => podman('network', 'connect', '--alias', 'svc-booking', network, name)),
    'ServiceDown',
  ],
  'disk of PostgreSQL full': [
    () =>
      podman(
        'exec',
        container('disk'),
        'sh',
        '-c',
        'dd if=/dev/zero of=/disk/filler bs=1M 2>/dev/null; test -s /disk/filler',
      ),
    () => podman('exec', container('disk'), 'rm', '/disk/filler'),
    'DatabaseFull',
  ],
};

for (const [fault, [breaks, mends, expected]] of Object.entries(FAULTS)) {
  test(fault, { timeout: BROKEN_MS + 4 * RECOVERY_MS_MAX }, async () => {
    const rang = new Set();
    const known = await ringing();
    load.phase = fault;
    await breaks();
    const end = performance.now() + BROKEN_MS;
    while (performance.now() < end) {
      for (const alert of await ringing()) if (!known.has(alert)) rang.add(alert);
      await pause(2_000);
    }
    await mends();
    const mended = performance.now();
    const works = async () => {
      // A visitor for each poll: ten calls of one in a minute are the limit.
      const answer = await fetch(`${origin}/api/availability?department=ENT`, {
        headers: { 'X-Client-Id': randomUUID(), 'X-Requested-With': 'XMLHttpRequest' },
      });
      if (!answer.ok) return false;
      const parts = REPLICAS.flatMap((one) => [isServed('gateway', one), isServed('svc-booking', one)]);
      return (await Promise.all(parts.map((isUsed) => isUsed()))).every(Boolean);
    };
    await until(`the site recovers from ${fault}`, tried(works), RECOVERY_MS_MAX);
    const recovered = ((performance.now() - mended) / 1000).toFixed(1);
    load.phase = `after: ${fault}`;
    await pause(CALM_MS / 2);
    alarms.push({ fault, 'recovered s': recovered, [`alerts (for: ÷ ${ALERT_FACTOR})`]: [...rang].sort().join('; ') });
    const firing = (alert) => [...rang].some((one) => one.startsWith(`${alert} (`) && one.endsWith('firing)'));
    if (expected) assert.ok(firing(expected), `${fault}: ${expected} did not fire`);
  });
}

test('every acknowledged booking is stored once, and no other', async () => {
  await load.end();
  const query = 'SELECT reference FROM appointments';
  const psql = [
    'psql',
    '--host=/var/run/postgresql',
    '--username=postgres',
    '--dbname=svc-booking',
    '-qXtA',
    '-c',
    query,
  ];
  const stored = (await podman('exec', container('postgres'), ...psql)).trim().split('\n').filter(Boolean);
  const acknowledged = [...load.booked.values()];
  const set = new Set(stored);
  assert.deepEqual(
    acknowledged.filter((reference) => !set.has(reference)),
    [],
    'lost',
  );
  assert.equal(new Set(acknowledged).size, acknowledged.length, 'two keys have one booking');
  assert.ok(acknowledged.length >= VISITORS, `only ${acknowledged.length} bookings`);
  const more = stored.length - acknowledged.length;
  assert.ok(more >= 0 && more <= load.unknown.size, `${more} stored bookings were never asked for`);
  console.log(
    `${acknowledged.length} bookings acknowledged, ${stored.length} stored, ${load.unknown.size} without an answer`,
  );
});
