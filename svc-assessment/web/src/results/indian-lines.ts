/** The Indian results in words, for the page and the file. */
import type { AssessmentInput } from '@hospital/api/types';
import { INDIAN_POINTS, indianResults } from '../scoring/indian.ts';
import { UNKNOWN } from '../scoring/score.ts';

/** Returns whether at least one of the extra questions was answered. */
export function someAnswered({ indianMeasures: { waist, activity, parents } = {} }: AssessmentInput): boolean {
  return waist !== undefined || Boolean(activity) || Boolean(parents);
}

export function indianLines(answers: AssessmentInput): string[] {
  const { indianBmiCategory, indianDiabetesScore, indianDiabetesRisk } = indianResults(answers);
  const score = indianDiabetesScore === null ? '' : `${indianDiabetesScore} of ${INDIAN_POINTS.max} points, `;
  return [
    `Indian Diabetes Risk Score: ${score}${indianDiabetesRisk}`,
    `Body mass index by the Indian cut-offs: ${indianBmiCategory || UNKNOWN}`,
  ];
}

/** Returns the answers that the score still lacks, as the form names them. */
export function missingFor({ personalInfo = {}, indianMeasures = {} }: AssessmentInput): string[] {
  const { age, gender } = personalInfo;
  const { waist, activity, parents } = indianMeasures;
  const needed: [string, boolean][] = [
    ['age (step 1)', age !== undefined],
    ['gender (step 1)', Boolean(gender)],
    ['waist', waist !== undefined],
    ['exercise and work', Boolean(activity)],
    ['parents', Boolean(parents)],
  ];
  return needed.filter(([, known]) => !known).map(([label]) => label);
}
