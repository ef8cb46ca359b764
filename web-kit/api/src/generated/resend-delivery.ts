// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Delivery, ResendDeliveryRequestInput } from './types.ts';

/**
 * Retries a delivery now, even a postponed one. Errors: NOT_FOUND if it was sent or does not exist; FAILED_PRECONDITION reason
 * DELIVERY_EXPIRED after its expiry. A delivery to a suppressed address fails again: lift the suppression first.
 */
export function resendDelivery(delivery_id: string, body: ResendDeliveryRequestInput, options: CallOptions = {}): Promise<Delivery> {
  return call({ method: 'POST', template: '/deliveries/{delivery_id}:resend', params: { delivery_id }, body, ...options });
}
