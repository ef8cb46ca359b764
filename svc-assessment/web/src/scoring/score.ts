/**
 * Results of an assessment by the rules of the specification: the browser's counterpart of
 * `svc-assessment/src/scoring.rs`. Both run `vectors/scoring.json`, so neither can change alone.
 *
 * Body mass index needs height and weight. Diabetes risk needs family history, blood pressure and activity. Stress
 * needs sleep hours, sleep quality and work stress. The overall level needs all three. Waist and relationships are
 * never asked: they count if present and are not required. Without all its inputs there is no result, even if the known
 * answers alone reach the highest band.
 */
import type { AssessmentInput } from '@hospital/api/types';

export const UNKNOWN = 'Not enough information';

/** Severity of a result, in ascending order. */
const LEVELS = ['Low', 'Moderate', 'High'] as const;
export type Level = (typeof LEVELS)[number];

/** Exclusive upper ends of the index, in kilograms per square metre. */
export const BMI_BANDS = [
  { under: 18.5, category: 'Underweight', level: 'Low' },
  { under: 25, category: 'Normal', level: 'Low' },
  { under: 30, category: 'Overweight', level: 'Moderate' },
  { under: Infinity, category: 'Obese', level: 'High' },
] as const;

/** Lowest points of a moderate and a high risk, and the maximum that the form's questions can reach. */
export const DIABETES_POINTS = { moderate: 2, high: 4, max: 5 } as const;
export const STRESS_POINTS = { moderate: 3, high: 5, max: 6 } as const;
/** Fewer hours of sleep per night count as a sign of stress. */
export const SLEEP_HOURS_MIN = 6;

/** Advice for everyone, independent of the results. */
export const RECOMMENDATIONS = [
  'At least 150 minutes of moderate exercise a week',
  '7-9 hours of sleep a night',
  'Plenty of vegetables, fruit, pulses and whole grains, with little salt, sugar and fried food',
  'No tobacco, and little or no alcohol',
  'A few minutes each day for something that calms you, and time with people you trust',
  'Blood pressure, blood sugar and weight checked as often as your doctor advises',
] as const;

export interface Scores {
  /** Unrounded; decides the band. */
  bmi: number | null;
  /** Points and their level. */
  diabetes: Counted | null;
  stress: Counted | null;
  overall: Level | null;
}

export interface Counted {
  points: number;
  level: Level;
}

/** Results as the API spells them. */
export interface Results {
  /** One decimal, rounded down. */
  bmi: number | null;
  bmiCategory: string;
  diabetesRisk: string;
  stressLevel: string;
  overallLevel: string;
}

export function score(answers: AssessmentInput): Scores {
  const bmi = bodyMassIndex(answers);
  const diabetes = diabetesOf(answers);
  const stress = stressOf(answers);
  const known = bmi !== null && diabetes && stress;
  return {
    bmi,
    diabetes,
    stress,
    overall: known ? highest(bmiBand(bmi).level, diabetes.level, stress.level) : null,
  };
}

export function resultsOf({ bmi, diabetes, stress, overall }: Scores): Results {
  return {
    bmi: bmi === null ? null : oneDecimal(bmi),
    bmiCategory: bmi === null ? '' : bmiBand(bmi).category,
    diabetesRisk: diabetes ? `${diabetes.level} Risk` : UNKNOWN,
    stressLevel: stress ? `${stress.level} Stress` : UNKNOWN,
    overallLevel: overall ?? UNKNOWN,
  };
}

/**
 * Returns kilograms per square metre. Squares centimetres, not metres: 1.6 is not exact in binary, and 64 kg at 160 cm
 * would be under 25.
 */
export function bodyMassIndex({ personalInfo: { height, weight } = {} }: AssessmentInput): number | null {
  if (height === undefined || weight === undefined) return null;
  return (weight * 10_000) / (height * height);
}

export function bmiBand(bmi: number): (typeof BMI_BANDS)[number] {
  return BMI_BANDS.find(({ under }) => bmi < under) ?? BMI_BANDS[3];
}

/** Rounds down: a value under a limit is never shown as the limit. */
export function oneDecimal(value: number): number {
  return Math.floor(value * 10) / 10;
}

function diabetesOf({ diabetesRisk = {} }: AssessmentInput): Counted | null {
  const { familyHistory, bloodPressure, activityLevel, waistCircumference } = diabetesRisk;
  if (!familyHistory || !bloodPressure || !activityLevel) return null;
  const points =
    (familyHistory === 'yes' ? 2 : 0) +
    (bloodPressure === 'high' ? 2 : 0) +
    (activityLevel === 'low' ? 1 : 0) +
    (waistCircumference === 'high' ? 1 : 0);
  return { points, level: levelOf(points, DIABETES_POINTS) };
}

function stressOf({ stressEvaluation = {} }: AssessmentInput): Counted | null {
  const { sleepHours, sleepQuality, workStress, relationships } = stressEvaluation;
  if (sleepHours === undefined || !sleepQuality || !workStress) return null;
  const points =
    (sleepHours < SLEEP_HOURS_MIN ? 2 : 0) +
    (sleepQuality === 'poor' ? 2 : 0) +
    (workStress === 'high' ? 2 : 0) +
    (relationships === 'poor' ? 1 : 0);
  return { points, level: levelOf(points, STRESS_POINTS) };
}

function levelOf(points: number, { moderate, high }: { moderate: number; high: number }): Level {
  if (points >= high) return 'High';
  return points >= moderate ? 'Moderate' : 'Low';
}

function highest(...levels: Level[]): Level {
  return LEVELS[Math.max(...levels.map((level) => LEVELS.indexOf(level)))] ?? 'Low';
}
