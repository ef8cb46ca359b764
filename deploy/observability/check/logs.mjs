/** Checks the links between log lines, traces and metrics in Grafana, and the limits of Loki. */
import { join } from 'node:path';
import { yaml } from './rules.mjs';

const sourcesOf = (folder) => yaml(join(folder, 'grafana/provisioning/datasources/hospital.yml')).datasources;

/** Returns the pattern with which Grafana finds the trace id in a log line. */
export function tracePattern(folder) {
  const fields = sourcesOf(folder).find(({ type }) => type === 'loki').jsonData.derivedFields;
  return new RegExp(fields.find(({ datasourceUid }) => datasourceUid === 'tempo').matcherRegex);
}

/** Returns the patterns with which the collector finds values in a log line. RE2 writes named groups with a `P`. */
export function collectorPatterns(folder) {
  const { operators } = yaml(join(folder, 'collector/logs.yml')).receivers.filelog;
  return operators.flatMap(({ regex }) => (regex ? [new RegExp(regex.replaceAll('(?P<', '(?<'))] : []));
}

/** Returns every value of this key, at any depth. */
function valuesOf(key, value) {
  if (!value || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...valuesOf(key, inner)]);
}

/** Returns the problems of the data sources and of Loki's configuration. */
export function logProblems(folder) {
  const sources = sourcesOf(folder);
  const uids = sources.map(({ uid }) => uid);
  const linked = valuesOf('datasourceUid', sources);
  const loki = yaml(join(folder, 'loki/loki.yml'));
  const tempo = yaml(join(folder, 'tempo/tempo.yml'));
  const { endpoint } = yaml(join(folder, 'collector/logs.yml')).exporters['otlphttp/loki'];
  const address = sources.find(({ uid }) => uid === 'loki')?.url;
  const problems = [];
  if (new Set(uids).size !== uids.length) problems.push('hospital.yml: two data sources have the same uid');
  for (const uid of linked) {
    if (!uids.includes(uid)) problems.push(`hospital.yml: a link leads to the data source ${uid}, which is missing`);
  }
  for (const [from, to] of [
    ['loki', 'tempo'],
    ['tempo', 'loki'],
    ['prometheus', 'tempo'],
  ]) {
    const own = sources.find(({ type }) => type === from);
    if (!valuesOf('datasourceUid', own?.jsonData).includes(to))
      problems.push(`hospital.yml: no link from ${from} to ${to}`);
  }
  if (!address?.endsWith(`:${loki.server.http_listen_port}`))
    problems.push(`hospital.yml: Loki listens on ${loki.server.http_listen_port}, not at ${address}`);
  if (endpoint !== '${env:LOKI_ENDPOINT}') problems.push('logs.yml: the exporter is not at LOKI_ENDPOINT');
  if (loki.limits_config.retention_period !== tempo.compactor.compaction.block_retention)
    problems.push('loki.yml: lines and traces are not kept equally long');
  if (!loki.compactor.retention_enabled) problems.push('loki.yml: nothing deletes old lines');
  for (const limit of ['ingestion_rate_mb', 'max_line_size', 'max_streams_per_user', 'max_query_length']) {
    if (!loki.limits_config[limit]) problems.push(`loki.yml: no ${limit}`);
  }
  const folders = ['chunks_directory', 'rules_directory', 'working_directory'].flatMap((key) => valuesOf(key, loki));
  for (const path of folders) {
    if (!path.startsWith(loki.common.path_prefix)) problems.push(`loki.yml: ${path} is outside the volume`);
  }
  return problems;
}
