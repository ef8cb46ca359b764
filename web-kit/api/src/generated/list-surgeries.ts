// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListSurgeriesResponse } from './types.ts';

export interface ListSurgeriesQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists deluxe surgeries in order, without long texts. */
export function listSurgeries(query: ListSurgeriesQuery, options: CallOptions = {}): Promise<ListSurgeriesResponse> {
  return call({ method: 'GET', template: '/surgeries', query, ...options });
}
