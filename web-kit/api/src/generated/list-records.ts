// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListRecordsResponse } from './types.ts';

export interface ListRecordsQuery {
  /** Only records of this state. */
  state?: string;
  /** Only records whose title contains it, regardless of case. */
  q?: string;
  /** At most 100. 0: 20. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists records of a kind in the order of the site. Requires the scope content:read. */
export function listRecords(kind: string, query: ListRecordsQuery, options: CallOptions = {}): Promise<ListRecordsResponse> {
  return call({ method: 'GET', template: '/records/{kind}', params: { kind }, query, ...options });
}
