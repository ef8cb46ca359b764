// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { WaitlistEntry } from './types.ts';

/** Returns an entry with its offer to its owner. A mailed secret proves the address. Errors: NOT_FOUND, for a wrong secret too. */
export function getWaitlistEntry(entry_id: string, options: CallOptions = {}): Promise<WaitlistEntry> {
  return call({ method: 'GET', template: '/waitlist-entries/{entry_id}', params: { entry_id }, ...options });
}
