/** The Indian results in words, for the page and the file. */
import type { AssessmentInput } from '@hospital/api/types';
import { translated } from '@hospital/page/language';
import { t } from '../messages.ts';
import { INDIAN_POINTS, indianResults } from '../scoring/indian.ts';
import { UNKNOWN } from '../scoring/score.ts';

/** Returns whether at least one of the extra questions was answered. */
export function someAnswered({ indianMeasures: { waist, activity, parents } = {} }: AssessmentInput): boolean {
  return waist !== undefined || Boolean(activity) || Boolean(parents);
}

export function indianLines(answers: AssessmentInput): string[] {
  const { indianBmiCategory, indianDiabetesScore, indianDiabetesRisk } = indianResults(answers);
  const risk = translated(indianDiabetesRisk);
  return [
    indianDiabetesScore === null
      ? t('Indian Diabetes Risk Score: {risk}', { risk })
      : t('Indian Diabetes Risk Score: {points} of {max} points, {risk}', {
          points: indianDiabetesScore,
          max: INDIAN_POINTS.max,
          risk,
        }),
    t('Body mass index by the Indian cut-offs: {category}', { category: translated(indianBmiCategory || UNKNOWN) }),
  ];
}

/** Returns the answers that the score still lacks, as the form names them. */
export function missingFor({ personalInfo = {}, indianMeasures = {} }: AssessmentInput): string[] {
  const { age, gender } = personalInfo;
  const { waist, activity, parents } = indianMeasures;
  const needed: [string, boolean][] = [
    [t('age (step 1)'), age !== undefined],
    [t('gender (step 1)'), Boolean(gender)],
    [t('waist'), waist !== undefined],
    [t('exercise and work'), Boolean(activity)],
    [t('parents'), Boolean(parents)],
  ];
  return needed.filter(([, known]) => !known).map(([label]) => label);
}
