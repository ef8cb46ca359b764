/**
 * Second score beside the hospital's own: the BMI cut-offs for Asian Indians (Misra et al. 2009) and the Indian
 * Diabetes Risk Score (MDRF-IDRS, Mohan et al. 2005). Computed here from the extra questions. Service and browser both
 * run `vectors/indian.json`.
 */
import type { AssessmentInput } from '@hospital/api/types';
import { type Level, UNKNOWN, bodyMassIndex } from './score.ts';

/** Exclusive upper ends of the index, in kilograms per square metre. */
export const INDIAN_BMI_BANDS = [
  { under: 18.5, category: 'Underweight' },
  { under: 23, category: 'Normal' },
  { under: 25, category: 'Overweight' },
  { under: Infinity, category: 'Obese' },
] as const;

export const INDIAN_POINTS = { moderate: 30, high: 60, max: 100 } as const;
/** Ages in years from which 20 and 30 points count. */
const AGE_YEARS = [35, 50] as const;
/** Waists in centimetres from which 10 and 20 points count. */
const WAIST_CM: Readonly<Record<string, readonly [number, number]>> = { female: [80, 90], male: [90, 100] };
const ACTIVITY_POINTS: Readonly<Record<string, number>> = { both: 0, either: 20, neither: 30 };
const PARENTS_POINTS: Readonly<Record<string, number>> = { none: 0, one: 10, both: 20 };

export interface IndianResults {
  indianBmiCategory: string;
  /** 0 to 100. */
  indianDiabetesScore: number | null;
  indianDiabetesRisk: string;
}

export function indianResults(answers: AssessmentInput): IndianResults {
  const bmi = bodyMassIndex(answers);
  const points = diabetesScore(answers);
  const level = points === null ? null : levelOf(points);
  return {
    indianBmiCategory: bmi === null ? '' : (INDIAN_BMI_BANDS.find(({ under }) => bmi < under)?.category ?? ''),
    indianDiabetesScore: points,
    indianDiabetesRisk: level ? `${level} Risk` : UNKNOWN,
  };
}

function diabetesScore({ personalInfo = {}, indianMeasures = {} }: AssessmentInput): number | null {
  const { age, gender } = personalInfo;
  const { waist, activity, parents } = indianMeasures;
  const limits = WAIST_CM[gender ?? ''];
  const [moves, family] = [ACTIVITY_POINTS[activity ?? ''], PARENTS_POINTS[parents ?? '']];
  if (age === undefined || !limits || waist === undefined || moves === undefined || family === undefined) return null;
  return step(age, AGE_YEARS, [20, 30]) + step(waist, limits, [10, 20]) + moves + family;
}

/**
 * Returns no points below the first limit, the first points from there, and the second points from the second limit.
 */
function step(value: number, [first, second]: readonly [number, number], points: readonly [number, number]): number {
  if (value >= second) return points[1];
  return value >= first ? points[0] : 0;
}

export function levelOf(points: number): Level {
  if (points >= INDIAN_POINTS.high) return 'High';
  return points >= INDIAN_POINTS.moderate ? 'Moderate' : 'Low';
}
