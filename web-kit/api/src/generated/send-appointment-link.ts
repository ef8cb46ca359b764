// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { SendAppointmentLinkRequestInput, SendAppointmentLinkResponse } from './types.ts';

/**
 * Mails the present link to the address of an open appointment, for its staff and for whoever shows a link of it that was replaced. At
 * most 3 in an hour. The answer is always the same.
 */
export function sendAppointmentLink(appointment_id: string, body: SendAppointmentLinkRequestInput, options: CallOptions = {}): Promise<SendAppointmentLinkResponse> {
  return call({ method: 'POST', template: '/appointments/{appointment_id}:sendLink', params: { appointment_id }, body, ...options });
}
