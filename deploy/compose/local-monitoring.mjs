/**
 * Fits the copy of ../observability to compose.local.yaml: `node local-monitoring.mjs PROJECT FOLDER REPLICAS FACTOR`.
 * Lists each container of a program and sends alerts by mail to the container `mail`. A FACTOR above 1 divides how long
 * an alert must hold and how long it waits for others of its group, so that faults of a minute show which alerts hours
 * of the fault would ring. Ranges of the expressions stay.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 };

const [project, folder, replicas, factor] = process.argv.slice(2);
const change = (name, edit) => {
  const file = join(folder, name);
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
};
const shorter = (text) =>
  text.replace(/^(\s+(?:for|keep_firing_for|group_wait|group_interval): )(\d+)([smhd])$/gm, (_, field, count, unit) => {
    return `${field}${Math.ceil((Number(count) * SECONDS[unit]) / Number(factor))}s`;
  });

for (const name of readdirSync(join(folder, 'prometheus/rules'))) change(join('prometheus/rules', name), shorter);
change('prometheus/prometheus.yml', (text) => text.replace(/^( {2}(?:scrape|evaluation)_interval): 15s$/gm, '$1: 5s'));
change('prometheus/targets/site.yml', (text) =>
  text.replace(/'([a-z-]+):(\d+)'/g, (_, name, port) =>
    Array.from({ length: Number(replicas) }, (_, index) => `'${project}_${name}_${index + 1}:${port}'`).join(', '),
  ),
);
change('alertmanager/alertmanager.yml', (text) =>
  shorter(text)
    .replace(/^( {2}smtp_smarthost): .*$/m, '$1: mail:1025')
    .replace(/^( {2}smtp_require_tls): .*$/m, '$1: false')
    .replace(/^ {2}smtp_auth_.*\n/gm, ''),
);
