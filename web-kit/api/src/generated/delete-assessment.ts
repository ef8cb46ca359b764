// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/**
 * Withdraws consent: removes the answers that are kept under this id, which only the visitor was given. An unknown id is no error,
 * since what is gone cannot be told from what never was.
 */
export function deleteAssessment(assessment_id: string, options: CallOptions = {}): Promise<void> {
  return call({ method: 'DELETE', template: '/assessments/{assessment_id}', params: { assessment_id }, isRateExempt: true, ...options });
}
