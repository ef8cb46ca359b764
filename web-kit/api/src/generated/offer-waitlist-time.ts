// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { OfferWaitlistTimeRequestInput, WaitlistEntry } from './types.ts';

/**
 * Offers the earliest free time of its day to a waiting entry, which is otherwise done within seconds. Only if no proven entry ahead
 * of it wants that time. `etag` must be current (If-Match), else ABORTED reason ETAG_MISMATCH. Errors: FAILED_PRECONDITION reason
 * NOT_WAITING; UNPROVEN, unless `spoken`; WAITLIST_MAX if the address already waits for this day, or for 4 days; NO_FREE_TIME;
 * NOT_FIRST.
 */
export function offerWaitlistTime(entry_id: string, body: OfferWaitlistTimeRequestInput, options: CallOptions = {}): Promise<WaitlistEntry> {
  return call({ method: 'POST', template: '/waitlist-entries/{entry_id}:offer', params: { entry_id }, body, ...options });
}
