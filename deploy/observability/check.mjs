#!/usr/bin/env node
/**
 * Checks this folder: `node deploy/observability/check.mjs`. `--folder` checks another folder. Without a collector in
 * PATH, its own validation is reported as skipped.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { collectorFiles, collectorProblems } from './check/collector.mjs';
import { dayProblems, dayTest } from './check/day.mjs';
import { dashboardProblems } from './check/dashboards.mjs';
import { logProblems } from './check/logs.mjs';
import { expressionRules, fixtureProblems, metricProblems } from './check/metrics.mjs';
import {
  alertProblems,
  coverageProblems,
  pagingProblems,
  probeProblems,
  readRules,
  routeProblems,
  ruleFiles,
  runbookProblems,
} from './check/rules.mjs';

export const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** Time limit of a tool in milliseconds. The rule tests simulate days and take some ten seconds. */
const TOOL_MS_MAX = 180_000;
/** Maximum output of a tool in bytes. A page of metrics has some tens of kilobytes. */
const TOOL_OUTPUT_BYTES_MAX = 16 << 20;
const PACKAGES = { promtool: 'prometheus', amtool: 'prometheus-alertmanager' };
const COLLECTORS = ['otelcol-contrib', 'otelcol'];

/**
 * Folder in which `cargo xtask test` unpacks the packages. Installed packages would start daemons on the site's ports.
 */
const UNPACKED = join(FOLDER, '../../target/debian/usr/bin');

/** Returns the path of a program in PATH, or unpacked. */
export function find(program) {
  const places = [...(process.env.PATH ?? '').split(delimiter), UNPACKED];
  return places.map((place) => join(place, program)).find((file) => existsSync(file));
}

/** Runs a tool; returns its output as the problem if it fails. */
async function ask(program, line, cwd, env = process.env) {
  const options = { cwd, env, timeout: TOOL_MS_MAX, maxBuffer: TOOL_OUTPUT_BYTES_MAX };
  try {
    await promisify(execFile)(find(program) ?? program, line, options);
    return [];
  } catch (error) {
    const said = [error.stdout, error.stderr].filter(Boolean).join('\n').trim();
    return [`${line.join(' ')}: ${said || error.message}`];
  }
}

/**
 * Returns the problems that the tools of Prometheus and Alertmanager report. A missing tool is a problem that names its
 * package.
 */
export async function toolProblems(folder, found = find) {
  const missing = Object.entries(PACKAGES).filter(([program]) => !found(program));
  if (missing.length) {
    return missing.map(([program, name]) => `${program} is missing: it is in Debian's package ${name}`);
  }
  const place = join(folder, 'prometheus');
  const { rules, tests } = ruleFiles(folder);
  const first = await all([
    ask('promtool', ['check', 'rules', ...rules], place),
    ask('promtool', ['check', 'config', 'prometheus.yml'], place),
    ask('amtool', ['check-config', 'alertmanager.yml'], join(folder, 'alertmanager')),
    withFile('expressions.yml', expressionRules(folder), (file) => ask('promtool', ['check', 'rules', file], place)),
  ]);
  // Unreadable rules would fail every test again.
  if (first.length) return first;
  return all([
    firingOnNormalDay(folder),
    ...tests.map((file) => ask('promtool', ['test', 'rules', file], join(place, 'tests'))),
  ]);
}

/** Returns the alerts that fire on a normal day, as the problem of `promtool`. */
export function firingOnNormalDay(folder) {
  return withFile('day.yml', dayTest(folder), (file) => ask('promtool', ['test', 'rules', file], folder));
}

const all = async (asked) => (await Promise.all(asked)).flat();

/** Calls `act` with a temporary file of this content. JSON is YAML. */
async function withFile(name, content, act) {
  const place = mkdtempSync(join(tmpdir(), 'hospital-observability-'));
  try {
    writeFileSync(join(place, name), JSON.stringify(content));
    return await act(join(place, name));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Validates both configurations with a collector; reported as skipped without one. */
export async function validateCollector(folder) {
  const program = COLLECTORS.find(find);
  if (!program)
    return { problems: [], skipped: [`the collector's own validation: none of ${COLLECTORS.join(', ')} is in PATH`] };
  const env = {
    ...process.env,
    TRACES_ENDPOINT: '127.0.0.1:4317',
    SAMPLING_HOST: 'localhost',
    LOG_FILES: '/var/log/*.log',
    LOKI_ENDPOINT: 'http://127.0.0.1:3100/otlp',
  };
  return {
    problems: await all(
      collectorFiles(folder).map((file) => ask(program, ['validate', `--config=${file}`], folder, env)),
    ),
    skipped: [],
  };
}

/** Returns the problems that can be found without tools and without running programs. */
export function textProblems(folder) {
  const rules = readRules(folder);
  return [
    ...alertProblems(rules.alerts),
    ...pagingProblems(rules),
    ...runbookProblems(folder, rules.alerts),
    ...coverageProblems(folder, rules.alerts),
    ...routeProblems(folder, rules.alerts),
    ...probeProblems(folder),
    ...dashboardProblems(folder, rules.alerts),
    ...metricProblems(folder, rules),
    ...fixtureProblems(folder, rules),
    ...dayProblems(folder),
    ...collectorProblems(folder),
    ...logProblems(folder),
  ];
}

async function main() {
  const { values } = parseArgs({ options: { folder: { type: 'string', default: FOLDER } } });
  const collector = await validateCollector(values.folder);
  const problems = [...textProblems(values.folder), ...(await toolProblems(values.folder)), ...collector.problems];
  for (const reason of collector.skipped) console.log(`skipped: ${reason}`);
  for (const problem of problems) console.error(problem);
  console.log(problems.length ? `${problems.length} problems` : 'the observability stack has no problems');
  process.exitCode = problems.length ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
