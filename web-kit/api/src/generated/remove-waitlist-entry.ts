// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { RemoveWaitlistEntryRequestInput, WaitlistEntry } from './types.ts';

/**
 * Ends an entry for staff, with a notice to the person. Its offer passes to the next person. `etag` as above. Errors:
 * FAILED_PRECONDITION reason NOT_WAITING if it has ended or is booked.
 */
export function removeWaitlistEntry(entry_id: string, body: RemoveWaitlistEntryRequestInput, options: CallOptions = {}): Promise<WaitlistEntry> {
  return call({ method: 'POST', template: '/waitlist-entries/{entry_id}:remove', params: { entry_id }, body, ...options });
}
