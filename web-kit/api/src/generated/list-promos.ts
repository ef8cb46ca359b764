// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListPromosResponse } from './types.ts';

export interface ListPromosQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /** For example `blog-sidebar`. Empty: all. */
  placement?: string;
}

/** Lists promotion banners of one placement or all. */
export function listPromos(query: ListPromosQuery, options: CallOptions = {}): Promise<ListPromosResponse> {
  return call({ method: 'GET', template: '/promos', query, ...options });
}
