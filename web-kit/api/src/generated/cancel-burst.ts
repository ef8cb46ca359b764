// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { CancelBurstRequestInput, CancelBurstResponse } from './types.ts';

/**
 * Cancels the bookings of a network in a period, at most 500 at once. With `dry_run`, only lists them. With `notify`, each affected
 * e-mail address gets one notice.
 */
export function cancelBurst(body: CancelBurstRequestInput, options: CallOptions = {}): Promise<CancelBurstResponse> {
  return call({ method: 'POST', template: '/booking-bursts:cancel', body, ...options });
}
