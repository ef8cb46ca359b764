// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListDoctorsResponse } from './types.ts';

export interface ListDoctorsQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /** Label or key. Empty: all. */
  specialty?: string;
  /** Text to find in name or specialty, ignoring case. At most 100 characters. */
  q?: string;
}

/** Lists doctors in directory order, filtered by specialty and text. */
export function listDoctors(query: ListDoctorsQuery, options: CallOptions = {}): Promise<ListDoctorsResponse> {
  return call({ method: 'GET', template: '/doctors', query, ...options });
}
