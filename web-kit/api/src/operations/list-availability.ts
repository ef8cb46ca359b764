// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface AvailabilitySlot {
  /** True when a booking would be accepted now. */
  available: boolean;
  /** True when somebody sees patients then: what is staffed and not available is taken, or too near. */
  staffed: boolean;
  startsAt: string;
  /** Label of the specification, for example `9:00 AM`. */
  time: string;
}

export interface AvailabilityDay {
  /** Why nothing can be booked on this day, in words for the visitor. Empty: open. */
  closedReason: string;
  /** YYYY-MM-DD. */
  date: string;
  slots: AvailabilitySlot[];
}

export interface ListAvailabilityResponse {
  /** One entry a day of the span, also for closed days. */
  days: AvailabilityDay[];
  /** Always Asia/Kolkata. */
  timeZone: string;
}

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

/** The times of a department (or of one of its doctors) for a span of days: all 18 labels, free or not, and why a day is closed. */
export function listAvailability(query: ListAvailabilityQuery, options: CallOptions = {}): Promise<ListAvailabilityResponse> {
  return call({ method: 'GET', template: '/availability', query, ...options });
}
