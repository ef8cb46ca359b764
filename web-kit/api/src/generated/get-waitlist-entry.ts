// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { WaitlistEntry } from './types.ts';

/**
 * An entry with its offer, for its owner. The secret of a mail proves the address. A wrong secret and an unknown entry look alike:
 * NOT_FOUND.
 */
export function getWaitlistEntry(entry_id: string, options: CallOptions = {}): Promise<WaitlistEntry> {
  return call({ method: 'GET', template: '/waitlist-entries/{entry_id}', params: { entry_id }, ...options });
}
