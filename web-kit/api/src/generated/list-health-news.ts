// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListHealthNewsResponse } from './types.ts';

export interface ListHealthNewsQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists the ticker's headlines. */
export function listHealthNews(query: ListHealthNewsQuery, options: CallOptions = {}): Promise<ListHealthNewsResponse> {
  return call({ method: 'GET', template: '/health-news', query, ...options });
}
