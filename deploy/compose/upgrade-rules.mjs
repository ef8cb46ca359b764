/**
 * Fits the copy of Prometheus's files to compose.upgrade.yaml: `node upgrade-rules.mjs PROJECT FOLDER`. Lists both
 * containers of each program, scrapes more often, and divides how long an alert must hold, so that faults of a minute
 * show which alerts hours of the fault would ring. Ranges of the expressions stay.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const FACTOR = 20;
const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [project, folder] = process.argv.slice(2);
  const change = (name, edit) => {
    const file = join(folder, name);
    writeFileSync(file, edit(readFileSync(file, 'utf8')));
  };
  const shorter = (text) =>
    text.replace(/^(\s+(?:for|keep_firing_for): )(\d+)([smhd])$/gm, (_, field, count, unit) => {
      return `${field}${Math.ceil((Number(count) * SECONDS[unit]) / FACTOR)}s`;
    });

  for (const name of readdirSync(join(folder, 'rules'))) change(join('rules', name), shorter);
  change('prometheus.yml', (text) => text.replace(/^( {2}(?:scrape|evaluation)_interval): 15s$/gm, '$1: 5s'));
  change('targets/site.yml', (text) =>
    text.replace(/'([a-z-]+):(\d+)'/g, (_, name, port) =>
      [1, 2].map((replica) => `'${project}_${name}_${replica}:${port}'`).join(', '),
    ),
  );
}
