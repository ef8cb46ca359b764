// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { Hold, HoldInput } from './types.ts';

/**
 * Holds a time for 5 minutes while a form is filled in. A visitor has one hold; a new one replaces it.
 * Errors: INVALID_ARGUMENT; ALREADY_EXISTS reason SLOT_TAKEN with the nearest free times; RESOURCE_EXHAUSTED reason HOLDS_MAX if a
 * network has 20 holds, a quarter of a department's day, or has long held times of that day without booking one.
 */
export function createHold(body: HoldInput, options: KeyedCallOptions): Promise<Hold> {
  return call({ method: 'POST', template: '/holds', body, ...options });
}
