// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/**
 * Withdraws consent: removes the answers stored under this id, which only the visitor knows. An unknown id is not an error, because
 * removed answers cannot be distinguished from answers that never existed.
 */
export function deleteAssessment(assessment_id: string, options: CallOptions = {}): Promise<void> {
  return call({ method: 'DELETE', template: '/assessments/{assessment_id}', params: { assessment_id }, isRateExempt: true, ...options });
}
