// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface CancelBurstResponse {
  /** Whether more remain; call again. */
  more: boolean;
  /** The appointments that were, or would be, cancelled. */
  references: string[];
}

export interface CancelBurstRequestInput {
  dryRun?: boolean;
  /** Required. Period of the bookings' creation; the end is exclusive. */
  fromTime: string;
  /** References to keep: those of real people. */
  keep?: string[];
  /** Required. From Burst. */
  network: string;
  /** Whether to notify the affected patients. */
  notify?: boolean;
  untilTime: string;
}

/**
 * Cancels the bookings of a network in a period, at most 500 at once. With `dry_run`, only lists them. With `notify`, each affected
 * e-mail address gets one notice.
 */
export function cancelBurst(body: CancelBurstRequestInput, options: CallOptions = {}): Promise<CancelBurstResponse> {
  return call({ method: 'POST', template: '/booking-bursts:cancel', body, ...options });
}
