// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { RequestAppointmentCodeRequestInput, RequestAppointmentCodeResponse } from './types.ts';

/**
 * Mails a code to the address of an open appointment if reference and phone number match. The response is always the same. A code
 * has 6 digits and is valid for 10 minutes; at most 3 are mailed per hour. Errors: INVALID_ARGUMENT if a field is missing.
 */
export function requestAppointmentCode(body: RequestAppointmentCodeRequestInput, options: CallOptions = {}): Promise<RequestAppointmentCodeResponse> {
  return call({ method: 'POST', template: '/appointments:requestCode', body, ...options });
}
