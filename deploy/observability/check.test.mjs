/** The check rejects each kind of mistake with a matching message. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { FOLDER, firingOnNormalDay, textProblems, toolProblems, validateCollector } from './check.mjs';
import { selectors } from './check/promql.mjs';
import { record, recordedProblems } from './check/recorded.mjs';

const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Returns a copy of the folder that a test may break. */
function copy() {
  const folder = mkdtempSync(join(tmpdir(), 'hospital-observability-'));
  folders.push(folder);
  cpSync(FOLDER, folder, { recursive: true });
  return folder;
}

function change(folder, name, from, to) {
  const file = join(folder, name);
  const text = readFileSync(file, 'utf8');
  assert.ok(text.includes(from), `${name} has no ${from}`);
  writeFileSync(file, text.replace(from, to));
}

const changeJson = (folder, name, act) => {
  const file = join(folder, 'grafana/dashboards', name);
  const value = JSON.parse(readFileSync(file, 'utf8'));
  act(value);
  writeFileSync(file, JSON.stringify(value));
};
const panel = (dashboard, type) => dashboard.panels.find((one) => one.type === type);

describe('the folder', async () => {
  test('passes the check', () => assert.deepEqual(textProblems(FOLDER), []));

  test('passes promtool, with every rule test and a normal day, and amtool', async () => {
    assert.deepEqual(await toolProblems(FOLDER), []);
  });

  const collector = await validateCollector(FOLDER);
  test('passes the validation of the collector', { skip: collector.skipped[0] ?? false }, () =>
    assert.deepEqual(collector.problems, []),
  );
});

describe('the check refuses', () => {
  let folder;
  beforeEach(() => {
    folder = copy();
  });

  const CASES = [
    [
      'an alert without a page',
      (at) => rmSync(join(at, 'runbooks/OutboxLate.md')),
      /OutboxLate: .*runbooks\/OutboxLate\.md is missing/,
    ],
    [
      'a page without an alert',
      (at) => writeFileSync(join(at, 'runbooks/Nothing.md'), '# Nothing\n'),
      /runbooks\/Nothing\.md belongs to no alert/,
    ],
    [
      'an alert without a page named',
      (at) =>
        change(
          at,
          'prometheus/rules/alerts-site.yml',
          'runbook_url: https://runbooks.example.org/SiteDown',
          'note: none',
        ),
      /SiteDown: no runbook_url/,
    ],
    [
      'an alert that nobody would hear of',
      (at) => change(at, 'prometheus/rules/alerts-site.yml', 'severity: page', 'severity: shout'),
      /severity is not one of page, ticket, heartbeat/,
    ],
    [
      'an alert without a case in which it fires',
      (at) => change(at, 'prometheus/tests/observability.yml', 'alertname: RuleFails', 'alertname: Watchdog'),
      /RuleFails: no test in which it fires/,
    ],
    [
      'an inhibition of an alert that is not there',
      (at) => change(at, 'alertmanager/alertmanager.yml', 'alertname = OutboxStuck', 'alertname = OutboxGone'),
      /an inhibition names OutboxGone, which is not an alert/,
    ],
    [
      'a team that nobody is told for',
      (at) => change(at, 'prometheus/targets/site.yml', 'team: booking', 'team: pharmacy'),
      /no route for team pharmacy/,
    ],
    [
      // O4: over HTTP there is no certificate whose expiry could be seen.
      'a public page that is probed over HTTP',
      (at) => change(at, 'prometheus/targets/pages.yml', 'https://www.example.org/emergency', 'http://gateway:8080/x'),
      /http:\/\/gateway:8080\/x is public but not https/,
    ],
    [
      'a rule about a metric that no program exports',
      (at) => change(at, 'prometheus/rules/alerts-parts.yml', 'max(booking_bursts)', 'max(booking_burst)'),
      /BookingBurst: no program has a metric booking_burst/,
    ],
    [
      'a rule about a label that a metric lacks',
      (at) =>
        change(
          at,
          'prometheus/rules/alerts-parts.yml',
          'upstream_refused_total{reason=',
          'upstream_refused_total{because=',
        ),
      /BulkheadFull: upstream_refused_total has no label because/,
    ],
    [
      'a rule about a value that a label never has',
      (at) => change(at, 'prometheus/rules/alerts-parts.yml', 'reason="bulkhead"', 'reason="full"'),
      /BulkheadFull: upstream_refused_total is never exported with reason="full"/,
    ],
    [
      // O10
      'a test of a rule whose series lack a label of the real ones',
      (at) => change(at, 'prometheus/tests/gateway.yml', ',limit="reads"}', '}'),
      /gateway\.yml: GatewaySheds: .*: http_server_shed_total lacks the label limit/,
    ],
    [
      'a test of a rule whose series have a label that the real ones lack',
      (at) => change(at, 'prometheus/tests/gateway.yml', ',limit="reads"}', ',limit="reads",lane="a"}'),
      /http_server_shed_total has no label lane/,
    ],
    [
      'a rule about a metric that the recorded day lacks',
      (at) => change(at, 'prometheus/rules/alerts-parts.yml', 'max(booking_bursts)', 'max(build_info)'),
      /build_info is read by a rule, but recorded\/day\.json lacks it/,
    ],
    [
      'a page without a reason',
      (at) => change(at, 'prometheus/rules/alerts-site.yml', 'page_reason:', 'reason:'),
      /BookingBudgetBurnsFast: pages without a page_reason/,
    ],
    [
      'a ticket with the reason of a page',
      (at) => change(at, 'prometheus/rules/alerts-mail.yml', 'severity: page', 'severity: ticket'),
      /MailRefused: has a page_reason, but does not page/,
    ],
    [
      'a page that a stranger can ring by requests of one network',
      (at) => change(at, 'prometheus/rules/alerts-parts.yml', 'limit=~"reads|writes|bodies"', 'limit!="x"'),
      /GatewaySheds: pages, but anybody can raise http_server_shed_total/,
    ],
    [
      'a page that a stranger can ring through a recording rule',
      (at) =>
        change(at, 'prometheus/rules/recording.yml', 'method="POST",status=~"5.."', 'method="POST",status=~"..."'),
      /BookingBudgetBurnsFast: pages, but anybody can raise http_server_requests_total/,
    ],
    [
      'a test of a rule about a page that is not probed',
      (at) => change(at, 'prometheus/tests/gateway.yml', 'https://www.example.org/"', 'https://example.org/"'),
      /probe_ssl_earliest_cert_expiry\{.*is not a target/,
    ],
    [
      'a dashboard that is no JSON',
      (at) => writeFileSync(join(at, 'grafana/dashboards/site.json'), '{'),
      /site\.json: .*JSON/,
    ],
    [
      'two dashboards with one uid',
      (at) => changeJson(at, 'site.json', (page) => (page.uid = 'hospital-business')),
      /uid hospital-business is that of business\.json too/,
    ],
    [
      'a panel without a unit',
      (at) => changeJson(at, 'site.json', (page) => delete panel(page, 'stat').fieldConfig.defaults.unit),
      /no unit/,
    ],
    [
      'a panel without a runbook',
      (at) => changeJson(at, 'site.json', (page) => (panel(page, 'stat').links = [])),
      /no link to a runbook/,
    ],
    [
      'a panel about a metric that no program exports',
      (at) => changeJson(at, 'service.json', (page) => (panel(page, 'stat').targets[0].expr = 'sum(replicas)')),
      /service\.json: Replicas: no program has a metric replicas/,
    ],
    [
      'a panel without a description',
      (at) => changeJson(at, 'site.json', (page) => (panel(page, 'stat').description = '')),
      /no description/,
    ],
    [
      'a datasource by its name',
      (at) => changeJson(at, 'site.json', (page) => (panel(page, 'stat').datasource.uid = 'prometheus')),
      /datasource prometheus is not a variable/,
    ],
    [
      'a latency without exemplars',
      (at) =>
        changeJson(at, 'site.json', (page) =>
          page.panels.forEach((one) => one.targets?.forEach((target) => delete target.exemplar)),
        ),
      /Time to answer: a latency without exemplars/,
    ],
    [
      'a collector that samples before it filters',
      (at) =>
        change(
          at,
          'collector/sampling.yml',
          '[memory_limiter, transform/allowed, tail_sampling, batch]',
          '[memory_limiter, tail_sampling, transform/allowed, batch]',
        ),
      /samples before it filters attributes/,
    ],
    [
      'a link to a data source that is not there',
      (at) => change(at, 'grafana/provisioning/datasources/hospital.yml', 'datasourceUid: loki', 'datasourceUid: logs'),
      /a link leads to the data source logs, which is missing[\s\S]*no link from tempo to loki/,
    ],
    [
      'log lines that are kept for ever',
      (at) => change(at, 'loki/loki.yml', 'retention_enabled: true', 'retention_enabled: false'),
      /nothing deletes old lines/,
    ],
    [
      'a queue without a bound',
      (at) => change(at, 'collector/balancing.yml', 'queue_size: 100', 'num_consumers_max: 1'),
      /loadbalancing has no queue_size/,
    ],
  ];
  for (const [name, act, message] of CASES) {
    test(name, () => {
      act(folder);
      const problems = textProblems(folder).join('\n');
      assert.match(problems, message);
    });
  }

  test('a rule that cannot be read', async () => {
    change(
      folder,
      'prometheus/rules/alerts-site.yml',
      'absent(probe_success{job="page",way="public"})',
      'absent(probe_success{job="page",way="public")',
    );
    assert.match((await toolProblems(folder)).join('\n'), /check rules[\s\S]*could not parse expression/);
  });

  test('a panel whose expression cannot be read', async () => {
    changeJson(folder, 'site.json', (page) => (panel(page, 'stat').targets[0].expr = 'min(probe_success'));
    assert.match((await toolProblems(folder)).join('\n'), /site_json_Site_from_outside[\s\S]*could not parse/);
  });

  test('an alert that fires on a normal day', async () => {
    change(folder, 'prometheus/rules/alerts-parts.yml', 'max(emergency_page_built_in) > 0', 'max(process_max_fds) > 0');
    // The costly rules are not needed.
    for (const name of ['recording.yml', 'alerts-site.yml']) rmSync(join(folder, 'prometheus/rules', name));
    const problems = (await firingOnNormalDay(folder)).join('\n');
    assert.match(problems, /exp: nil\s+got: \{alertname="EmergencyPageBuiltIn"\}/);
  });
});

test('names the packages of missing tools', async () => {
  assert.deepEqual(await toolProblems(FOLDER, () => undefined), [
    "promtool is missing: it is in Debian's package prometheus",
    "amtool is missing: it is in Debian's package prometheus-alertmanager",
  ]);
});

describe('PromQL', () => {
  const names = (expression) => selectors(expression).map(({ name }) => name);

  test('does not take functions, groupings, strings and ranges for metrics', () => {
    assert.deepEqual(names('sum by (team, le) (rate(a_bucket{x="b_total",y=~"c|d"}[5m])) > on (slo) 3 * e:f'), [
      'a_bucket',
      'e:f',
    ]);
    assert.deepEqual(
      names('label_replace(a, "team", "$1", "module", "(.*)/.*") or vector(0) unless on (x) b offset 1d'),
      ['a', 'b'],
    );
    assert.deepEqual(names('topk(5, a) # and b\n / ignoring (z) group_left (q) c'), ['a', 'c']);
    assert.deepEqual(names('count(up{job="x"}[$__range])'), ['up']);
  });

  test('finds the matchers that select series', () => {
    assert.deepEqual(selectors('a{x="1", y!~"2\\\\d"}')[0], {
      name: 'a',
      matchers: [
        { label: 'x', operator: '=', value: '1' },
        { label: 'y', operator: '!~', value: '2\\d' },
      ],
    });
  });
});

describe('recorded metrics', () => {
  const first = ['# HELP a b\na_total{x="1\\"",y="{}"} 1 # {trace_id="f"} 0.5\nc{z="1"} 2\nc{z="2"} 2\n# EOF\n'];

  test('close the labels whose values all exist at the start', () => {
    const { metrics } = record(first, [`${first}d{z="1"} 2\nd{z="2"} 2\n`]);
    assert.deepEqual(metrics, {
      a_total: { labels: ['x', 'y'] },
      c: { labels: ['z'], closed: { z: ['1', '2'] } },
      d: { labels: ['z'] },
    });
  });

  test('differ from those of programs that changed', () => {
    const folder = copy();
    const write = (first) => writeFileSync(join(folder, 'recorded/site.json'), JSON.stringify(record(first, first)));
    write(first);
    assert.deepEqual(recordedProblems(folder, first), []);
    const changed = ['a_total{x="1"} 1\nb 1\nc{z="1"} 2\nc{z="3"} 2\n'];
    const problems = recordedProblems(folder, changed).map((problem) => problem.replace(/ \(to record.*/, ''));
    assert.deepEqual(problems, [
      'a_total has the labels x, recorded are x,y',
      'b is exported, but not recorded',
      'c is no longer exported with z 2',
    ]);
    assert.match(recordedProblems(folder, []).join('\n'), /^a_total is recorded, but not exported/);
  });
});
