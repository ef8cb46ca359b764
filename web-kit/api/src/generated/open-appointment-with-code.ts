// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Appointment, OpenAppointmentWithCodeRequestInput } from './types.ts';

/**
 * Opens an appointment with a code that was mailed, and proves its address. The answer holds the appointment's secret. A code is used
 * once.
 * Errors: FAILED_PRECONDITION reason CODE_WRONG when code, phone number or reference is wrong; RESOURCE_EXHAUSTED reason CODE_TRIES_MAX
 * after 5 wrong tries of a reference in an hour, whether or not it exists, or 20 of a network.
 */
export function openAppointmentWithCode(body: OpenAppointmentWithCodeRequestInput, options: CallOptions = {}): Promise<Appointment> {
  return call({ method: 'POST', template: '/appointments:openWithCode', body, ...options });
}
