// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { LeaveWaitlistRequestInput, WaitlistEntry } from './types.ts';

/** Ends the entry. Its offer passes to the next person. */
export function leaveWaitlist(entry_id: string, body: LeaveWaitlistRequestInput, options: CallOptions = {}): Promise<WaitlistEntry> {
  return call({ method: 'POST', template: '/waitlist-entries/{entry_id}:leave', params: { entry_id }, body, ...options });
}
