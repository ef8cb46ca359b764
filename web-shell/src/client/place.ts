import type { Failure } from '@hospital/api/telemetry';

export type Place = Pick<Failure, 'team' | 'version' | 'module'>;

/**
 * Matches team, version, and the file name before its hash. For page modules, federation adds a prefix to the name and
 * replaces its hyphens with underscores.
 */
const PUBLISHED_FILE = /\/remotes\/([a-z][a-z0-9]*)\/([^/\s]+)\/(?:__federation_expose_)?([A-Za-z0-9_-]+)\.[^/\s]*js/;

/**
 * Returns the published file named by a URL, or by the first line of a stack trace that names one. The gateway uses the
 * same names of files.
 */
export function placeOf(text: string): Place {
  const [, team = 'unknown', version = 'unknown', module = 'unknown'] = PUBLISHED_FILE.exec(text) ?? [];
  return { team, version, module: module.replaceAll('_', '-') };
}
