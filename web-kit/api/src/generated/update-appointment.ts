// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Appointment, AppointmentInput } from './types.ts';

/**
 * Replaces what can be changed: the person's data, and the time, department or doctor (then it moves, as MoveAppointment). Staff may
 * also set `status`. `etag` must name the version that was read, else ABORTED reason ETAG_MISMATCH. Another e-mail address or phone
 * number replaces the secret, as a move does, and is unproven until the link in the mail to it is opened.
 */
export function updateAppointment(appointment_id: string, body: AppointmentInput, options: CallOptions = {}): Promise<Appointment> {
  return call({ method: 'PUT', template: '/appointments/{appointment_id}', params: { appointment_id }, body, ...options });
}
