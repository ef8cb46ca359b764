// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListWaitlistEntriesResponse } from './types.ts';

export interface ListWaitlistEntriesQuery {
  /** At most 100. 0: 50. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /** A day, YYYY-MM-DD in Asia/Kolkata. Empty: today and later, or all with `phone`. */
  date?: string;
  /** Department id or label. Empty: all. */
  department?: string;
  /** For example `booked` or WAITLIST_STATE_BOOKED; `all`. Empty: waiting and offered, or all with `phone`. */
  state?: string;
  /** Complete phone number, as given. Empty: all. */
  phone?: string;
}

/** Lists entries for staff by day, department and place in the queue. */
export function listWaitlistEntries(query: ListWaitlistEntriesQuery, options: CallOptions = {}): Promise<ListWaitlistEntriesResponse> {
  return call({ method: 'GET', template: '/waitlist-entries', query, ...options });
}
