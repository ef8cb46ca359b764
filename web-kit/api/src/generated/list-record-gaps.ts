// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListRecordGapsResponse } from './types.ts';

export interface ListRecordGapsQuery {
  /** At most 100. 0: 20. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists what live records lack, by kind in the order of the desk. Computed from what visitors read, at most a minute old. */
export function listRecordGaps(query: ListRecordGapsQuery, options: CallOptions = {}): Promise<ListRecordGapsResponse> {
  return call({ method: 'GET', template: '/record-gaps', query, ...options });
}
