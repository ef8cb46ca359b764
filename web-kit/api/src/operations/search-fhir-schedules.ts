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
 * One schedule for each doctor and clinic.
 * buf:lint:ignore RPC_RESPONSE_STANDARD_NAME
 * buf:lint:ignore RPC_REQUEST_RESPONSE_UNIQUE
 */
export function searchFhirSchedules(options: CallOptions = {}): Promise<HttpBody> {
  return call({ method: 'GET', template: '/fhir/Schedule', ...options });
}
