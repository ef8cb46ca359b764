import type { Failure } from '@hospital/api/telemetry';

export type Place = Pick<Failure, 'team' | 'version' | 'module'>;

/** Team, version, and the name of the file before its hash. Federation has a prefix before a page module's name, and no hyphens in it. */
const PUBLISHED_FILE = /\/remotes\/([a-z][a-z0-9]*)\/([^/\s]+)\/(?:__federation_expose_)?([A-Za-z0-9_-]+)\.[^/\s]*js/;

/** The published file that an address, or the first line of a stack that names one, is about. The gateway knows files by the same names. */
export function placeOf(text: string): Place {
  const [, team = 'unknown', version = 'unknown', module = 'unknown'] = PUBLISHED_FILE.exec(text) ?? [];
  return { team, version, module: module.replaceAll('_', '-') };
}
