// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListEventRegistrationsResponse } from './types.ts';

export interface ListEventRegistrationsQuery {
  /** At most 100. 0: 50. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/**
 * Lists the people registered for an event, first come first. Writes an audit entry with every registration on the page. Errors:
 * NOT_FOUND for an unknown event.
 */
export function listEventRegistrations(event_id: string, query: ListEventRegistrationsQuery, options: CallOptions = {}): Promise<ListEventRegistrationsResponse> {
  return call({ method: 'GET', template: '/events/{event_id}/registrations', params: { event_id }, query, ...options });
}
