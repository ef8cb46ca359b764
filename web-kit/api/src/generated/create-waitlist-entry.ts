// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { WaitlistEntry, WaitlistEntryInput } from './types.ts';

/**
 * Adds a person to the waitlist of a day and mails a link. Times are offered once that link was opened. The response does not depend
 * on stored data of the person. Errors: INVALID_ARGUMENT; FAILED_PRECONDITION reason NETWORK_WAITLIST_MAX (at most 4 entries
 * per network, department and day, 12 in 24 hours), NOT_FULL if the day has free times.
 */
export function createWaitlistEntry(body: WaitlistEntryInput, options: KeyedCallOptions): Promise<WaitlistEntry> {
  return call({ method: 'POST', template: '/waitlist-entries', body, ...options });
}
