// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/** Releases a hold. An expired or unknown hold is not an error. */
export function deleteHold(hold_id: string, options: CallOptions = {}): Promise<void> {
  return call({ method: 'DELETE', template: '/holds/{hold_id}', params: { hold_id }, isRateExempt: true, ...options });
}
