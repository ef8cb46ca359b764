/** Every metric and label that rules, dashboards and runbooks ask for must be there: a rule about nothing is silent for ever. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expressionsOf, readDashboards } from './dashboards.mjs';
import { labelsOf, selectors, seriesOf } from './promql.mjs';
import { fixtures } from './rules.mjs';

/** Labels that Prometheus gives every series of the site (`prometheus.yml`, `targets/`), and those of recording rules. */
const TARGET_LABELS = ['job', 'instance', 'service', 'team'];

/** Of the programs beside the site, in the versions that the README names. Nobody else's metrics may be asked for. */
const OUTSIDE = new Set([
  'up',
  'ALERTS',
  'probe_success',
  'probe_duration_seconds',
  'probe_ssl_earliest_cert_expiry',
  'prometheus_rule_evaluation_failures_total',
  'prometheus_notifications_dropped_total',
  'alertmanager_notifications_failed_total',
  'otelcol_exporter_send_failed_spans',
  'otelcol_exporter_enqueue_failed_spans',
  'otelcol_exporter_sent_spans',
  'otelcol_receiver_accepted_spans',
  'otelcol_receiver_refused_spans',
]);

/** Expressions in the blocks of a runbook. */
function expressionsOfPage(folder, name) {
  const text = readFileSync(join(folder, 'runbooks', name), 'utf8');
  return [...text.matchAll(/^```promql\n([\s\S]*?)^```/gm)].map(([, block]) => ({
    where: `runbooks/${name}`,
    expression: block,
  }));
}

/** Every expression with where it stands. */
export function allExpressions(folder, { alerts, records }) {
  const pages = readdirSync(join(folder, 'runbooks')).filter((name) => name.endsWith('.md'));
  return [
    ...alerts.map(({ alert, expr }) => ({ where: alert, expression: expr })),
    ...records.map(({ record, expr }) => ({ where: record, expression: expr })),
    ...readDashboards(folder).dashboards.flatMap(expressionsOf),
    ...pages.flatMap((name) => expressionsOfPage(folder, name)),
  ];
}

/** Metric name to its label names, of all programs together. */
function known(texts) {
  const found = new Map();
  for (const text of texts) {
    for (const [name, labels] of seriesOf(text)) found.set(name, new Set([...(found.get(name) ?? []), ...labels]));
  }
  return found;
}

/**
 * Series that tests of rules feed and that no program exports like that: with a label more or less a rule may fire in its test only.
 *
 * @param {string[]} texts what each program answered at `/metrics`
 */
export function fixtureProblems(folder, texts) {
  const real = known(texts);
  const problems = new Set();
  for (const { where, series } of fixtures(folder)) {
    const name = /^[\w:]+/.exec(series)[0];
    const own = real.get(name);
    if (!own) continue;
    const fed = labelsOf(series);
    for (const label of own) if (!fed.has(label)) problems.add(`${where}: ${name} lacks the label ${label}`);
    for (const label of fed.keys()) {
      if (!own.has(label) && !TARGET_LABELS.includes(label)) problems.add(`${where}: ${name} has no label ${label}`);
    }
  }
  return [...problems];
}

/**
 * @param {string[]} texts what each program answered at `/metrics`
 * @param {Set<string>} rare names of metrics that appear only when something happens that did not happen
 */
export function metricProblems(folder, rules, texts, rare = new Set()) {
  const real = known(texts);
  const recorded = new Set(rules.records.map(({ record }) => record));
  const problems = new Set();
  for (const { where, expression } of allExpressions(folder, rules)) {
    for (const { name, labels } of selectors(expression)) {
      if (recorded.has(name) || OUTSIDE.has(name) || rare.has(name)) continue;
      const own = real.get(name);
      if (!own) problems.add(`${where}: no program has a metric ${name}`);
      for (const label of own ? labels : []) {
        if (!own.has(label) && !TARGET_LABELS.includes(label)) problems.add(`${where}: ${name} has no label ${label}`);
      }
    }
  }
  return [...problems];
}
