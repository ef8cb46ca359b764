// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Review {
  comment: string;
  image: string;
  location: string;
  name: string;
  /** 1 to 5. */
  rating: number;
}

export interface ListReviewsResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  reviews: Review[];
}

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
