// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListFreeTimesResponse } from './types.ts';

export interface ListFreeTimesQuery {
  /** First day, YYYY-MM-DD in Asia/Kolkata. Empty: today. */
  from?: string;
  /** Last day, inclusive. Empty: `from`. At most 20 days after `from`. */
  to?: string;
}

/** Returns the free times of every bookable department for a range of days, in a compact form. */
export function listFreeTimes(query: ListFreeTimesQuery, options: CallOptions = {}): Promise<ListFreeTimesResponse> {
  return call({ method: 'GET', template: '/free-times', query, ...options });
}
