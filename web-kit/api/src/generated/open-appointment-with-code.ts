// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Appointment, OpenAppointmentWithCodeRequestInput } from './types.ts';

/**
 * Opens an appointment with a mailed code, which proves its address. The response contains the appointment's secret. A code works
 * once.
 * Errors: FAILED_PRECONDITION reason CODE_WRONG if code, phone number or reference is wrong; RESOURCE_EXHAUSTED reason CODE_TRIES_MAX
 * after 5 failed attempts per hour for a reference, whether or not it exists, or 20 from a network.
 */
export function openAppointmentWithCode(body: OpenAppointmentWithCodeRequestInput, options: CallOptions = {}): Promise<Appointment> {
  return call({ method: 'POST', template: '/appointments:openWithCode', body, ...options });
}
