// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { Consultation, ConsultationInput } from './types.ts';

/**
 * Requests a consultation. Errors: INVALID_ARGUMENT with all violations; FAILED_PRECONDITION reason NETWORK_CONSULTATIONS_MAX (at most 12
 * unhandled requests of a network); INVALID_ARGUMENT reason REQUEST_ID_REUSED. The response does not depend on stored data of the
 * person.
 */
export function createConsultation(body: ConsultationInput, options: KeyedCallOptions): Promise<Consultation> {
  return call({ method: 'POST', template: '/consultations', body, ...options });
}
