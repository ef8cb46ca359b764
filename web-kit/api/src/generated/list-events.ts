// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListEventsResponse } from './types.ts';

export interface ListEventsQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists events: upcoming ones, soonest first, then past ones, latest first. */
export function listEvents(query: ListEventsQuery, options: CallOptions = {}): Promise<ListEventsResponse> {
  return call({ method: 'GET', template: '/events', query, ...options });
}
