#!/usr/bin/env node
/**
 * Is this folder right? `node deploy/observability/check.mjs [--metrics FILE]… [--url ADDRESS]…`
 *
 * Files and addresses are pages of `/metrics`, of the gateway and every service together: every metric that is asked for must be in one
 * of them. Without any, and without a collector in PATH, that part is named as skipped. `--folder` checks another one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { collectorFiles, collectorProblems } from './check/collector.mjs';
import { dashboardProblems } from './check/dashboards.mjs';
import { fixtureProblems, metricProblems } from './check/metrics.mjs';
import {
  alertProblems,
  coverageProblems,
  probeProblems,
  readRules,
  routeProblems,
  ruleFiles,
  runbookProblems,
} from './check/rules.mjs';

export const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** The tests of rules play days; they take some ten seconds. */
const TOOL_MS_MAX = 180_000;
const FETCH_MS_MAX = 5_000;
/** A page of metrics is some tens of kilobytes. */
const TOOL_OUTPUT_BYTES_MAX = 16 << 20;
const PACKAGES = { promtool: 'prometheus', amtool: 'prometheus-alertmanager' };
const COLLECTORS = ['otelcol-contrib', 'otelcol'];

/** Where `cargo xtask test` unpacks the packages: installed, they would start daemons on the ports that the site uses. */
const UNPACKED = join(FOLDER, '../../target/debian/usr/bin');

/** The path of a program: of PATH, or unpacked. */
export function find(program) {
  const places = [...(process.env.PATH ?? '').split(delimiter), UNPACKED];
  return places.map((place) => join(place, program)).find((file) => existsSync(file));
}

/** Runs a tool; what it says is the problem when it refuses. */
function ask(program, line, cwd, env = process.env) {
  const options = { cwd, env, encoding: 'utf8', stdio: 'pipe', timeout: TOOL_MS_MAX, maxBuffer: TOOL_OUTPUT_BYTES_MAX };
  try {
    execFileSync(find(program) ?? program, line, options);
    return [];
  } catch (error) {
    const said = [error.stdout, error.stderr].filter(Boolean).join('\n').trim();
    return [`${line.join(' ')}: ${said || error.message}`];
  }
}

/** What the tools of Prometheus and Alertmanager say. A missing one is a problem that names its package. */
export function toolProblems(folder, found = find) {
  const missing = Object.entries(PACKAGES).filter(([program]) => !found(program));
  if (missing.length) {
    return missing.map(([program, name]) => `${program} is missing: it is in Debian's package ${name}`);
  }
  const place = join(folder, 'prometheus');
  const { rules, tests } = ruleFiles(folder);
  const first = [
    ...ask('promtool', ['check', 'rules', ...rules], place),
    ...ask('promtool', ['check', 'config', 'prometheus.yml'], place),
    ...ask('amtool', ['check-config', 'alertmanager.yml'], join(folder, 'alertmanager')),
  ];
  // Rules that cannot be read would fail every test again.
  return first.length ? first : tests.flatMap((file) => ask('promtool', ['test', 'rules', file], join(place, 'tests')));
}

/** What a collector says to both configurations; named as skipped when there is none. */
export function validateCollector(folder) {
  const program = COLLECTORS.find(find);
  if (!program)
    return { problems: [], skipped: [`the collector's own validation: none of ${COLLECTORS.join(', ')} is in PATH`] };
  const env = { ...process.env, TRACES_ENDPOINT: '127.0.0.1:4317', SAMPLING_HOST: 'localhost' };
  return {
    problems: collectorFiles(folder).flatMap((file) => ask(program, ['validate', `--config=${file}`], folder, env)),
    skipped: [],
  };
}

/** Everything that needs no tool and no running program. */
export function textProblems(folder) {
  const rules = readRules(folder);
  return [
    ...alertProblems(rules.alerts),
    ...runbookProblems(folder, rules.alerts),
    ...coverageProblems(folder, rules.alerts),
    ...routeProblems(folder, rules.alerts),
    ...probeProblems(folder),
    ...dashboardProblems(folder, rules.alerts),
    ...collectorProblems(folder),
  ];
}

/** Metrics and labels that rules, dashboards, runbooks or tests of rules use, and that none of the pages has. */
export function unknownMetrics(folder, texts, rare) {
  return [...metricProblems(folder, readRules(folder), texts, rare), ...fixtureProblems(folder, texts)];
}

async function pages({ metrics, url }) {
  const fetched = url.map(async (address) => {
    const answer = await fetch(address, { signal: AbortSignal.timeout(FETCH_MS_MAX) });
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
    return answer.text();
  });
  return [...metrics.map((file) => readFileSync(file, 'utf8')), ...(await Promise.all(fetched))];
}

async function main() {
  const many = { type: 'string', multiple: true, default: [] };
  const { values } = parseArgs({ options: { metrics: many, url: many, folder: { type: 'string', default: FOLDER } } });
  const texts = await pages(values);
  const collector = validateCollector(values.folder);
  const problems = [...textProblems(values.folder), ...toolProblems(values.folder), ...collector.problems];
  const skipped = [...collector.skipped];
  if (texts.length) problems.push(...unknownMetrics(values.folder, texts));
  else skipped.push('names of metrics: neither --metrics nor --url is given');
  for (const reason of skipped) console.log(`skipped: ${reason}`);
  for (const problem of problems) console.error(problem);
  console.log(problems.length ? `${problems.length} problems` : 'the observability stack is sound');
  process.exitCode = problems.length ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
