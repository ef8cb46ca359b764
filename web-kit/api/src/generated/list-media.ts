// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListMediaResponse } from './types.ts';

export interface ListMediaQuery {
  /** At most 100. 0: 20. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists pictures, newest first, each with what uses it. */
export function listMedia(query: ListMediaQuery, options: CallOptions = {}): Promise<ListMediaResponse> {
  return call({ method: 'GET', template: '/media', query, ...options });
}
