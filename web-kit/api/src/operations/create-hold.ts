// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';

export interface Hold {
  /** Required. YYYY-MM-DD. */
  date: string;
  /** Department id or label. Required. */
  department: string;
  /** Empty: any doctor. */
  doctorId: string;
  /** Output only. */
  expireTime: string;
  /** Output only. Given with the create that takes it; whoever has it may end it. */
  id: string;
  /** Input: the hold that this one replaces, if any. */
  replaces: string;
  /** Required. Label of a slot. */
  time: string;
}

export interface HoldInput {
  /** Required. YYYY-MM-DD. */
  date: string;
  /** Department id or label. Required. */
  department: string;
  /** Empty: any doctor. */
  doctorId?: string;
  /** Input: the hold that this one replaces, if any. */
  replaces?: string;
  /** Required. Label of a slot. */
  time: string;
}

/**
 * Keeps a time for 5 minutes while a form is filled in. A visitor has one hold: a new one ends the one before.
 * Errors: INVALID_ARGUMENT; ALREADY_EXISTS reason SLOT_TAKEN with the nearest free times; RESOURCE_EXHAUSTED reason HOLDS_MAX when a
 * network has too many.
 */
export function createHold(body: HoldInput, options: KeyedCallOptions): Promise<Hold> {
  return call({ method: 'POST', template: '/holds', body, ...options });
}
