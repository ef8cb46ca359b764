// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListDeskAvailabilityResponse } from './types.ts';

export interface ListDeskAvailabilityQuery {
  /** Department id or label. Required. */
  department: string;
  /** Doctor id. Empty: any doctor of the department. */
  doctor?: string;
  /** First day, YYYY-MM-DD in Asia/Kolkata. Empty: today. */
  from?: string;
  /** Last day, inclusive, YYYY-MM-DD in Asia/Kolkata. Empty: `from`. At most 62 days after `from`. */
  to?: string;
}

/** Returns the times that the desk can book, like ListAvailability: every free time whose end is still ahead. */
export function listDeskAvailability(query: ListDeskAvailabilityQuery, options: CallOptions = {}): Promise<ListDeskAvailabilityResponse> {
  return call({ method: 'GET', template: '/desk-availability', query, ...options });
}
