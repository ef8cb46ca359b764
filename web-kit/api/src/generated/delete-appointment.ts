// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/** Removes a mistaken appointment: frees its seat and erases the person, without a notice. `etag` as above. */
export function deleteAppointment(appointment_id: string, options: CallOptions = {}): Promise<void> {
  return call({ method: 'DELETE', template: '/appointments/{appointment_id}', params: { appointment_id }, ...options });
}
