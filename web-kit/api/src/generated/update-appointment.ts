// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Appointment, AppointmentInput } from './types.ts';

/**
 * Replaces the person's data, and the time, department or doctor (a move, as by MoveAppointment). Staff may also set `status`.
 * `etag` must be current, else ABORTED reason ETAG_MISMATCH. A new e-mail address or phone number replaces the secret, as a move
 * does, and is unproven until the link mailed to it is opened.
 */
export function updateAppointment(appointment_id: string, body: AppointmentInput, options: CallOptions = {}): Promise<Appointment> {
  return call({ method: 'PUT', template: '/appointments/{appointment_id}', params: { appointment_id }, body, ...options });
}
