// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListLeavesResponse } from './types.ts';

export interface ListLeavesQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /** Empty: all. */
  resource?: string;
}

/** List leaves */
export function listLeaves(query: ListLeavesQuery, options: CallOptions = {}): Promise<ListLeavesResponse> {
  return call({ method: 'GET', template: '/leaves', query, ...options });
}
