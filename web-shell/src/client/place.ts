import type { Failure } from '@hospital/api/telemetry';

export type Place = Pick<Failure, 'team' | 'version' | 'module'>;

const PUBLISHED_FILE = /\/remotes\/([a-z][a-z0-9]*)\/([^/\s]+)\/([a-z0-9-]+)[^/\s]*\.js/;

/** The published file that an address, or the first line of a stack that names one, is about. */
export function placeOf(text: string): Place {
  const [, team = 'unknown', version = 'unknown', module = 'unknown'] = PUBLISHED_FILE.exec(text) ?? [];
  return { team, version, module };
}
