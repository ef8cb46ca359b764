// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Leave {
  /** First and last day, YYYY-MM-DD, inclusive; at most 1000 days. Required. */
  from: string;
  /** Output only. */
  id: string;
  /** For staff. At most 200 characters. No patient's data. */
  reason: string;
  /** `doctor:<id>` or `clinic:<session id>`. Required. */
  resource: string;
  until: string;
}

export interface ListLeavesResponse {
  leaves: Leave[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

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
