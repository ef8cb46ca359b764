/** Lighthouse's four scores for a mobile visitor, with the audits that lowered them. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CHROMIUM, FLAGS } from './throttle.mjs';

/** On a busy machine Lighthouse sometimes misses the start of its own page load (NO_NAVSTART). */
const TRIES = 3;

/** Returns the scores, or Lighthouse's error output if every try failed. */
export async function lighthouse(url) {
  let failure;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    try {
      return await measure(url);
    } catch (error) {
      failure = error.stderr?.trim() || String(error);
    }
  }
  return { failure };
}

async function measure(url) {
  const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'));
  const report = join(folder, 'report.json');
  const cli = join(dirname(createRequire(import.meta.url).resolve('lighthouse/package.json')), 'cli/index.js');
  const flags = `--headless ${FLAGS.join(' ')} --user-data-dir=${join(folder, 'profile')}`;
  const options = [url, '--quiet', '--output=json', `--output-path=${report}`, `--chrome-flags=${flags}`];
  try {
    const env = { ...process.env, CHROME_PATH: CHROMIUM, HOME: folder };
    await promisify(execFile)(process.execPath, [cli, ...options], { env, timeout: 180_000, maxBuffer: 64 << 20 });
    return scores(JSON.parse(readFileSync(report, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function scores({ categories, audits }) {
  const of = (id) => Math.round(categories[id].score * 100);
  const counted = new Set(
    Object.values(categories).flatMap(({ auditRefs }) =>
      auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id),
    ),
  );
  return {
    performance: of('performance'),
    accessibility: of('accessibility'),
    bestPractices: of('best-practices'),
    seo: of('seo'),
    lowered: Object.values(audits)
      .filter(({ id, score }) => counted.has(id) && score !== null && score < 0.9)
      .map(({ id }) => id),
  };
}
