// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { SendAppointmentLinkRequestInput, SendAppointmentLinkResponse } from './types.ts';

/**
 * Mails the current link to the address of an open appointment, on request of staff or of a caller with a replaced link. At most 3
 * per hour. The response is always the same.
 */
export function sendAppointmentLink(appointment_id: string, body: SendAppointmentLinkRequestInput, options: CallOptions = {}): Promise<SendAppointmentLinkResponse> {
  return call({ method: 'POST', template: '/appointments/{appointment_id}:sendLink', params: { appointment_id }, body, ...options });
}
