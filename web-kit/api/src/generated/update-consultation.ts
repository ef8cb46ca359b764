// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Consultation, ConsultationInput } from './types.ts';

/**
 * Allots time, link and doctor, or changes the status. `etag` must be current (If-Match), else ABORTED reason ETAG_MISMATCH.
 * requested → scheduled → completed; requested or scheduled → cancelled; scheduled → no_show; a scheduled one may be rescheduled.
 */
export function updateConsultation(consultation_id: string, body: ConsultationInput, options: CallOptions = {}): Promise<Consultation> {
  return call({ method: 'PUT', template: '/consultations/{consultation_id}', params: { consultation_id }, body, ...options });
}
