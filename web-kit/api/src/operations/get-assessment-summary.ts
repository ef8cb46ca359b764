// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface BandCount {
  assessments: number;
  /** For example `Moderate Risk`. `Others`: bands that are too small alone, together. */
  band: string;
}

/** Counts of one result. */
export interface ResultCounts {
  /** Empty when they cannot be said without saying a small one. */
  bands: BandCount[];
  /** bmiCategory, diabetesRisk, stressLevel or overallLevel. */
  result: string;
}

export interface GetAssessmentSummaryResponse {
  /** Absent when fewer than `group_size_min` people assessed themselves. */
  assessments?: number;
  /** Fewest people that any number here stands for: 10. */
  groupSizeMin: number;
  month: string;
  results: ResultCounts[];
}

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
