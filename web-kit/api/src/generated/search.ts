// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { SearchResponse } from './types.ts';

export interface SearchQuery {
  /** At most 100 characters. Required. */
  q: string;
  /** At most 100. 0: 20. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Searches everything that has a page, best match first. Tolerates misspelt words. */
export function search(query: SearchQuery, options: CallOptions = {}): Promise<SearchResponse> {
  return call({ method: 'GET', template: '/search', query, ...options });
}
