// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { UnsubscribeRequestInput, UnsubscribeResponse } from './types.ts';

/** Ends the subscription of the link, even an unconfirmed one. A repeated call or an invalid link gets the same response. */
export function unsubscribe(body: UnsubscribeRequestInput, options: CallOptions = {}): Promise<UnsubscribeResponse> {
  return call({ method: 'POST', template: '/newsletter:unsubscribe', body, isRateExempt: true, ...options });
}
