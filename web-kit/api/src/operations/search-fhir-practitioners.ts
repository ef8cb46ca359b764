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
 * The doctors, by their ids: names are in their profiles, which belong to another service.
 * buf:lint:ignore RPC_RESPONSE_STANDARD_NAME
 * buf:lint:ignore RPC_REQUEST_RESPONSE_UNIQUE
 */
export function searchFhirPractitioners(options: CallOptions = {}): Promise<HttpBody> {
  return call({ method: 'GET', template: '/fhir/Practitioner', ...options });
}
