/** A normal day: the series that were recorded during quiet visits go on for 24 hours, and no alert may fire. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { selectors } from './promql.mjs';
import { readKnown, RECORD, samplesOf } from './recorded.mjs';
import { readRules, ruleFiles, yaml } from './rules.mjs';

const MINUTES = 24 * 60;
/** Fires on every day: its absence is the alarm. */
const ALWAYS = 'Watchdog';
/** Suffixes of series that only grow. */
const COUNTER = /_(?:total|count|sum|bucket)$/;
/** Times in seconds since 1970; the day begins at 0. Those of repeated work advance with the clock. */
const TIME = /_time_seconds$/;
const REPEATED = /_fetched_time_seconds$/;
/** Decimal places of a counter's growth a minute. */
const RATE_DIGITS = 3;
/** Buckets that alerts read: of all requests, and of those within the objective. */
const BUCKETS = /\ble="(?:0\.5|\+Inf)"/;

/** Differs between builds. A normal day has one version of each team. */
const VERSION = /\bversion="[^"]*"/;

/** Returns the metrics of the site that rules read. */
function metricsOfRules(folder) {
  const { alerts, records } = readRules(folder);
  const known = readKnown(folder);
  const names = [...alerts, ...records].flatMap(({ expr }) => selectors(expr).map(({ name }) => name));
  return new Set(names.filter((name) => known.get(name)?.isSite));
}

/**
 * Returns the content of `recorded/day.json`: for each program and series that rules read, its value and its growth a
 * minute.
 *
 * @param {Record<string, string>} first `/metrics` by program
 * @param {Record<string, string>} last as `first`, `minutes` later
 */
export function dayOf(folder, first, last, minutes) {
  const wanted = metricsOfRules(folder);
  const exported = new Set();
  const programs = Object.entries(last).map(([program, text]) => {
    const before = new Map(samplesOf(first[program]).map(({ series, value }) => [series, value]));
    const own = samplesOf(text).filter(
      ({ name, series }) => wanted.has(name) && (!series.includes('le="') || BUCKETS.test(series)),
    );
    own.forEach(({ name }) => exported.add(name));
    const series = own.map(({ series, name, value }) => {
      if (TIME.test(name)) return [series, [0, REPEATED.test(name) ? 60 : 0]];
      const growth = COUNTER.test(name) ? (value - (before.get(series) ?? 0)) / minutes : 0;
      return [series, [value, Number(growth.toFixed(RATE_DIGITS))]];
    });
    const named = series.map(([one, values]) => [one.replace(VERSION, 'version="recorded"'), values]);
    return [program, Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)))];
  });
  return {
    about: `Series that rules read: value, and growth a minute, during quiet visits. Written by: ${RECORD}`,
    absent: [...wanted].filter((name) => !exported.has(name)).sort(),
    programs: Object.fromEntries(programs.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const readDay = (folder) => JSON.parse(readFileSync(join(folder, 'recorded/day.json'), 'utf8'));

/** Returns the metrics that rules read and that the recorded day lacks. */
export function dayProblems(folder) {
  const { absent, programs } = readDay(folder);
  const there = new Set(absent);
  for (const series of Object.values(programs)) {
    for (const one of Object.keys(series)) there.add(/^[\w:]+/.exec(one)[0]);
  }
  return [...metricsOfRules(folder)]
    .filter((name) => !there.has(name))
    .map((name) => `${name} is read by a rule, but recorded/day.json lacks it (${RECORD})`);
}

const labelText = (labels) =>
  Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',');

/** Adds the labels of a target. Those of the series win, as with `honor_labels`. */
function withTarget(series, target) {
  const [, name, own = ''] = /^([\w:]+)(?:\{(.*)\})?$/.exec(series);
  const has = (label) => new RegExp(`(?:^|,)${label}=`).test(own);
  const added = Object.fromEntries(Object.entries(target).filter(([label]) => !has(label)));
  return `${name}{${[labelText(added), own].filter(Boolean).join(',')}}`;
}

const steady = (value) => `${value}x${MINUTES}`;

/** Returns the results of probes and scrapes of every target. */
function targetSeries(folder) {
  const targetsOf = (name) =>
    yaml(join(folder, 'prometheus/targets', name)).flatMap(({ targets, labels }) =>
      targets.map((instance) => ({ instance, ...labels })),
    );
  const { scrape_configs: jobs } = yaml(join(folder, 'prometheus/prometheus.yml'));
  const tools = jobs
    .find(({ job_name: name }) => name === 'observability')
    .static_configs.flatMap(({ targets: [instance], labels }) => ({ instance, ...labels }));
  const one = (name, job, labels, values = steady(1)) => ({
    series: `${name}{${labelText({ job, ...labels })}}`,
    values,
  });
  return [
    ...targetsOf('site.yml').map((at) => one('up', 'site', at)),
    ...targetsOf('pages.yml').map((at) => one('probe_success', 'page', at)),
    ...targetsOf('pages.yml')
      .filter(({ way }) => way === 'public')
      // Issued for 90 days, renewed 30 days before its end.
      .map((at) => one('probe_ssl_earliest_cert_expiry', 'page', at, steady(30 * 86_400))),
    ...tools.map((at) => one('up', 'observability', at)),
  ];
}

/** Returns the series of the day, as fixtures of `promtool test rules`. */
function seriesOf(folder) {
  const { programs } = readDay(folder);
  const targets = yaml(join(folder, 'prometheus/targets/site.yml'));
  const site = Object.entries(programs).flatMap(([program, series]) => {
    const { targets: addresses, labels } = targets.find(({ labels: { service } }) => service === program);
    return addresses.flatMap((instance) =>
      Object.entries(series).map(([one, [value, growth]]) => ({
        series: withTarget(one, { job: 'site', instance, ...labels }),
        values: `${value}+${growth}x${MINUTES}`,
      })),
    );
  });
  const beside = [...readKnown(folder)].flatMap(([name, { day = {} }]) =>
    Object.entries(day).map(([labels, value]) => ({ series: `${name}{${labels}}`, values: steady(value) })),
  );
  return [...site, ...targetSeries(folder), ...beside];
}

/** Returns the file for `promtool test rules`, in which nothing but the heartbeat fires. */
export function dayTest(folder) {
  const { rules } = ruleFiles(folder);
  const groups = rules.flatMap((file) => yaml(file).groups.map(({ name, rules: [first] }) => ({ name, first })));
  const firing = (matcher) => `count by (alertname) (count_over_time(ALERTS{alertstate="firing",${matcher}}[1d]))`;
  return {
    rule_files: rules,
    // Every second minute: nothing happens between two evaluations of a steady day.
    evaluation_interval: '2m',
    // Recording rules first. Without this line the order varies between runs.
    group_eval_order: [...groups.filter(({ first }) => first.record), ...groups.filter(({ first }) => first.alert)].map(
      ({ name }) => name,
    ),
    tests: [
      {
        name: 'a normal day: no alert fires but the heartbeat',
        interval: '1m',
        input_series: seriesOf(folder),
        promql_expr_test: [
          { expr: firing(`alertname!="${ALWAYS}"`), eval_time: '1d', exp_samples: [] },
          {
            expr: firing(`alertname="${ALWAYS}"`),
            eval_time: '1d',
            exp_samples: [{ labels: `{alertname="${ALWAYS}"}`, value: 1 }],
          },
        ],
      },
    ],
  };
}
