/**
 * The metrics and labels of rules, dashboards and runbooks are those that the running programs export, by name and in a
 * real Prometheus.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { FOLDER, unknownMetrics } from '../../deploy/observability/check.mjs';
import { expressionsOf, readDashboards } from '../../deploy/observability/check/dashboards.mjs';
import { yaml } from '../../deploy/observability/check/rules.mjs';
import { freeSlot, payload, person } from '../booking.mjs';
import { documentToken } from '../document-token.mjs';
import { roomy } from '../faults.mjs';
import { ROOT, until } from '../processes.mjs';
import { NO_PROMETHEUS, Prometheus } from '../prometheus.mjs';
import { System } from '../system.mjs';

/**
 * Appears with the first failed render. A module that fails its check is not published, so only the gateway's tests see
 * this metric.
 */
const RARE = new Set(['render_failures_total']);
/**
 * Attributes that are sent but must not be kept, because paths may contain names. Then those that ops-traces itself
 * adds, as Jaeger does.
 */
const DROPPED = new Set([
  ...['resource', 'error', 'status', 'reason'],
  ...['event', 'otel.scope.name', 'otel.scope.version', 'otel.status_code', 'otel.status_description', 'span.kind'],
]);
/** Calls per visitor and minute (specification). */
const VISITOR_CALLS = 10;

describe('rules, dashboards and runbooks', () => {
  let system;
  let who;
  before(async () => {
    const env = { REDIS_URL: 'redis://127.0.0.1:9', FIRST_BYTE_TIMEOUT_MS_MAX: '200' };
    system = await System.start({
      proxied: ['svc-booking'],
      special: { gateway: roomy({ ...env, VISITOR_CALLS_MAX: `${VISITOR_CALLS}` }) },
    });
    who = await visits(system);
  });
  after(() => system?.stop());

  test('ask for metrics and labels that exist', async () => {
    assert.deepEqual(unknownMetrics(FOLDER, await metricsOf(system), RARE), []);
  });

  test('contain no data of the patient', async () => {
    const text = (await metricsOf(system)).join('\n');
    for (const value of Object.values(who)) assert.ok(!text.includes(value));
  });

  test('the allow list of the collector covers the attributes that programs send', async () => {
    const sent = await attributes(system);
    assert.ok(sent.has('http.route') && sent.has('db.query.summary') && sent.has('rpc.method'), [...sent].join(' '));
    const allowed = allowedAttributes();
    assert.deepEqual([...sent].filter((name) => !allowed.has(name) && !DROPPED.has(name)).sort(), []);
  });

  test('work in a real Prometheus that scrapes the site', { skip: NO_PROMETHEUS }, async () => {
    const prometheus = await Prometheus.start(system);
    try {
      await until(
        'every program is scraped',
        async () => (await prometheus.value('sum(up{job="site"})')) === 5,
        30_000,
      );
      // Rates need two scrapes with requests between them.
      const wellKnown = 'slo:requests:rate5m{slo="read"} > 0 and slo:budget_left:ratio30d{slo="read"} > 0.99';
      await until(
        'the objectives are recorded',
        async () => {
          await system.api('/doctors');
          return (await prometheus.value(wellKnown)) !== undefined;
        },
        30_000,
      );
      for (const { where, expression } of readDashboards(FOLDER).dashboards.flatMap(expressionsOf)) {
        const query = expression.replaceAll('$__rate_interval', '1m').replaceAll('$service', 'svc-booking');
        const answer = await prometheus.get('query', { query });
        assert.equal(answer.status, 'success', `${where}: ${answer.error}`);
      }
      const { groups } = (await prometheus.get('rules')).data;
      const broken = groups.flatMap(({ rules }) => rules).filter(({ health }) => health === 'err');
      assert.deepEqual(
        broken.map(({ name, lastError }) => `${name}: ${lastError}`),
        [],
      );
      for (const name of ['prometheus_rule_evaluation_failures_total', 'prometheus_notifications_dropped_total']) {
        assert.equal(await prometheus.value(`sum(${name})`), 0, name);
      }
      await until('the sign of life is sent', () => prometheus.received.names.has('Watchdog'));
      // The site is healthy, so no paging alert is sent.
      assert.deepEqual([...prometheus.received.names].sort(), ['Watchdog']);
    } finally {
      await prometheus.stop();
    }
  });
});

/** Causes a little of everything that is counted: visits, a booking, refusals, failures, and a service that is down. */
async function visits(system) {
  for (const path of ['/', '/doctors', '/appointment', '/contact', '/emergency', '/nowhere'])
    await (await fetch(system.origin + path)).text();
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
  await until('a mail is sent', async () => {
    const texts = await metricsOf(system);
    return (
      texts.some((text) => /^mails_total\{.*outcome="kept".*\} [1-9]/m.test(text)) &&
      texts.some((text) => /^outbox_deliveries_total\{.*outcome="delivered"\} [1-9]/m.test(text))
    );
  });
  return who;
}

/** Returns each program's `/metrics`. */
function metricsOf({ programs }) {
  const withOperators = Object.values(programs).filter(({ operatorsAddress }) => operatorsAddress);
  return Promise.all(
    withOperators.map(async ({ operatorsOrigin }) => (await fetch(`${operatorsOrigin}/metrics`)).text()),
  );
}

/** Returns the names of all attributes of spans, their events and resources. */
async function attributes(system) {
  const names = new Set();
  for (const service of ['browser', ...Object.keys(system.programs).filter((name) => name !== 'ops-traces')]) {
    const { data } = await (await fetch(`${system.tracesOrigin}/api/traces?service=${service}&limit=200`)).json();
    for (const { spans, processes } of data) {
      const tags = [...Object.values(processes), ...spans].flatMap((one) => one.tags);
      const fields = spans.flatMap(({ logs }) => logs ?? []).flatMap((log) => log.fields);
      for (const { key } of [...tags, ...fields]) names.add(key);
    }
  }
  return names;
}

/** Returns the names in `keep_keys` of the sampling collector, in any context. */
function allowedAttributes() {
  const { processors } = yaml(join(FOLDER, 'collector/sampling.yml'));
  const statements = processors['transform/allowed'].trace_statements.flatMap((block) => block.statements);
  return new Set(
    statements
      .filter((text) => text.startsWith('keep_keys('))
      .flatMap((text) => [...text.matchAll(/"([^"]+)"/g)].map(([, name]) => name)),
  );
}
