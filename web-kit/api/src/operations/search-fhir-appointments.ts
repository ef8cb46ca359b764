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

export interface SearchFhirAppointmentsQuery {
  /** First and last day, YYYY-MM-DD, inclusive. Empty: today. At most 31 days. */
  from?: string;
  to?: string;
  /** At most 100. 0: 100. */
  pageSize?: number;
  pageToken?: string;
}

/**
 * Appointments of a span of days.
 * buf:lint:ignore RPC_RESPONSE_STANDARD_NAME
 * buf:lint:ignore RPC_REQUEST_RESPONSE_UNIQUE
 */
export function searchFhirAppointments(query: SearchFhirAppointmentsQuery, options: CallOptions = {}): Promise<HttpBody> {
  return call({ method: 'GET', template: '/fhir/Appointment', query, ...options });
}
