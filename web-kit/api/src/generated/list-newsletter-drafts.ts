// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListNewsletterDraftsResponse } from './types.ts';

export interface ListNewsletterDraftsQuery {
  /** At most 100. 0: 50. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists drafts, newest first. */
export function listNewsletterDrafts(query: ListNewsletterDraftsQuery, options: CallOptions = {}): Promise<ListNewsletterDraftsResponse> {
  return call({ method: 'GET', template: '/newsletter-drafts', query, ...options });
}
