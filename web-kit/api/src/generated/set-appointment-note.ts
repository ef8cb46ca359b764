// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Appointment, SetAppointmentNoteRequestInput } from './types.ts';

/**
 * Replaces the desk's note on an appointment, which only staff see. `etag` as above. Errors: FAILED_PRECONDITION reason ERASED if the
 * person was erased.
 */
export function setAppointmentNote(appointment_id: string, body: SetAppointmentNoteRequestInput, options: CallOptions = {}): Promise<Appointment> {
  return call({ method: 'POST', template: '/appointments/{appointment_id}:setNote', params: { appointment_id }, body, ...options });
}
