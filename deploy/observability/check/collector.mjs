/** Checks of the collector's configurations that the collector's own validation lacks. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { yaml } from './rules.mjs';

/** Returns the configuration files in the folder. */
export function collectorFiles(folder) {
  const place = join(folder, 'collector');
  return readdirSync(place)
    .filter((name) => name.endsWith('.yml'))
    .map((name) => join(place, name));
}

/** Returns the missing bounds of an exporter, which may be nested in a protocol. */
function unbounded(exporter) {
  const own = exporter.protocol?.otlp ?? exporter;
  const problems = [];
  if (!own.sending_queue?.queue_size) problems.push('no queue_size');
  if (!own.retry_on_failure?.max_elapsed_time || own.retry_on_failure.max_elapsed_time === '0s')
    problems.push('no limit of retries');
  if (!own.timeout) problems.push('no timeout');
  return problems;
}

/** Returns the problems of the configurations. */
export function collectorProblems(folder) {
  return collectorFiles(folder).flatMap((file) => {
    const config = yaml(file);
    const name = basename(file);
    const problems = [];
    for (const [pipeline, parts] of Object.entries(config.service?.pipelines ?? {})) {
      if (parts.processors?.[0] !== 'memory_limiter')
        problems.push(`${name}: ${pipeline} does not begin with memory_limiter`);
      for (const kind of ['receivers', 'processors', 'exporters']) {
        for (const part of parts[kind] ?? []) {
          if (!(part in (config[kind] ?? {})))
            problems.push(`${name}: ${pipeline} uses ${part}, which is not configured`);
        }
      }
      const allowed = parts.processors?.indexOf('transform/allowed') ?? -1;
      const sampled = parts.processors?.indexOf('tail_sampling') ?? -1;
      if (sampled >= 0 && (allowed < 0 || allowed > sampled))
        problems.push(`${name}: ${pipeline} samples before it filters attributes`);
    }
    for (const [exporter, parts] of Object.entries(config.exporters ?? {})) {
      problems.push(...unbounded(parts).map((problem) => `${name}: ${exporter} has ${problem}`));
    }
    return problems;
  });
}
