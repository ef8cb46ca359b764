// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface FreeDay {
  /** Why nothing can be booked on this day. Empty: open. */
  closedReason: string;
  /** YYYY-MM-DD. */
  date: string;
  /** Labels of the free times, for example `9:00 AM`. */
  free: string[];
  /** Labels of the times at which somebody sees patients and that are taken, or too near. */
  full: string[];
}

export interface DepartmentFreeTimes {
  /** One entry a day of the span. */
  days: FreeDay[];
  /** Department id. */
  department: string;
}

export interface ListFreeTimesResponse {
  /** The bookable departments, in the order of the form. */
  departments: DepartmentFreeTimes[];
  /** Always Asia/Kolkata. */
  timeZone: string;
}

export interface ListFreeTimesQuery {
  /** First day, YYYY-MM-DD in Asia/Kolkata. Empty: today. */
  from?: string;
  /** Last day, inclusive. Empty: `from`. At most 20 days after `from`. */
  to?: string;
}

/** The free times of every bookable department for a span of days, short: who tries one department after another needs one call. */
export function listFreeTimes(query: ListFreeTimesQuery, options: CallOptions = {}): Promise<ListFreeTimesResponse> {
  return call({ method: 'GET', template: '/free-times', query, ...options });
}
