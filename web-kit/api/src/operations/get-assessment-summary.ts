// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface BandCount {
  assessments: number;
  /** For example `Moderate Risk`. `Others`: small bands, merged. */
  band: string;
}

/** Counts of one result. */
export interface ResultCounts {
  /** Empty if they would reveal a small count. */
  bands: BandCount[];
  /** bmiCategory, diabetesRisk, stressLevel or overallLevel. */
  result: string;
}

export interface GetAssessmentSummaryResponse {
  /** Absent if fewer than `group_size_min` people took the assessment. */
  assessments?: number;
  /** Minimum number of people behind any published count: 10. */
  groupSizeMin: number;
  month: string;
  results: ResultCounts[];
}

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
