/**
 * A walk through the site in containers: a visitor books, a mail arrives, staff see the booking, a team releases signed
 * pages and takes them back, and containers die. Started by `cargo xtask containers --test`, which sets the variables.
 * Prints a table of what was seen.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { simpleParser } from 'mailparser';

import { REFERENCE, freeSlot, payload, person } from '../../e2e/booking.mjs';
import { until } from '../../e2e/processes.mjs';

const { COMPOSE, COMPOSE_FOLDER, COMPOSE_PROJECT_NAME: PROJECT, SITE_ORIGIN: origin } = process.env;
const RECOVERY_MS_MAX = 60_000;
const OUTPUT_BYTES_MAX = 16 << 20;
const TEAM = 'pages-booking';
/** Ports of calls. */
const PORTS = { 'svc-content': 50051, 'svc-booking': 50052, 'svc-assessment': 50053, 'svc-messaging': 50054 };
/** In milliseconds. Packets to a foreign network are dropped or refused. */
const CONNECT_MS_MAX = 2_000;
/** Attribute of the next release of the team's pages. */
const NEXT = 'data-release="next"';
const CANARY_PERCENT = 50;
/** Enough documents that a canary of half of them is seen: the chance of missing it is 1 in 2^40. */
const DOCUMENTS = 40;

const run = async (program, args, options = {}) =>
  (await promisify(execFile)(program, args, { maxBuffer: OUTPUT_BYTES_MAX, ...options })).stdout;
const podman = (...args) => run('podman', args);
const container = (service) => `${PROJECT}_${service}_1`;
const system = {
  origin,
  api: (path, { headers = {}, ...init } = {}) =>
    fetch(`${origin}/api${path}`, {
      ...init,
      headers: {
        'X-Client-Id': randomUUID(),
        'X-Requested-With': 'XMLHttpRequest',
        'Content-Type': 'application/json',
        ...headers,
      },
    }),
};
const page = async (path) => {
  const answer = await fetch(`${origin}${path}`, { headers: { Connection: 'close' } });
  return { status: answer.status, text: await answer.text() };
};
/** Runs the job that publishes the next release of a team's pages, with options of `compose run` and arguments. */
const publish = (options, ...args) => {
  const [program, ...words] = COMPOSE.split(' ');
  const env = { ...process.env, PAGES_BOOKING_VERSION: 'next' };
  return run(program, [...words, '--profile', 'pages', 'run', '--rm', '--no-deps', ...options, TEAM, ...args], {
    cwd: COMPOSE_FOLDER,
    env,
  });
};
const CANARY = ['--canary', String(CANARY_PERCENT)];
/** Returns a script that prints what a loopback port and path answer. */
const fetched = (path) => `fetch('http://127.0.0.1:${path}').then((answer) => answer.text()).then(console.log)`;
/** Runs a program in the network of a container. */
const inNetworkOf = async (service, ...words) => {
  const process = await podman('inspect', '--format', '{{.State.Pid}}', container(service));
  return run('nsenter', ['--net', '--target', process.trim(), ...words]);
};
const book = async (who, slot) => {
  const answer = await system.api('/appointments', {
    method: 'POST',
    body: JSON.stringify(payload(who, slot)),
    headers: { 'Idempotency-Key': randomUUID() },
  });
  const text = await answer.text();
  assert.equal(answer.status, 201, text);
  return JSON.parse(text);
};
const mailTo = (address) =>
  until(
    `a mail to ${address}`,
    async () => {
      const raw = await podman(
        'exec',
        container('mail'),
        'sh',
        '-c',
        'cd /mail/box/new && for f in *; do cat "$f"; echo "=MAIL="; done',
      );
      const mails = await Promise.all(
        raw
          .split('=MAIL=\n')
          .filter(Boolean)
          .map((mail) => simpleParser(mail)),
      );
      return mails.find(({ to }) => to?.text.includes(address));
    },
    RECOVERY_MS_MAX,
  );

const seen = [];
/** Runs a step and adds what it returns to the table. */
const step = (what, act) =>
  test(what, { timeout: 3 * RECOVERY_MS_MAX }, async () => {
    const started = performance.now();
    const result = await act();
    seen.push({ what, seen: result, seconds: ((performance.now() - started) / 1000).toFixed(1) });
  });
after(() => console.table(seen));

let slot;
let booked;
const who = person();

step('home shows the number to call in an emergency', async () => {
  const emergency = await page('/emergency');
  assert.equal(emergency.status, 200);
  const [number] = /href="tel:[^"]+"/.exec(emergency.text);
  const home = await page('/');
  assert.equal(home.status, 200);
  assert.ok(home.text.includes(number), number);
  return number;
});

step('a visitor books without script', async () => {
  slot = await freeSlot(system);
  const answer = await fetch(`${origin}/appointment`, {
    method: 'POST',
    body: new URLSearchParams({ ...who, doctor: '', ...slot }),
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text.slice(0, 2000));
  [booked] = REFERENCE.exec(text);
  return `${booked}, ${slot.date} ${slot.time}`;
});

step('the mail server receives the confirmation', async () => {
  const mail = await mailTo(who.email);
  assert.ok(mail.text.includes(booked));
  return mail.subject;
});

/** Signs in at the desk and fails unless the booked day lists the visitor. */
const seeAtDesk = async () => {
  const script = fileURLToPath(new URL('sign-in.mjs', import.meta.url));
  const desk = ['node', script, 'http://127.0.0.1:8080', 'frontdesk', `/staff/today/${slot.date}`];
  const text = await inNetworkOf('gateway', ...desk);
  assert.ok(text.includes(who.lastName), text.replace(/<[^>]+>/g, ' ').slice(0, 2000));
  return `${who.lastName} on ${slot.date}`;
};

step('staff sign in and see the booking at the desk', seeAtDesk);

const shares = async () => {
  const documents = await Promise.all(Array.from({ length: DOCUMENTS }, () => page('/appointment')));
  return documents.filter(({ text }) => text.includes(NEXT)).length;
};

step('pages without the signature of their team are not served', async () => {
  await publish(['--env', 'SIGNING_KEY_FILE='], ...CANARY);
  const refusal = await until('the gateway refuses them', async () => {
    const metrics = await inNetworkOf('gateway', 'node', '--eval', fetched('9090/metrics'));
    return /^remote_refusals_total\{(?=.*team="booking").*reason="signature".* [1-9]\d*$/m.exec(metrics)?.[0];
  });
  assert.equal(await shares(), 0);
  return refusal;
});

step('a canary of one team is served beside the stable version', async () => {
  const said = await publish([], ...CANARY);
  const count = await until('the canary is served', async () => {
    const found = await shares();
    return found > 0 && found < DOCUMENTS && found;
  });
  return `${said.trim().split('\n').at(-1)}; ${count} of ${DOCUMENTS} documents`;
});

step('the rollback ends the canary', async () => {
  const said = await publish([], '--back');
  await until('no document is of the canary', async () => (await shares()) === 0);
  return said.trim().split('\n').at(-1);
});

step('every container has a user without rights and a root that is read-only', async () => {
  const ids = (await podman('ps', '--quiet', '--filter', `label=io.podman.compose.project=${PROJECT}`))
    .trim()
    .split('\n');
  const found = JSON.parse(await podman('inspect', ...ids));
  for (const { Name: name, Config: config, HostConfig: host, EffectiveCaps: capabilities } of found) {
    assert.match(config.User, /^[1-9]\d*:[1-9]\d*$/, name);
    assert.equal(host.ReadonlyRootfs, true, name);
    assert.deepEqual(capabilities ?? [], [], name);
  }
  await assert.rejects(podman('exec', container('gateway'), 'sh', '-c', 'true'), /not found/, 'no shell');
  const users = [...new Set(found.map(({ Config: { User } }) => User))];
  return `${found.length} containers, users ${users.sort().join(' ')}`;
});

/** Connects to each service from the network of a container. Returns the services that accept. */
const connects = async (from) => {
  const script = `
    const { connect } = require('node:net');
    const [timeout, ...targets] = process.argv.slice(1);
    Promise.all(targets.map((target) => new Promise((resolve) => {
      const [host, port] = target.split(':');
      const socket = connect({ host, port, timeout: Number(timeout) });
      for (const event of ['connect', 'timeout', 'error'])
        socket.once(event, () => { socket.destroy(); resolve([target, event]); });
    }))).then((found) => console.log(JSON.stringify(Object.fromEntries(found))));`;
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
  const targets = await Promise.all(
    Object.entries(PORTS).map(async ([service, port]) => {
      const addresses = (await podman('inspect', '--format', format, container(service))).trim().split(' ');
      return addresses.map((address) => [`${address}:${port}`, service]);
    }),
  );
  const names = new Map(targets.flat());
  const found = JSON.parse(
    await inNetworkOf(from, 'node', '--eval', script, '--', String(CONNECT_MS_MAX), ...names.keys()),
  );
  return new Set([...names].filter(([target]) => found[target] === 'connect').map(([, service]) => service));
};

step('a service reaches the service that it calls, and no other', async () => {
  const services = Object.keys(PORTS);
  assert.deepEqual(await connects('gateway'), new Set(services));
  const reached = await Promise.all(
    services.map(async (from) => [from, [...(await connects(from))].filter((to) => to !== from)]),
  );
  assert.deepEqual(Object.fromEntries(reached), {
    'svc-content': ['svc-messaging'],
    'svc-booking': ['svc-messaging'],
    'svc-assessment': [],
    'svc-messaging': ['svc-content', 'svc-booking'],
  });
  return 'svc-booking and svc-content reach svc-messaging, svc-messaging reaches them';
});

step('health checks of the programs pass', async () => {
  const programs = ['gateway', 'svc-content', 'svc-booking', 'svc-assessment', 'svc-messaging', 'postgres', 'redis'];
  for (const name of programs) await podman('healthcheck', 'run', container(name));
  return programs.length;
});

for (const [service, works] of [
  ['svc-content', async () => (await page('/doctors')).status === 200],
  ['svc-booking', async () => Boolean(await freeSlot(system, { index: 1 }))],
  ['redis', async () => (await page('/')).status === 200],
  ['postgres', async () => Boolean((await book(person(), await freeSlot(system, { index: 2 }))).reference)],
]) {
  step(`without ${service} the site shows /emergency, and recovers`, async () => {
    await podman('stop', '--time', '0', container(service));
    assert.equal((await page('/emergency')).status, 200);
    const started = performance.now();
    await podman('start', container(service));
    await until(`${service} works again`, works, RECOVERY_MS_MAX);
    return `works ${((performance.now() - started) / 1000).toFixed(1)} s after its start`;
  });
}

/** Asks an API on the loopback address of a container. */
const ask = async (service, path) =>
  JSON.parse(await podman('exec', container(service), 'node', '--eval', fetched(path)));
const alerts = () => ask('alertmanager', '9093/api/v2/alerts');

step('Prometheus reads every program and sends its alerts to Alertmanager', async () => {
  const programs = await until(
    'every program is read',
    async () => {
      const { data } = await ask('prometheus', '9090/api/v1/targets?state=active');
      const site = data.activeTargets.filter(({ labels }) => labels.job === 'site');
      return site.length === 5 && site.every(({ health }) => health === 'up') && site.length;
    },
    RECOVERY_MS_MAX,
  );
  const names = await until(
    'the heartbeat is at Alertmanager',
    async () => {
      const found = (await alerts()).map(({ labels: { alertname: name } }) => name);
      return found.includes('Watchdog') && found;
    },
    RECOVERY_MS_MAX,
  );
  return `${programs} programs; ${[...new Set(names)].sort().join(' ')}`;
});

/** Returns the time of the last commit that is archived for certain, in seconds. */
const archived = async () => Number(await podman('exec', container('archive'), 'cat', '/archive/postgres/in-step'));

step('the archive is in step again after the restarts of PostgreSQL', async () => {
  const now = Math.floor(Date.now() / 1000);
  await until('a commit of now is archived', async () => (await archived()) >= now, 2 * RECOVERY_MS_MAX);
  await podman('healthcheck', 'run', container('archive'));
  return `after ${Math.ceil(Date.now() / 1000 - now)} s`;
});

step('a team gets a mail when its service is down', async () => {
  await podman('stop', '--time', '0', container('svc-assessment'));
  const mail = await mailTo('assessment@example.org').catch(async (cause) => {
    throw new Error(`no mail for ${JSON.stringify(await alerts())}`, { cause });
  });
  assert.match(mail.subject, /FIRING.*ServiceDown/);
  assert.match(`${mail.text}${mail.html}`, /runbooks\.example\.org\/ServiceDown/);
  await podman('start', container('svc-assessment'));
  await until('calls are served', async () => (await system.api('/assessments/none')).status < 500, RECOVERY_MS_MAX);
  return mail.subject;
});

step('a killed gateway serves again after its start', async () => {
  await podman('kill', container('gateway'));
  const started = performance.now();
  await podman('start', container('gateway'));
  await until('home is served', async () => (await page('/')).status === 200, RECOVERY_MS_MAX);
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
});

step('staff still see the booking', async () => {
  // The issuer shared the network of the killed gateway.
  await podman('restart', '--time', '0', container('issuer'));
  return until('the desk shows the booking', seeAtDesk, RECOVERY_MS_MAX);
});
