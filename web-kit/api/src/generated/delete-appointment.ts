// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/** Removes an appointment that should never have been: frees its seat, erases the person and tells nobody. `etag` as above. */
export function deleteAppointment(appointment_id: string, options: CallOptions = {}): Promise<void> {
  return call({ method: 'DELETE', template: '/appointments/{appointment_id}', params: { appointment_id }, ...options });
}
