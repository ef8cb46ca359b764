/**
 * The metrics that exist: those of the site as its programs exported them (`recorded/site.json`), and those of the
 * programs beside it (`recorded/elsewhere.yml`).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { labelsOf } from './promql.mjs';
import { yaml } from './rules.mjs';

/** Command that generates `recorded/site.json` and `recorded/day.json`. */
export const RECORD = 'node e2e/record-metrics.mjs';
/** Labels whose values depend on the release or on the visits, not on the program. */
const OPEN_LABELS = new Set(['version', 'module', 'route', 'le', 'instance']);

/**
 * Labels that Prometheus adds to every series of the site (`prometheus.yml`, `targets/`), and labels of recording
 * rules.
 */
export const TARGET_LABELS = ['job', 'instance', 'service', 'team'];

/** Returns the samples of a page of `/metrics`: series as text, with its value. */
export function samplesOf(text) {
  return text.split('\n').flatMap((line) => {
    const [, series, value] = /^([A-Za-z_:][\w:]*(?:\{.*?\})?) (\S+)/.exec(line) ?? [];
    return series ? [{ series, name: /^[\w:]+/.exec(series)[0], value: Number(value) }] : [];
  });
}

/** Returns the values of each label of each metric, over all pages. */
function valuesOf(texts) {
  const found = new Map();
  for (const { name, series } of texts.flatMap(samplesOf)) {
    const labels = found.get(name) ?? new Map();
    for (const [label, value] of labelsOf(series)) labels.set(label, (labels.get(label) ?? new Set()).add(value));
    found.set(name, labels);
  }
  return found;
}

const sorted = (values) => [...values].sort();

/**
 * Returns the content of `recorded/site.json`. A label is closed if the programs exported all its values at their start.
 * A single value proves nothing.
 *
 * @param {string[]} first `/metrics` of each program at its start
 * @param {string[]} texts `/metrics` of each program after visits
 */
export function record(first, texts) {
  const atStart = valuesOf(first);
  const metrics = {};
  for (const [name, labels] of [...valuesOf(texts)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const closed = {};
    for (const label of sorted(labels.keys())) {
      const values = sorted(labels.get(label));
      const early = sorted(atStart.get(name)?.get(label) ?? []);
      if (!OPEN_LABELS.has(label) && values.length > 1 && values.join() === early.join()) closed[label] = values;
    }
    metrics[name] = { labels: sorted(labels.keys()), ...(Object.keys(closed).length && { closed }) };
  }
  return { about: `Metrics of the site's programs. Written by: ${RECORD}`, metrics };
}

/**
 * Returns every metric that exists, by name: `{labels, optional, closed}`. `optional` are the labels that only some of
 * its series have. `isSite` marks the metrics of the site's programs.
 */
export function readKnown(folder) {
  const { metrics } = JSON.parse(readFileSync(join(folder, 'recorded/site.json'), 'utf8'));
  const site = Object.entries(metrics).map(([name, { labels, closed = {} }]) => [
    name,
    { labels: new Set(labels), optional: [], closed, isSite: true },
  ]);
  const beside = yaml(join(folder, 'recorded/elsewhere.yml')).flatMap(({ program, metrics: own }) =>
    Object.entries(own).map(([name, { labels, optional = [], day }]) => [
      name,
      { labels: new Set([...labels, ...optional]), optional, closed: {}, day, program },
    ]),
  );
  return new Map([...beside, ...site]);
}

/**
 * Returns how programs differ from `recorded/site.json`: metrics and labels that were added or are gone, and values of
 * closed labels that are gone.
 *
 * @param {string[]} texts responses of each program to `/metrics`
 */
export function recordedProblems(folder, texts) {
  const known = readKnown(folder);
  const live = valuesOf(texts);
  const problems = [];
  for (const [name, labels] of live) {
    const own = known.get(name);
    if (!own?.isSite) {
      if (!own) problems.push(`${name} is exported, but not recorded`);
      continue;
    }
    if (sorted(own.labels).join() !== sorted(labels.keys()).join())
      problems.push(`${name} has the labels ${sorted(labels.keys())}, recorded are ${sorted(own.labels)}`);
    for (const [label, values] of Object.entries(own.closed)) {
      const gone = values.filter((value) => !labels.get(label)?.has(value));
      if (gone.length) problems.push(`${name} is no longer exported with ${label} ${gone}`);
    }
  }
  for (const [name, { isSite }] of known) {
    if (isSite && !live.has(name)) problems.push(`${name} is recorded, but not exported`);
  }
  return problems.map((problem) => `${problem} (to record anew: ${RECORD})`);
}
