// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListPublicationsResponse } from './types.ts';

export interface ListPublicationsQuery {
  /** Only those since this time. Not given: all. */
  since?: string;
  /** At most 100. 0: 20. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists what changed on the site, newest first. */
export function listPublications(query: ListPublicationsQuery, options: CallOptions = {}): Promise<ListPublicationsResponse> {
  return call({ method: 'GET', template: '/publications', query, ...options });
}
