/** Visits that make the programs export every metric, and what they export. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freeSlot, payload, person } from './booking.mjs';
import { documentToken } from './document-token.mjs';
import { roomy } from './faults.mjs';
import { ROOT, until } from './processes.mjs';
import { LISTED } from './system.mjs';

/** Calls per visitor and minute (specification). */
const VISITOR_CALLS = 10;

/** Options of a site in which everything that is counted can happen. Nothing listens at its `REDIS_URL`. */
export const EVENTFUL = {
  staff: true,
  proxied: ['svc-booking'],
  special: {
    gateway: roomy({
      REDIS_URL: 'redis://127.0.0.1:9',
      FIRST_BYTE_TIMEOUT_MS_MAX: '200',
      VISITOR_CALLS_MAX: `${VISITOR_CALLS}`,
      LOG_FORMAT: 'json',
    }),
    ...Object.fromEntries(LISTED.map(({ name }) => [name, { env: { LOG_FORMAT: 'json' } }])),
  },
};

/** Causes a little of everything that is counted: visits, a booking, refusals, failures, and a service that is down. */
export async function visits(system) {
  for (const path of ['/', '/doctors', '/appointment', '/contact', '/emergency', '/nowhere'])
    await (await fetch(system.origin + path)).text();
  // Makes the gateway fetch the documents of the issuer.
  await fetch(`${system.origin}/staff/sign-in?return=/staff`, { redirect: 'manual' });
  const [who, slot] = [person(), await freeSlot(system)];
  const post = (path, body) =>
    system.api(path, { method: 'POST', body: JSON.stringify(body), headers: { 'Idempotency-Key': randomUUID() } });
  assert.equal((await post('/appointments', payload(who, slot))).status, 201);
  assert.equal((await post('/messages', {})).status, 400);

  const headers = { 'X-Client-Id': randomUUID() };
  const asked = await Promise.all(Array.from({ length: VISITOR_CALLS + 1 }, () => system.api('/blogs', { headers })));
  assert.ok(asked.some(({ status }) => status === 429));

  const { teams } = JSON.parse(readFileSync(join(ROOT, 'remotes/remotes.json'), 'utf8'));
  const failure = { team: 'booking', version: teams.booking.stable, module: 'appointment', kind: 'load' };
  const end = BigInt(Date.now()) * 1_000_000n;
  const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', name: 'GET /api/doctors' };
  const spans = [{ ...span, startUnixNano: `${end - 5_000_000n}`, endUnixNano: `${end}`, attributes: {} }];
  const vitals = ['INP', 'CLS'].map((name) => ({ name, value: 0.05, team: 'booking' }));
  const token = await documentToken(system.origin, '/appointment');
  const report = await fetch(`${system.origin}/telemetry`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'test' },
    body: JSON.stringify({ failures: [failure], token, spans, vitals: { path: '/appointment', values: vitals } }),
  });
  assert.equal(report.status, 202, await report.text());

  await new Promise((resolve, reject) => {
    const silent = connect(Number(new URL(system.origin).port), '127.0.0.1');
    silent.on('close', resolve).on('error', reject).resume();
  });

  const network = system.networks['svc-booking'];
  network.break('truncate');
  await system.api('/availability?department=ENT&from=2027-03-01&to=2027-03-02');
  network.heal();
  await system.programs['svc-booking'].kill();
  await until('the breaker refuses', async () => {
    await system.api(`/availability?department=ENT&from=2027-04-01&to=2027-04-02`);
    return (await system.metric('upstream_refused_total', { reason: 'breaker' })) > 0;
  });
  await system.programs['svc-booking'].start();
  await system.programs['svc-booking'].ready();
  const again = async () =>
    (await post('/appointments', payload(person(), await freeSlot(system, { index: 5 })))).status === 201;
  await until('the breaker is closed', again, 30_000);
  // From a process that stays up, because counters restart with each process.
  const { department, date, time } = await freeSlot(system, { index: 6 });
  assert.equal((await post('/holds', { department, date, time })).status, 201);
  await mailIsSent(system);
  return who;
}

/** Waits until svc-messaging has counted a mail. */
export function mailIsSent(system) {
  return until('a mail is sent', async () => {
    const texts = await metricsOf(system);
    return (
      texts.some((text) => /^mails_total\{.*outcome="kept".*\} [1-9]/m.test(text)) &&
      texts.some((text) => /^outbox_deliveries_total\{.*outcome="delivered"\} [1-9]/m.test(text))
    );
  });
}

/** Visits of a quiet moment in which nothing fails: pages, reads, a booking, a hold and a message. */
export async function quietVisits(system, index) {
  for (const path of ['/', '/doctors', '/appointment', '/emergency']) {
    const answer = await fetch(system.origin + path);
    assert.equal(answer.status, 200, path);
    await answer.text();
  }
  for (const path of ['/doctors', '/departments', '/blogs']) assert.equal((await system.api(path)).status, 200, path);
  const booked = await system.post('/appointments', payload(person(), await freeSlot(system, { index })));
  assert.equal(booked.status, 201, JSON.stringify(booked.body));
  const { department, date, time } = await freeSlot(system, { index: index + 1 });
  assert.equal((await system.post('/holds', { department, date, time })).status, 201);
}

/** Returns each program's `/metrics`, by its name. */
export async function metricsByProgram({ programs }) {
  const withOperators = Object.entries(programs).filter(([, { operatorsAddress }]) => operatorsAddress);
  const texts = withOperators.map(async ([name, { operatorsOrigin }]) => [
    name,
    await (await fetch(`${operatorsOrigin}/metrics`)).text(),
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

/** Returns each program's `/metrics`. */
export const metricsOf = async (system) => Object.values(await metricsByProgram(system));
