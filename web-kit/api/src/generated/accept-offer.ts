// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { AcceptOfferRequestInput, Appointment } from './types.ts';

/**
 * Books the offered time. Errors: FAILED_PRECONDITION reason OFFER_OVER. Callers with a mailed secret also get APPOINTMENTS_MAX if
 * the address has too many proven appointments, or SAME_DAY if it has one of this department and day; the offer then stays open until
 * it expires.
 */
export function acceptOffer(entry_id: string, body: AcceptOfferRequestInput, options: CallOptions = {}): Promise<Appointment> {
  return call({ method: 'POST', template: '/waitlist-entries/{entry_id}:accept', params: { entry_id }, body, ...options });
}
