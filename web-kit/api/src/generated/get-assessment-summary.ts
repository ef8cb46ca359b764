// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { GetAssessmentSummaryResponse } from './types.ts';

export interface GetAssessmentSummaryQuery {
  /** Required: a completed month, YYYY-MM in Asia/Kolkata. */
  month: string;
}

/**
 * Returns how many people got each result in a completed month. Counts under 10 are neither shown nor derivable, so no person can be
 * identified. Every call writes an audit entry.
 */
export function getAssessmentSummary(query: GetAssessmentSummaryQuery, options: CallOptions = {}): Promise<GetAssessmentSummaryResponse> {
  return call({ method: 'GET', template: '/assessment-summary', query, ...options });
}
