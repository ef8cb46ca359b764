// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListRegistrationEventsResponse } from './types.ts';

export interface ListRegistrationEventsQuery {
  /** At most 100. 0: 50. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists the events that people can register for or could in the last 90 days, soonest first, with the places taken. */
export function listRegistrationEvents(query: ListRegistrationEventsQuery, options: CallOptions = {}): Promise<ListRegistrationEventsResponse> {
  return call({ method: 'GET', template: '/registration-events', query, ...options });
}
