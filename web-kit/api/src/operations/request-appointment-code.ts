// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export type RequestAppointmentCodeResponse = Record<string, never>;

export interface RequestAppointmentCodeRequestInput {
  /** As given for the appointment. */
  phone: string;
  /** For example `SH-7K3M-9QXD`. */
  reference: string;
}

/**
 * Mails a code to the address of an open appointment if reference and phone number match. The response is always the same. A code
 * has 6 digits and is valid for 10 minutes; at most 3 are mailed per hour. Errors: INVALID_ARGUMENT if a field is missing.
 */
export function requestAppointmentCode(body: RequestAppointmentCodeRequestInput, options: CallOptions = {}): Promise<RequestAppointmentCodeResponse> {
  return call({ method: 'POST', template: '/appointments:requestCode', body, ...options });
}
