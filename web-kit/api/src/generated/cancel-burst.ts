// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { CancelBurstRequestInput, CancelBurstResponse } from './types.ts';

/**
 * Cancels what was booked from a network in a span of time, at most 500 at once. With `dry_run` only says what it would cancel.
 * Each e-mail address is told once, however many of its appointments go, and only with `notify`.
 */
export function cancelBurst(body: CancelBurstRequestInput, options: CallOptions = {}): Promise<CancelBurstResponse> {
  return call({ method: 'POST', template: '/booking-bursts:cancel', body, ...options });
}
