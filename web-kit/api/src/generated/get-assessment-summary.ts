// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { GetAssessmentSummaryResponse } from './types.ts';

export interface GetAssessmentSummaryQuery {
  /** Required: a month that is over, YYYY-MM in Asia/Kolkata. */
  month: string;
}

/**
 * How many people got which result in a month that is over. No number under 10 can be read from it or computed from what it says,
 * so that nobody can be found in it. Each call leaves an entry in the audit log.
 */
export function getAssessmentSummary(query: GetAssessmentSummaryQuery, options: CallOptions = {}): Promise<GetAssessmentSummaryResponse> {
  return call({ method: 'GET', template: '/assessment-summary', query, ...options });
}
