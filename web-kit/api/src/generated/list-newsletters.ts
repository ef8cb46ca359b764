// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListNewslettersResponse } from './types.ts';

export interface ListNewslettersQuery {
  /** At most 100. 0: 50. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists sent newsletters, newest first. */
export function listNewsletters(query: ListNewslettersQuery, options: CallOptions = {}): Promise<ListNewslettersResponse> {
  return call({ method: 'GET', template: '/newsletters', query, ...options });
}
