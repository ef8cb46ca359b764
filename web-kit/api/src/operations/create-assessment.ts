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
  bmi: number;
  /** Underweight, Normal, Overweight or Obese; empty when bmi is absent. */
  bmiCategory: string;
  /** Low Risk, Moderate Risk, High Risk or `Not enough information`. */
  diabetesRisk: string;
  /** Low, Moderate, High or `Not enough information`. */
  overallLevel: string;
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
  /** Must be true: the visitor ticked the box that says what is stored. */
  consent: boolean;
  copingStrategies: CopingStrategies;
  /** Output only. */
  createTime: string;
  diabetesRisk: DiabetesRisk;
  /** Output only. */
  id: string;
  personalInfo: PersonalInfo;
  /** Output only. */
  result: AssessmentResult;
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
  /** Must be true: the visitor ticked the box that says what is stored. */
  consent?: boolean;
  copingStrategies?: CopingStrategiesInput;
  diabetesRisk?: DiabetesRiskInput;
  personalInfo?: PersonalInfoInput;
  stressEvaluation?: StressEvaluationInput;
}

/**
 * Scores the answers and stores them. Needs consent.
 * Errors: INVALID_ARGUMENT with google.rpc.BadRequest; INVALID_ARGUMENT reason REQUEST_ID_REUSED.
 */
export function createAssessment(body: AssessmentInput, options: KeyedCallOptions): Promise<Assessment> {
  return call({ method: 'POST', template: '/assessments', body, ...options });
}
