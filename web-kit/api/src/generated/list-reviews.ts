// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListReviewsResponse } from './types.ts';

export interface ListReviewsQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists patients' reviews. */
export function listReviews(query: ListReviewsQuery, options: CallOptions = {}): Promise<ListReviewsResponse> {
  return call({ method: 'GET', template: '/reviews', query, ...options });
}
