// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { UnsubscribeRequestInput, UnsubscribeResponse } from './types.ts';

/** Ends the subscription of the link, also one that was not confirmed. Again, or a wrong link: the same answer. */
export function unsubscribe(body: UnsubscribeRequestInput, options: CallOptions = {}): Promise<UnsubscribeResponse> {
  return call({ method: 'POST', template: '/newsletter:unsubscribe', body, isRateExempt: true, ...options });
}
