// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListNewsResponse } from './types.ts';

export interface ListNewsQuery {
  /** At most 100. 0: 20. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists news, newest first, with the first 200 characters of the content. */
export function listNews(query: ListNewsQuery, options: CallOptions = {}): Promise<ListNewsResponse> {
  return call({ method: 'GET', template: '/news', query, ...options });
}
