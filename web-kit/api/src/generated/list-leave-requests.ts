// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListLeaveRequestsResponse } from './types.ts';

export interface ListLeaveRequestsQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Returns the waiting requests of all doctors, the earliest first, with `uncovers`. */
export function listLeaveRequests(query: ListLeaveRequestsQuery, options: CallOptions = {}): Promise<ListLeaveRequestsResponse> {
  return call({ method: 'GET', template: '/leave-requests', query, ...options });
}
