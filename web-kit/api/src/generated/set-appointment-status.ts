// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Appointment, SetAppointmentStatusRequestInput } from './types.ts';

/**
 * Changes the status: booked → arrived → in_consultation → completed; arrived → completed; booked → cancelled or no_show. Otherwise:
 * FAILED_PRECONDITION reason STATUS_NOT_ALLOWED. `etag` must be current, else ABORTED reason ETAG_MISMATCH.
 */
export function setAppointmentStatus(appointment_id: string, body: SetAppointmentStatusRequestInput, options: CallOptions = {}): Promise<Appointment> {
  return call({ method: 'POST', template: '/appointments/{appointment_id}:setStatus', params: { appointment_id }, body, ...options });
}
