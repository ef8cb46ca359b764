// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';

export interface CopingStrategies {
  /** Labels of the eight strategies of the form. */
  strategies: string[];
}

export interface DiabetesRisk {
  /** high, moderate or low. */
  activityLevel: string;
  /** normal or high. */
  bloodPressure: string;
  /** yes or no. */
  familyHistory: string;
  /** normal or high. Never asked, so mostly empty. */
  waistCircumference: string;
}

/** Optional questions in addition to the hospital's own score. Never stored. */
export interface IndianMeasures {
  /** Regular exercise and strenuous work: both, either or neither. */
  activity: string;
  /** Parents with diabetes: none, one or both. */
  parents: string;
  /** Waist in centimetres, 30 to 250. */
  waist: number;
}

export interface PersonalInfo {
  /** Years, 1 to 120. */
  age: number;
  /** male or female. */
  gender: string;
  /** Centimetres, 50 to 250. */
  height: number;
  /** Kilograms, 2 to 400. */
  weight: number;
}

export interface AssessmentResult {
  /** Kilograms per square metre, one decimal. Absent when height or weight is. */
  bmi?: number;
  /** Underweight, Normal, Overweight or Obese; empty when bmi is absent. */
  bmiCategory: string;
  /** Low Risk, Moderate Risk, High Risk or `Not enough information`. */
  diabetesRisk: string;
  /** By the cut-offs for Asian Indians (under 23 Normal, under 25 Overweight, else Obese); empty when bmi is absent. */
  indianBmiCategory: string;
  /** Low Risk (under 30), Moderate Risk (under 60), High Risk or `Not enough information`. */
  indianDiabetesRisk: string;
  /** Indian Diabetes Risk Score, 0 to 100. Absent when age, gender or one of the extra questions is not answered. */
  indianDiabetesScore?: number;
  /** Low, Moderate, High or `Not enough information`. */
  overallLevel: string;
  /** General advice, independent of the results. */
  recommendations: string[];
  /** Low Stress, Moderate Stress, High Stress or `Not enough information`. */
  stressLevel: string;
}

export interface StressEvaluation {
  /** good or poor. Never asked, so mostly empty. */
  relationships: string;
  /** Hours a night, 0 to 24. */
  sleepHours: number;
  /** excellent, good or poor. */
  sleepQuality: string;
  /** low, moderate or high. */
  workStress: string;
}

export interface Assessment {
  /** Whether the visitor consented to storage. Otherwise nothing is stored. */
  consent: boolean;
  copingStrategies: CopingStrategies;
  /** Output only: the day; absent if nothing was stored. */
  createTime: string;
  diabetesRisk: DiabetesRisk;
  /** Output only; empty if nothing was stored. Known only to the visitor, who can remove the answers with it. */
  id: string;
  /** Scored but never stored. */
  indianMeasures: IndianMeasures;
  personalInfo: PersonalInfo;
  /** Output only. */
  result: AssessmentResult;
  /** Output only: whether the answers were stored. */
  stored: boolean;
  stressEvaluation: StressEvaluation;
}

export interface CopingStrategiesInput {
  /** Labels of the eight strategies of the form. */
  strategies?: string[];
}

export interface DiabetesRiskInput {
  /** high, moderate or low. */
  activityLevel?: string;
  /** normal or high. */
  bloodPressure?: string;
  /** yes or no. */
  familyHistory?: string;
  /** normal or high. Never asked, so mostly empty. */
  waistCircumference?: string;
}

/** Optional questions in addition to the hospital's own score. Never stored. */
export interface IndianMeasuresInput {
  /** Regular exercise and strenuous work: both, either or neither. */
  activity?: string;
  /** Parents with diabetes: none, one or both. */
  parents?: string;
  /** Waist in centimetres, 30 to 250. */
  waist?: number;
}

export interface PersonalInfoInput {
  /** Years, 1 to 120. */
  age?: number;
  /** male or female. */
  gender?: string;
  /** Centimetres, 50 to 250. */
  height?: number;
  /** Kilograms, 2 to 400. */
  weight?: number;
}

export interface StressEvaluationInput {
  /** good or poor. Never asked, so mostly empty. */
  relationships?: string;
  /** Hours a night, 0 to 24. */
  sleepHours?: number;
  /** excellent, good or poor. */
  sleepQuality?: string;
  /** low, moderate or high. */
  workStress?: string;
}

export interface AssessmentInput {
  /** Whether the visitor consented to storage. Otherwise nothing is stored. */
  consent?: boolean;
  copingStrategies?: CopingStrategiesInput;
  diabetesRisk?: DiabetesRiskInput;
  /** Scored but never stored. */
  indianMeasures?: IndianMeasuresInput;
  personalInfo?: PersonalInfoInput;
  stressEvaluation?: StressEvaluationInput;
}

/**
 * Scores the answers. With `consent` they are stored (201). Without, the results are returned and nothing is stored (200, `stored`
 * false, metadata `resource-created: false`). Errors: INVALID_ARGUMENT with google.rpc.BadRequest; INVALID_ARGUMENT reason REQUEST_ID_REUSED.
 */
export function createAssessment(body: AssessmentInput, options: KeyedCallOptions): Promise<Assessment> {
  return call({ method: 'POST', template: '/assessments', body, ...options });
}
