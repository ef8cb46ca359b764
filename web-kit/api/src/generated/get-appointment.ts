// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Appointment } from './types.ts';

/**
 * Returns an appointment to its patient (secret) or to staff (`appointments:read`). Errors: NOT_FOUND, for a wrong secret too;
 * FAILED_PRECONDITION reason LINK_REPLACED if the link was replaced by a newer one.
 */
export function getAppointment(appointment_id: string, options: CallOptions = {}): Promise<Appointment> {
  return call({ method: 'GET', template: '/appointments/{appointment_id}', params: { appointment_id }, ...options });
}
