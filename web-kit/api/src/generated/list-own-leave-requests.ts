// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListOwnLeaveRequestsResponse } from './types.ts';

export interface ListOwnLeaveRequestsQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Returns the doctor's own requests, the latest first. */
export function listOwnLeaveRequests(query: ListOwnLeaveRequestsQuery, options: CallOptions = {}): Promise<ListOwnLeaveRequestsResponse> {
  return call({ method: 'GET', template: '/own-leave-requests', query, ...options });
}
