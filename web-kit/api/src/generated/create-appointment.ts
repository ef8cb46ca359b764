// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { Appointment, AppointmentInput } from './types.ts';

/**
 * Books a time. `request_id` makes it safe to repeat.
 * Errors: INVALID_ARGUMENT with google.rpc.BadRequest (all violations at once);
 * ALREADY_EXISTS reason SLOT_TAKEN, with the nearest free times in the metadata of google.rpc.ErrorInfo (`alternatives`: at most
 * three of `YYYY-MM-DD 9:00 AM`, separated by `, `);
 * FAILED_PRECONDITION reason NETWORK_APPOINTMENTS_MAX when the caller's network has too many open ones whose addresses are not proven;
 * INVALID_ARGUMENT reason REQUEST_ID_REUSED. The answer does not depend on what is known of the person: what they should know is
 * mailed to the address.
 */
export function createAppointment(body: AppointmentInput, options: KeyedCallOptions): Promise<Appointment> {
  return call({ method: 'POST', template: '/appointments', body, ...options });
}
