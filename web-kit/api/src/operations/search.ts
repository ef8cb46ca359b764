// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface SearchResult {
  /** doctor, service, specialty, surgery, event, blog, news or page. */
  kind: string;
  /** Path of the page, for example `/doctor/asha-rao`. */
  path: string;
  summary: string;
  title: string;
}

export interface SearchResponse {
  /** Corrected query, if the typed words had no matches. */
  corrected: string;
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  results: SearchResult[];
}

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
