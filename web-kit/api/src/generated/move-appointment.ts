// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { Appointment, MoveAppointmentRequestInput } from './types.ts';

/**
 * Moves an appointment: the old seat is free and the new one taken, or neither. The patient's secret is replaced; the answer holds
 * the new one. `etag` and errors as UpdateAppointment and CreateAppointment; FAILED_PRECONDITION reason NOT_OPEN when it is over,
 * MOVES_MAX when its patient has changed time or address 6 times in 24 hours or 20 times in all, SAME_DAY when the person has another
 * proven one of that department and day: only to callers whose secret was mailed.
 * `request_id` makes it safe to repeat: whose answer was lost gets the new secret by asking again with the old one.
 */
export function moveAppointment(appointment_id: string, body: MoveAppointmentRequestInput, options: KeyedCallOptions): Promise<Appointment> {
  return call({ method: 'POST', template: '/appointments/{appointment_id}:move', params: { appointment_id }, body, ...options });
}
