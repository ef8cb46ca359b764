// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListAvailabilityResponse } from './types.ts';

export interface ListAvailabilityQuery {
  /** Department id or label. Required. */
  department: string;
  /** Doctor id. Empty: any doctor of the department. */
  doctor?: string;
  /** First day, YYYY-MM-DD in Asia/Kolkata. Empty: today. */
  from?: string;
  /** Last day, inclusive, YYYY-MM-DD in Asia/Kolkata. Empty: `from`. At most 62 days after `from`. */
  to?: string;
}

/** Returns the times of a department or of one of its doctors for a range of days: all 18 labels, free or not, and why a day is closed. */
export function listAvailability(query: ListAvailabilityQuery, options: CallOptions = {}): Promise<ListAvailabilityResponse> {
  return call({ method: 'GET', template: '/availability', query, ...options });
}
