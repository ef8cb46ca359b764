/**
 * Hostile clients: slow, silent, oversized or numerous ones take nothing from others and are disconnected in bounded
 * time.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { freeSlot, person } from '../booking.mjs';
import { book, bookingsOf, roomy } from '../faults.mjs';
import { until, within } from '../processes.mjs';
import { ONCE, System } from '../system.mjs';

const ATTACKER = '127.0.0.66';
const CONNECTIONS = 250;
/** Each stage of a connection times out after one or two seconds here, well before this limit on any machine. */
const GONE_MS_MAX = 20_000;
const TIMES = ['first-byte', 'header-read', 'body-idle', 'keep-alive', 'write'].flatMap((stage) => [
  `--${stage}-timeout-ms-max`,
  '1500',
]);

/** Opens the attacker's connection, which writes `bytes` and reads only if `isReading`. */
function attack(system, bytes, isReading = true) {
  const socket = connect({ port: system.programs.gateway.port, host: '127.0.0.1', localAddress: ATTACKER });
  // The gateway is expected to cut the connection.
  socket.on('error', () => {});
  if (isReading) socket.resume();
  else socket.pause();
  if (bytes) socket.write(bytes);
  return socket;
}

/** Sends a raw request. Resolves with everything received once the connection has ended. */
async function raw(system, head, chunks = []) {
  const socket = connect({ port: system.programs.gateway.port, host: '127.0.0.1' });
  let answer = '';
  socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
  const ended = new Promise((resolve) => socket.on('close', resolve));
  // A sender that is cut off sees a reset after the response.
  socket.on('error', () => {});
  socket.write(head);
  for (const chunk of chunks) {
    if (socket.destroyed || answer) break;
    if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), ended]);
  }
  await within(GONE_MS_MAX, 'the gateway ends the connection', ended);
  return answer;
}

async function assertServes(system, slot) {
  const who = person();
  for (const path of ['/emergency', '/contact', '/appointment']) {
    const answer = await within(15_000, path, fetch(`${system.origin}${path}`, { headers: ONCE }));
    assert.equal(answer.status, 200, path);
    await answer.text();
  }
  const { status, body } = await book(system, who, slot);
  assert.equal(status, 201, JSON.stringify(body));
  return who;
}

describe('attacks on the gateway', () => {
  let system;
  before(async () => {
    system = await System.start({ gateway: TIMES, special: { gateway: roomy() } });
    for (const path of ['/contact', '/appointment']) await (await fetch(`${system.origin}${path}`)).text();
  });
  after(() => system?.stop());

  const page = 'GET /appointment HTTP/1.1\r\nHost: hospital.example\r\n\r\n';
  const form =
    'POST /appointment HTTP/1.1\r\nHost: hospital.example\r\nSec-Fetch-Site: same-origin\r\n' +
    'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nf';
  const closed = (reason) => ['http_server_connections_closed_total', { reason }];
  const STAGES = [
    { name: 'before the first byte', bytes: '', metric: closed('first_byte_timeout') },
    { name: 'in the head', bytes: 'GET / HTTP/1.1\r\nHost: hosp', metric: closed('head_timeout') },
    { name: 'in the body', bytes: form, metric: ['http_server_slow_bodies_total', {}] },
    { name: 'between two requests', bytes: page, metric: closed('idle_timeout') },
    {
      name: 'not reading the answer',
      bytes: page.repeat(800),
      isReading: false,
      connections: 20,
      metric: closed('write_timeout'),
    },
  ];

  for (const [index, stage] of STAGES.entries()) {
    test(`slow ${stage.name}`, async () => {
      const { bytes, isReading = true, connections = CONNECTIONS, metric } = stage;
      const slot = await freeSlot(system, { index });
      const before = await system.metric(...metric);
      const sockets = Array.from({ length: connections }, () => attack(system, bytes, isReading));
      const gone = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
      try {
        await assertServes(system, slot);
        // A client that does not read does not see the close either, so the gateway's metrics have to show it.
        const counted = until('the metrics tell', async () => (await system.metric(...metric)) > before, GONE_MS_MAX);
        await (isReading ? within(GONE_MS_MAX, 'all of them are gone', gone) : counted);
        await counted;
        await until(
          'no connection is left open',
          async () => (await system.metric('http_server_connections_open')) < 20,
          GONE_MS_MAX,
        );
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    });
  }

  const BODY = Buffer.alloc(64 * 1024, 'x');
  const head = (path, type) =>
    `POST ${path} HTTP/1.1\r\nHost: hospital.example\r\nContent-Type: ${type}\r\nX-Requested-With: fetch\r\n` +
    'Sec-Fetch-Site: same-origin\r\n';
  const json = head('/api/appointments', 'application/json');
  const native = head('/appointment', 'application/x-www-form-urlencoded');
  const LARGE = [
    { name: 'a program, length said', request: `${json}Content-Length: 10485760\r\n\r\n`, chunk: BODY, page: false },
    { name: 'a form, length said', request: `${native}Content-Length: 10485760\r\n\r\n`, chunk: BODY, page: true },
    {
      name: 'a program, in chunks',
      request: `${json}Transfer-Encoding: chunked\r\n\r\n`,
      chunk: Buffer.concat([Buffer.from('10000\r\n'), BODY, Buffer.from('\r\n')]),
      page: false,
    },
  ];
  for (const [index, { name, request, chunk, page: isPage }] of LARGE.entries()) {
    test(`a body of 10 MB: ${name}`, async () => {
      const slot = await freeSlot(system, { department: 'Cardiology', index });
      const before = await system.metric('http_server_requests_total', { status: 413 });
      const [answer] = await Promise.all([raw(system, request, Array(160).fill(chunk)), assertServes(system, slot)]);
      assert.match(answer, /^HTTP\/1\.1 413 /);
      assert.match(answer, isPage ? /tel:\+918000000108/ : /"status":413/);
      assert.ok((await system.metric('http_server_requests_total', { status: 413 })) > before);
    });
  }
});

describe('tenfold load', () => {
  const PLACES = 16;
  const LOAD_MS = 4_000;
  let system;
  before(async () => {
    const gateway = ['--trusted-hops', '1', '--requests-in-flight-max', `${PLACES}`];
    system = await System.start({ gateway, special: { gateway: roomy() } });
  });
  after(() => system?.stop());

  test('still serves the emergency page and bookings', async () => {
    const slots = [];
    for (let index = 0; index < 5; index += 1) slots.push(await freeSlot(system, { index }));
    const statuses = new Map();
    const end = Date.now() + LOAD_MS;
    const reader = async (number) => {
      while (Date.now() < end) {
        const paths = [`/doctors?q=${randomUUID()}`, `/api/availability?department=ENT&doctor=${randomUUID()}`];
        const headers = { 'X-Forwarded-For': `198.51.100.${number}`, 'X-Client-Id': randomUUID() };
        const answer = await fetch(`${system.origin}${paths[number % 2]}`, { headers });
        await answer.text();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
    };
    const load = Promise.all(Array.from({ length: 10 * PLACES }, (_, number) => reader(number)));

    const people = slots.map(() => person());
    for (const [index, slot] of slots.entries()) {
      const emergency = await fetch(`${system.origin}/emergency`);
      assert.equal(emergency.status, 200);
      await emergency.text();
      // As the page does: one key, and a retry when asked to try again.
      const key = randomUUID();
      const booked = await until(
        'the booking is kept',
        async () => (await book(system, people[index], slot, key)).status === 201,
        30_000,
      );
      assert.ok(booked);
    }
    await load;
    for (const who of people) assert.equal(await bookingsOf(system, who), 1);
    const unexpected = [...statuses.keys()].filter((status) => ![200, 404, 400, 429, 503, 504].includes(status));
    assert.deepEqual(unexpected, [], JSON.stringify([...statuses]));
    assert.ok(statuses.get(503) > 0, 'what is too much is refused');
    assert.ok((await system.metric('http_server_shed_total')) > 0, 'and counted');
  });
});
