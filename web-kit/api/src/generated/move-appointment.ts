// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { Appointment, MoveAppointmentRequestInput } from './types.ts';

/**
 * Moves an appointment atomically from the old seat to the new one. The patient's secret is replaced; the response contains the new
 * one. `etag` and errors as for UpdateAppointment and CreateAppointment; FAILED_PRECONDITION reason NOT_OPEN if it is over, MOVES_MAX
 * if its patient has changed time or address 6 times in 24 hours or 20 times in total, SAME_DAY if the person has another proven
 * appointment of that department and day. Only callers with a mailed secret get SAME_DAY. Staff may choose any free time whose end is
 * still ahead.
 * `request_id` makes retries safe: a retry with the old secret returns the new one.
 */
export function moveAppointment(appointment_id: string, body: MoveAppointmentRequestInput, options: KeyedCallOptions): Promise<Appointment> {
  return call({ method: 'POST', template: '/appointments/{appointment_id}:move', params: { appointment_id }, body, ...options });
}
