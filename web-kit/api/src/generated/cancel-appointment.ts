// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Appointment, CancelAppointmentRequestInput } from './types.ts';

/** Cancels an appointment and frees its seat. Repeating it has no effect. Errors as for MoveAppointment. */
export function cancelAppointment(appointment_id: string, body: CancelAppointmentRequestInput, options: CallOptions = {}): Promise<Appointment> {
  return call({ method: 'POST', template: '/appointments/{appointment_id}:cancel', params: { appointment_id }, body, ...options });
}
