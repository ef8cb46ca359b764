// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Appointment, UndoAppointmentStatusRequestInput } from './types.ts';

/**
 * Undoes a change to arrived, in_consultation, completed or no_show, or a booking as arrived, within 30 s and by the person who made it. `etag` is that of the changed
 * appointment. Errors: FAILED_PRECONDITION reason UNDO_TOO_LATE, UNDO_NOT_YOURS, or NOTHING_TO_UNDO if the last change was another one.
 */
export function undoAppointmentStatus(appointment_id: string, body: UndoAppointmentStatusRequestInput, options: CallOptions = {}): Promise<Appointment> {
  return call({ method: 'POST', template: '/appointments/{appointment_id}:undoStatus', params: { appointment_id }, body, ...options });
}
