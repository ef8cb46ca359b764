// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { AcceptOfferRequestInput, Appointment } from './types.ts';

/**
 * Books the time that is offered. Errors: FAILED_PRECONDITION reason OFFER_OVER; to callers whose secret was mailed APPOINTMENTS_MAX, when
 * the address has too many proven appointments, or SAME_DAY, when it has one of this department and day; then the offer stays until its
 * time is over.
 */
export function acceptOffer(entry_id: string, body: AcceptOfferRequestInput, options: CallOptions = {}): Promise<Appointment> {
  return call({ method: 'POST', template: '/waitlist-entries/{entry_id}:accept', params: { entry_id }, body, ...options });
}
