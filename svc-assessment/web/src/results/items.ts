/** The results as shown, printed and downloaded: one item each, in reading order. */
import type { AssessmentInput } from '@hospital/api/types';
import { translated } from '@hospital/page/language';
import { plural, t } from '../messages.ts';
import { OPTIONS, type Options } from '../questions.ts';
import {
  BMI_BANDS,
  DIABETES_POINTS,
  type Level,
  type Results,
  type Scores,
  SLEEP_HOURS_MIN,
  STRESS_POINTS,
  UNKNOWN,
  bmiBand,
} from '../scoring/score.ts';
import { BMI_MEANS, DIABETES_MEANS, MISSING_MEANS, OVERALL_MEANS, STRESS_MEANS } from './meanings.ts';

export interface Band {
  /** In English; shown in the page's language. */
  label: string;
  /** The band's range, in words. */
  range: string;
  from: number;
  to: number;
  level: Level;
}

export interface Scale {
  bands: readonly Band[];
  /** Position of the result on the scale, between the first `from` and the last `to`. */
  at: number;
}

/** One answer that contributes to the result. */
export interface Factor {
  label: string;
  /** Empty if not answered. */
  answer: string;
  /** Points that it adds; empty if the result has no points. */
  points: string;
}

export interface ResultItem {
  id: 'overall' | 'bmi' | 'diabetes' | 'stress';
  title: string;
  /** The result as a number; empty if it is not one. */
  figure: string;
  verdict: string;
  scale: Scale | null;
  means: string;
  factors: readonly Factor[];
  /** Department whose free times the result links to (label of section 9). */
  department: 'General Medicine' | 'Psychiatry';
}

export function itemsOf(answers: AssessmentInput, scores: Scores, results: Results): ResultItem[] {
  return [
    overall(scores, results),
    bmi(answers, scores, results),
    diabetes(answers, scores, results),
    stress(answers, scores, results),
  ];
}

function overall({ overall: level, bmi, diabetes, stress }: Scores, { overallLevel, ...others }: Results): ResultItem {
  const parts: [string, string, boolean][] = [
    [t('Body mass index'), others.bmiCategory, bmi !== null],
    [t('Diabetes risk'), others.diabetesRisk, diabetes !== null],
    [t('Stress'), others.stressLevel, stress !== null],
  ];
  const cells: Band[] = (['Low', 'Moderate', 'High'] as const).map((label, index) => ({
    label,
    level: label,
    from: index,
    to: index + 1,
    range: [t('none of the three is raised'), t('at least one is moderate'), t('at least one is high')][index] ?? '',
  }));
  return {
    id: 'overall',
    title: t('Overall level'),
    figure: '',
    verdict: translated(overallLevel),
    scale: level && { bands: cells, at: cells.findIndex(({ label }) => label === level) + 0.5 },
    means: t(level ? OVERALL_MEANS[level] : MISSING_MEANS),
    factors: parts.map(([label, verdict, known]) => ({ label, answer: known ? translated(verdict) : '', points: '' })),
    department: 'General Medicine',
  };
}

function bmi({ personalInfo = {} }: AssessmentInput, { bmi: exact }: Scores, results: Results): ResultItem {
  const { age, height, weight } = personalInfo;
  const isChild = age !== undefined && age < 18;
  const category = exact === null ? null : bmiBand(exact).category;
  return {
    id: 'bmi',
    title: t('Body mass index (BMI)'),
    figure: results.bmi === null ? '' : results.bmi.toFixed(1),
    verdict: translated(results.bmiCategory || UNKNOWN),
    scale: exact === null ? null : { bands: bmiScale(), at: Math.min(Math.max(exact, BMI_ENDS[0]), BMI_ENDS[1]) },
    means: t(isChild ? BMI_MEANS.child : category ? BMI_MEANS[category] : MISSING_MEANS),
    factors: [
      { label: t('Height'), answer: height === undefined ? '' : t('{count} cm', { count: height }), points: '' },
      { label: t('Weight'), answer: weight === undefined ? '' : t('{count} kg', { count: weight }), points: '' },
    ],
    department: 'General Medicine',
  };
}

function diabetes({ diabetesRisk = {} }: AssessmentInput, { diabetes: counted }: Scores, results: Results): ResultItem {
  const { familyHistory, bloodPressure, activityLevel } = diabetesRisk;
  return {
    id: 'diabetes',
    title: t('Diabetes risk'),
    figure: counted ? t('{points} of {max} points', { points: counted.points, max: DIABETES_POINTS.max }) : '',
    verdict: translated(results.diabetesRisk),
    scale: counted && { bands: pointsScale(RISK, DIABETES_POINTS), at: counted.points + 0.5 },
    means: t(counted ? DIABETES_MEANS[counted.level] : MISSING_MEANS),
    factors: [
      factor(t('Family history of diabetes'), familyHistory, OPTIONS.familyHistory, familyHistory === 'yes' ? 2 : 0),
      factor(t('Blood pressure'), bloodPressure, OPTIONS.bloodPressure, bloodPressure === 'high' ? 2 : 0),
      factor(t('Activity level'), activityLevel, OPTIONS.activityLevel, activityLevel === 'low' ? 1 : 0),
    ],
    department: 'General Medicine',
  };
}

function stress({ stressEvaluation = {} }: AssessmentInput, { stress: counted }: Scores, results: Results): ResultItem {
  const { sleepHours, sleepQuality, workStress } = stressEvaluation;
  const isShort = sleepHours !== undefined && sleepHours < SLEEP_HOURS_MIN;
  return {
    id: 'stress',
    title: t('Stress level'),
    figure: counted ? t('{points} of {max} points', { points: counted.points, max: STRESS_POINTS.max }) : '',
    verdict: translated(results.stressLevel),
    scale: counted && { bands: pointsScale(STRESS, STRESS_POINTS), at: counted.points + 0.5 },
    means: t(counted ? STRESS_MEANS[counted.level] : MISSING_MEANS),
    factors: [
      {
        label: t('Sleep a night'),
        answer: sleepHours === undefined ? '' : plural('{count} hour|{count} hours', sleepHours),
        points: sleepHours === undefined ? '' : pointsText(isShort ? 2 : 0),
      },
      factor(t('Sleep quality'), sleepQuality, OPTIONS.sleepQuality, sleepQuality === 'poor' ? 2 : 0),
      factor(t('Stress at work'), workStress, OPTIONS.workStress, workStress === 'high' ? 2 : 0),
    ],
    department: 'Psychiatry',
  };
}

/** Visible range of the index; a value outside is shown at the nearer end. */
const BMI_ENDS = [14, 38] as const;

function bmiScale(): readonly Band[] {
  return BMI_BANDS.map(({ under, category, level }, index) => {
    const from = BMI_BANDS[index - 1]?.under;
    return {
      label: category,
      level,
      from: from ?? BMI_ENDS[0],
      to: Math.min(under, BMI_ENDS[1]),
      range: rangeOf(from, under),
    };
  });
}

function rangeOf(from: number | undefined, under: number): string {
  if (from === undefined) return t('under {limit}', { limit: under });
  return under === Infinity ? t('{from} or more', { from }) : t('{from} to under {limit}', { from, limit: under });
}

export const RISK = { Low: 'Low Risk', Moderate: 'Moderate Risk', High: 'High Risk' } as const;
const STRESS = { Low: 'Low Stress', Moderate: 'Moderate Stress', High: 'High Stress' } as const;

/** Returns the bands of a points scale, in which each number of points has a cell. Its labels are in English. */
export function pointsScale(
  labels: Readonly<Record<Level, string>>,
  { moderate, high, max }: { moderate: number; high: number; max: number },
): Band[] {
  const points = (from: number, to: number) =>
    from === to ? t('{count} points', { count: from }) : t('{from} to {to} points', { from, to });
  return [
    { label: labels.Low, level: 'Low', from: 0, to: moderate, range: points(0, moderate - 1) },
    { label: labels.Moderate, level: 'Moderate', from: moderate, to: high, range: points(moderate, high - 1) },
    { label: labels.High, level: 'High', from: high, to: max + 1, range: points(high, max) },
  ];
}

function factor(label: string, value: string | undefined, options: Options, points: number): Factor {
  const answer = labelOf(options, value);
  return { label, answer, points: answer ? pointsText(points) : '' };
}

export function labelOf(options: Options, value: string | undefined): string {
  return translated(options.find(([option]) => option === value)?.[1] ?? '');
}

function pointsText(points: number): string {
  return points ? plural('+{count} point|+{count} points', points) : t('no points');
}
