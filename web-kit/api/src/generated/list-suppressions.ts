// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListSuppressionsResponse } from './types.ts';

export interface ListSuppressionsQuery {
  /** At most 100. 0: 50. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists addresses that do not exist, newest first. Mails to them are suppressed for 30 days. */
export function listSuppressions(query: ListSuppressionsQuery, options: CallOptions = {}): Promise<ListSuppressionsResponse> {
  return call({ method: 'GET', template: '/suppressions', query, ...options });
}
