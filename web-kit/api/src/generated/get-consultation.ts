// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Consultation } from './types.ts';

/** Get consultation */
export function getConsultation(consultation_id: string, options: CallOptions = {}): Promise<Consultation> {
  return call({ method: 'GET', template: '/consultations/{consultation_id}', params: { consultation_id }, ...options });
}
