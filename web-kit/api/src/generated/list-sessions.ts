// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListSessionsResponse } from './types.ts';

export interface ListSessionsQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /** Id or label. Empty: all. */
  department?: string;
}

/** List sessions */
export function listSessions(query: ListSessionsQuery, options: CallOptions = {}): Promise<ListSessionsResponse> {
  return call({ method: 'GET', template: '/sessions', query, ...options });
}
