#!/usr/bin/env node
/**
 * Measures the page speed of a running site: node bench/pages.mjs --base http://127.0.0.1:8080 [options]
 *   --paths /appointment,/doctors   pages to measure (default: those with a budget, budgets.mjs)
 *   --pid 123                       server process, for CPU per document (default: not measured)
 *   --runs 5                        cold loads of each kind; minimum, median and maximum are reported
 *   --lighthouse no                 skip Lighthouse
 *   --json FILE                     also write the numbers to this file
 *   --short                         one run of two pages in seconds, without Lighthouse; so does BENCH_SHORT=1
 * Fails if a page could not be measured.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { launch } from '../browser.mjs';
import { BUDGETS, excesses } from './budgets.mjs';
import { lighthouse } from './lighthouse.mjs';
import { load } from './load.mjs';
import { paint } from './paint.mjs';
import { ready } from './ready.mjs';
import { median } from './throttle.mjs';

/** A page that hydrates on interaction, and one that hydrates when it loads. */
const SHORT_PATHS = ['/', '/appointment'];

const { values: given } = parseArgs({
  options: {
    base: { type: 'string', default: 'http://127.0.0.1:8080' },
    paths: { type: 'string' },
    pid: { type: 'string' },
    runs: { type: 'string' },
    lighthouse: { type: 'string' },
    json: { type: 'string' },
    short: { type: 'boolean', default: process.env.BENCH_SHORT === '1' },
  },
});
const defaults = given.short
  ? { paths: SHORT_PATHS.join(','), runs: '1', lighthouse: 'no' }
  : { paths: Object.keys(BUDGETS).join(','), runs: '5', lighthouse: 'yes' };
const options = { ...defaults, ...given };

const rows = [];
for (const path of options.paths.split(',')) {
  // A page that can't be measured doesn't keep the others from it.
  const row = await measure(path, new URL(path, options.base).href).catch((error) => ({
    path,
    problems: [`${error}`],
  }));
  print(row);
  rows.push(row);
}
if (options.json) {
  mkdirSync(dirname(options.json), { recursive: true });
  writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
}
process.exitCode = rows.some(({ problems }) => problems.length) ? 1 : 0;

async function measure(path, url) {
  const browser = await launch();
  const [paints, readies] = [[], []];
  try {
    for (let run = 0; run < Number(options.runs); run += 1) paints.push(await paint(browser, url));
    for (let run = 0; run < Number(options.runs); run += 1) readies.push(await ready(browser, url));
  } finally {
    await browser.close();
  }
  const of = (list, key) => median(list.map((one) => one[key]));
  const range = (list, key) => {
    const runs = list.map((one) => one[key]).filter(Number.isFinite);
    return runs.length ? { min: Math.min(...runs), max: Math.max(...runs), runs } : null;
  };
  const numbers = ['fcp', 'lcp', 'cls', 'requests'].concat(
    ['html', 'css', 'js', 'font', 'image', 'total', 'withoutImages', 'ahead'].map((kind) => `${kind}Kb`),
  );
  const row = {
    path,
    ...Object.fromEntries(numbers.map((key) => [key, of(paints, key)])),
    nativeReady: of(readies, 'native'),
    hydrated: of(readies, 'hydrated'),
    filtered: of(readies, 'filtered'),
    ranges: {
      fcp: range(paints, 'fcp'),
      lcp: range(paints, 'lcp'),
      hydrated: range(readies, 'hydrated'),
      filtered: range(readies, 'filtered'),
    },
    problems: [...new Set(paints.flatMap(({ problems }) => problems))],
    ...(options.pid ? { load: await load(url, options.pid) } : {}),
    ...(options.lighthouse === 'no' ? {} : { lighthouse: await lighthouse(url) }),
  };
  return { ...row, over: excesses(path, row) };
}

function print(row) {
  const fixed = (number, digits = 0) => (number === null ? '–' : number.toFixed(digits));
  const kb = (key) => fixed(row[`${key}Kb`], 1);
  const { load: served, lighthouse: scores, ranges } = row;
  console.log(row.path);
  if (!ranges) return void console.log(`  NOT MEASURED ${row.problems.join('; ')}`);
  /** Minimum, median and maximum of a time in milliseconds. */
  const time = (key) =>
    ranges[key] ? [ranges[key].min, row[key], ranges[key].max].map((number) => fixed(number)).join('/') : '–';
  console.log(`  minimum/median/maximum in ms: FCP ${time('fcp')}, LCP ${time('lcp')}; CLS ${fixed(row.cls, 3)}
  reacts: form natively after ${fixed(row.nativeReady)}, hydrated after ${time('hydrated')}, filter after ${time('filtered')}
  ${row.requests} requests, ${kb('total')} KB: html ${kb('html')}, css ${kb('css')}, script ${kb('js')}, fonts ${kb('font')}, images ${kb('image')}; ahead ${kb('ahead')}`);
  if (served)
    console.log(
      `  ${fixed(served.cpuUsPerRequest, 1)} µs CPU per document at ${fixed(served.requestsPerSecond)}/s, ${served.failures} failures`,
    );
  if (scores) {
    const { performance, accessibility, bestPractices, seo, lowered } = scores;
    if (scores.failure) console.log(`  Lighthouse did not measure: ${scores.failure}`);
    else console.log(`  Lighthouse ${performance}/${accessibility}/${bestPractices}/${seo} ${lowered.join(', ')}`);
  }
  if (row.over.length) console.log(`  OVER BUDGET ${row.over.join('; ')}`);
  if (row.problems.length) console.log(`  PROBLEMS ${row.problems.join('; ')}`);
}
