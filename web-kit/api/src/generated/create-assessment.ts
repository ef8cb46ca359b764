// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { Assessment, AssessmentInput } from './types.ts';

/**
 * Scores the answers. With `consent` they are stored (201). Without, the results are returned and nothing is stored (200, `stored`
 * false, metadata `resource-created: false`). Errors: INVALID_ARGUMENT with google.rpc.BadRequest; INVALID_ARGUMENT reason REQUEST_ID_REUSED.
 */
export function createAssessment(body: AssessmentInput, options: KeyedCallOptions): Promise<Assessment> {
  return call({ method: 'POST', template: '/assessments', body, ...options });
}
