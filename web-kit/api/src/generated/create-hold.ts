// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { Hold, HoldInput } from './types.ts';

/**
 * Keeps a time for 5 minutes while a form is filled in. A visitor has one hold: a new one ends the one before.
 * Errors: INVALID_ARGUMENT; ALREADY_EXISTS reason SLOT_TAKEN with the nearest free times; RESOURCE_EXHAUSTED reason HOLDS_MAX when a
 * network has too many: 20, or a quarter of a department's day, or has held times of that day for long without booking one.
 */
export function createHold(body: HoldInput, options: KeyedCallOptions): Promise<Hold> {
  return call({ method: 'POST', template: '/holds', body, ...options });
}
