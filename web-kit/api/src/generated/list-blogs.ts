// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListBlogsResponse } from './types.ts';

export interface ListBlogsQuery {
  /** At most 100. 0: 20. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /** Label. Empty: all. */
  category?: string;
}

/** Lists blog posts, newest first, without sections and with the first 200 characters of the content. */
export function listBlogs(query: ListBlogsQuery, options: CallOptions = {}): Promise<ListBlogsResponse> {
  return call({ method: 'GET', template: '/blogs', query, ...options });
}
