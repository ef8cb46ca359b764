// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Appointment } from './types.ts';

/**
 * An appointment, for its patient (secret) or for staff (`appointments:read`). A wrong secret and an unknown appointment look
 * alike: NOT_FOUND. One whose link was replaced by a newer one: FAILED_PRECONDITION reason LINK_REPLACED.
 */
export function getAppointment(appointment_id: string, options: CallOptions = {}): Promise<Appointment> {
  return call({ method: 'GET', template: '/appointments/{appointment_id}', params: { appointment_id }, ...options });
}
