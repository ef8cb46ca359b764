/**
 * Checks that all metrics and labels in rules, dashboards and runbooks exist. A rule about a missing metric never
 * fires.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expressionsOf, readDashboards } from './dashboards.mjs';
import { labelsOf, selectors, seriesOf } from './promql.mjs';
import { fixtures } from './rules.mjs';

/**
 * Labels that Prometheus adds to every series of the site (`prometheus.yml`, `targets/`), and labels of recording
 * rules.
 */
const TARGET_LABELS = ['job', 'instance', 'service', 'team'];

/** Metrics of processes with TLS, which a site on one machine does not have; tests of service-kit read them. */
const WITH_TLS = ['tls_certificate_expiry_timestamp_seconds'];

/**
 * Metrics of the programs beside the site, in the versions that the README names. No other external metrics may be
 * used.
 */
const OUTSIDE = new Set([
  ...WITH_TLS,
  'up',
  'ALERTS',
  'probe_success',
  'probe_duration_seconds',
  'probe_ssl_earliest_cert_expiry',
  'node_filesystem_avail_bytes',
  'node_filesystem_size_bytes',
  'backup_completed_time_seconds',
  'backup_size_bytes',
  'prometheus_rule_evaluation_failures_total',
  'prometheus_notifications_dropped_total',
  'alertmanager_notifications_failed_total',
  'otelcol_exporter_send_failed_spans',
  'otelcol_exporter_enqueue_failed_spans',
  'otelcol_exporter_sent_spans',
  'otelcol_receiver_accepted_spans',
  'otelcol_receiver_refused_spans',
]);

/** Returns the expressions in a runbook's code blocks. */
function expressionsOfPage(folder, name) {
  const text = readFileSync(join(folder, 'runbooks', name), 'utf8');
  return [...text.matchAll(/^```promql\n([\s\S]*?)^```/gm)].map(([, block]) => ({
    where: `runbooks/${name}`,
    expression: block,
  }));
}

/** Returns every expression with its location. */
export function allExpressions(folder, { alerts, records }) {
  const pages = readdirSync(join(folder, 'runbooks')).filter((name) => name.endsWith('.md'));
  return [
    ...alerts.map(({ alert, expr }) => ({ where: alert, expression: expr })),
    ...records.map(({ record, expr }) => ({ where: record, expression: expr })),
    ...readDashboards(folder).dashboards.flatMap(expressionsOf),
    ...pages.flatMap((name) => expressionsOfPage(folder, name)),
  ];
}

/** Returns the label names of each metric, from all programs together. */
function known(texts) {
  const found = new Map();
  for (const text of texts) {
    for (const [name, labels] of seriesOf(text)) found.set(name, new Set([...(found.get(name) ?? []), ...labels]));
  }
  return found;
}

/**
 * Returns the series of rule tests that no program exports in that form. With a missing or extra label, a rule might
 * fire only in its test.
 *
 * @param {string[]} texts responses of each program to `/metrics`
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
 * @param {string[]} texts responses of each program to `/metrics`
 * @param {Set<string>} rare metrics that appear only after events that have not happened
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
