// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListBurstsResponse } from './types.ts';

export interface ListBurstsQuery {
  /** Only bookings made since then. Empty: the last 24 hours. At most 30 days back. */
  since?: string;
  /** Minimum bookings of a listed network, 2 to 1000. 0: 10. */
  bookingsMin?: number;
}

/** Lists networks with many bookings in a short time, largest first. */
export function listBursts(query: ListBurstsQuery, options: CallOptions = {}): Promise<ListBurstsResponse> {
  return call({ method: 'GET', template: '/booking-bursts', query, ...options });
}
