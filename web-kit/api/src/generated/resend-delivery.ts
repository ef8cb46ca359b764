// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Delivery, ResendDeliveryRequestInput } from './types.ts';

/**
 * Tries a delivery again now, also one that was postponed. Errors: NOT_FOUND when it was sent or does not exist; FAILED_PRECONDITION
 * reason DELIVERY_EXPIRED when it is of no use any more. To a suppressed address it fails again: lift the suppression first.
 */
export function resendDelivery(delivery_id: string, body: ResendDeliveryRequestInput, options: CallOptions = {}): Promise<Delivery> {
  return call({ method: 'POST', template: '/deliveries/{delivery_id}:resend', params: { delivery_id }, body, ...options });
}
