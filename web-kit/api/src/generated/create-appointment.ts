// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { Appointment, AppointmentInput } from './types.ts';

/**
 * Books a time. `request_id` makes retries safe.
 * Errors: INVALID_ARGUMENT with google.rpc.BadRequest (all violations at once);
 * ALREADY_EXISTS reason SLOT_TAKEN, with the nearest free times in the metadata of google.rpc.ErrorInfo (`alternatives`: at most
 * three of `YYYY-MM-DD 9:00 AM`, separated by `, `);
 * FAILED_PRECONDITION reason NETWORK_APPOINTMENTS_MAX if the caller's network has too many open appointments with unproven addresses;
 * INVALID_ARGUMENT reason REQUEST_ID_REUSED. The response does not depend on stored data of the person; anything else is mailed to the
 * address.
 */
export function createAppointment(body: AppointmentInput, options: KeyedCallOptions): Promise<Appointment> {
  return call({ method: 'POST', template: '/appointments', body, ...options });
}
