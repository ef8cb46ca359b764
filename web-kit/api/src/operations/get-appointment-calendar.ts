// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface HttpBody {
  /** For example `text/calendar`. */
  contentType: string;
  data: string;
  extensions: ({
  "@type": string;
})[];
}

/**
 * The appointment as a calendar file (RFC 5545); a cancelled one as its cancellation. Who may: as GetAppointment.
 * buf:lint:ignore RPC_RESPONSE_STANDARD_NAME
 */
export function getAppointmentCalendar(appointment_id: string, options: CallOptions = {}): Promise<HttpBody> {
  return call({ method: 'GET', template: '/appointments/{appointment_id}/calendar', params: { appointment_id }, ...options });
}
