/**
 * The metrics and labels that rules, dashboards and runbooks are checked against are those that the running programs
 * export. A real Prometheus evaluates all of them. Log lines lead to traces.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { FOLDER } from '../../deploy/observability/check.mjs';
import { expressionsOf, readDashboards } from '../../deploy/observability/check/dashboards.mjs';
import { collectorPatterns, tracePattern } from '../../deploy/observability/check/logs.mjs';
import { recordedProblems } from '../../deploy/observability/check/recorded.mjs';
import { yaml } from '../../deploy/observability/check/rules.mjs';
import { EVENTFUL, metricsOf, visits } from '../metrics.mjs';
import { until } from '../processes.mjs';
import { NO_PROMETHEUS, Prometheus } from '../prometheus.mjs';
import { System } from '../system.mjs';

/**
 * Attributes that are sent but must not be kept, because paths may contain names. Then those that ops-traces itself
 * adds, as Jaeger does.
 */
const DROPPED = new Set([
  ...['resource', 'error', 'status', 'reason'],
  ...['event', 'otel.scope.name', 'otel.scope.version', 'otel.status_code', 'otel.status_description', 'span.kind'],
]);

describe('rules, dashboards and runbooks', () => {
  let system;
  let who;
  before(async () => {
    system = await System.start(EVENTFUL);
    who = await visits(system);
  });
  after(() => system?.stop());

  test('are checked against the metrics that the programs export', async () => {
    assert.deepEqual(recordedProblems(FOLDER, await metricsOf(system)), []);
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

  test('log lines lead to their traces, by the patterns of Grafana and of the collector', async () => {
    const lines = system.logs().split('\n');
    const patterns = [tracePattern(FOLDER), ...collectorPatterns(FOLDER)];
    const matched = lines.filter((line) => patterns.every((pattern) => pattern.test(line)));
    const ids = new Set(matched.map((line) => tracePattern(FOLDER).exec(line)[1]));
    assert.ok(ids.size, 'no line has a trace id');
    await until('a trace is there', async () => {
      const answers = [...ids].map((id) => fetch(`${system.tracesOrigin}/api/traces/${id}`));
      return (await Promise.all(answers)).some(({ ok }) => ok);
    });
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
