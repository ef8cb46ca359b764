// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListBurstsResponse } from './types.ts';

export interface ListBurstsQuery {
  /** Only what was booked since then. Empty: the last 24 hours. At most 30 days back. */
  since?: string;
  /** Bookings from which on a network is listed, 2 to 1000. 0: 10. */
  bookingsMin?: number;
}

/** Networks from which many bookings came in a short time, the largest first. */
export function listBursts(query: ListBurstsQuery, options: CallOptions = {}): Promise<ListBurstsResponse> {
  return call({ method: 'GET', template: '/booking-bursts', query, ...options });
}
