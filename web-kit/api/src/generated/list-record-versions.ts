// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListRecordVersionsResponse } from './types.ts';

export interface ListRecordVersionsQuery {
  /** At most 20. 0: 20. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists the versions of a record, newest first, with bodies. */
export function listRecordVersions(kind: string, record_id: string, query: ListRecordVersionsQuery, options: CallOptions = {}): Promise<ListRecordVersionsResponse> {
  return call({ method: 'GET', template: '/records/{kind}/{record_id}/versions', params: { kind, record_id }, query, ...options });
}
