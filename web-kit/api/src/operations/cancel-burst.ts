// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface CancelBurstResponse {
  /** There is more: call again. */
  more: boolean;
  /** What was (or would be) cancelled. */
  references: string[];
}

export interface CancelBurstRequestInput {
  dryRun?: boolean;
  /** Required. When it was booked: from then, and up to but without then. */
  fromTime: string;
  /** References that stay: those of real people. */
  keep?: string[];
  /** Required. As in Burst. */
  network: string;
  /** Tell those whose appointments go. */
  notify?: boolean;
  untilTime: string;
}

/**
 * Cancels what was booked from a network in a span of time, at most 500 at once. With `dry_run` only says what it would cancel.
 * Each e-mail address is told once, however many of its appointments go, and only with `notify`.
 */
export function cancelBurst(body: CancelBurstRequestInput, options: CallOptions = {}): Promise<CancelBurstResponse> {
  return call({ method: 'POST', template: '/booking-bursts:cancel', body, ...options });
}
