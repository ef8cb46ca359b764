// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { Appointment, DeskBookingInput } from './types.ts';

/**
 * Books a time for a caller, or for a person at the desk. An e-mail address or a phone number is enough, and any free time whose end
 * is still ahead can be booked. No limit of a network or an address applies. `request_id` makes retries safe. The patient's secret is
 * mailed, never returned. Errors: INVALID_ARGUMENT, ALREADY_EXISTS reason SLOT_TAKEN with alternatives, INVALID_ARGUMENT reason
 * REQUEST_ID_REUSED, as for CreateAppointment.
 */
export function bookAppointment(body: DeskBookingInput, options: KeyedCallOptions): Promise<Appointment> {
  return call({ method: 'POST', template: '/appointments:book', body, ...options });
}
