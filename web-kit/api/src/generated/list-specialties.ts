// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListSpecialtiesResponse } from './types.ts';

export interface ListSpecialtiesQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists the cards of the specialties page, in order. A specialty may have two. */
export function listSpecialties(query: ListSpecialtiesQuery, options: CallOptions = {}): Promise<ListSpecialtiesResponse> {
  return call({ method: 'GET', template: '/specialties', query, ...options });
}
