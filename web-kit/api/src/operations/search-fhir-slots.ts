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

export interface SearchFhirSlotsQuery {
  /** `doctor:<id>` or `clinic:<session id>`. Required. */
  schedule?: string;
  /** As of appointments; at most 14 days. */
  from?: string;
  to?: string;
}

/**
 * Slots, free and busy, of a span of days.
 * buf:lint:ignore RPC_RESPONSE_STANDARD_NAME
 * buf:lint:ignore RPC_REQUEST_RESPONSE_UNIQUE
 */
export function searchFhirSlots(query: SearchFhirSlotsQuery, options: CallOptions = {}): Promise<HttpBody> {
  return call({ method: 'GET', template: '/fhir/Slot', query, ...options });
}
