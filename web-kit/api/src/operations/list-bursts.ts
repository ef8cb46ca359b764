// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Burst {
  bookings: number;
  firstTime: string;
  lastTime: string;
  /** Names the network without saying it: a keyed hash, 16 hex digits. */
  network: string;
  /** How many of them are still open. */
  open: number;
}

export interface ListBurstsResponse {
  /** At most 100. */
  bursts: Burst[];
}

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
