// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ConfirmSubscriptionRequestInput, ConfirmSubscriptionResponse } from './types.ts';

/**
 * Confirms the address of the link. Repeating it has no effect. An invalid link or one older than 7 days: NOT_FOUND reason
 * LINK_UNKNOWN.
 */
export function confirmSubscription(body: ConfirmSubscriptionRequestInput, options: CallOptions = {}): Promise<ConfirmSubscriptionResponse> {
  return call({ method: 'POST', template: '/newsletter:confirm', body, isRateExempt: true, ...options });
}
