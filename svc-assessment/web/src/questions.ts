/** The questions of each step and the valid answers. */
import type { FieldDeclarations, Values } from '@hospital/form/declaration';

export const PAGE = '/health-assessment';
/** Number of steps; the last one shows the results. */
export const STEPS = 5;
export const RESULTS_STEP = 5;
/** The last step with questions. */
export const CONSENT_STEP = 4;

/** Pairs of wire value and label. */
export type Options = readonly (readonly [value: string, label: string])[];

export const OPTIONS = {
  gender: [
    ['male', 'Male'],
    ['female', 'Female'],
  ],
  familyHistory: [
    ['yes', 'Yes'],
    ['no', 'No'],
  ],
  bloodPressure: [
    ['normal', 'Normal'],
    ['high', 'High'],
  ],
  activityLevel: [
    ['high', 'High'],
    ['moderate', 'Moderate'],
    ['low', 'Low'],
  ],
  sleepQuality: [
    ['excellent', 'Excellent'],
    ['good', 'Good'],
    ['poor', 'Poor'],
  ],
  workStress: [
    ['low', 'Low'],
    ['moderate', 'Moderate'],
    ['high', 'High'],
  ],
  activity: [
    ['both', 'Both of them'],
    ['either', 'One of them'],
    ['neither', 'Neither'],
  ],
  parents: [
    ['none', 'Neither parent'],
    ['one', 'One parent'],
    ['both', 'Both parents'],
  ],
} as const satisfies Record<string, Options>;

export type ChoiceName = keyof typeof OPTIONS;

export const STRATEGIES = [
  'Regular exercise',
  'Meditation/Mindfulness',
  'Healthy diet',
  'Social support',
  'Professional counseling',
  'Hobbies/Recreation',
  'Time management',
  'Deep breathing exercises',
] as const;

const DECIMAL = { type: 'text', inputMode: 'decimal', maxLength: 7, autoComplete: 'off' } as const;

export const FIELDS = {
  age: {
    label: 'Age',
    hint: 'In years.',
    type: 'text',
    inputMode: 'numeric',
    maxLength: 3,
    autoComplete: 'off',
    payload: ['personalInfo.age'],
  },
  gender: { label: 'Gender', payload: ['personalInfo.gender'] },
  height: { ...DECIMAL, label: 'Height', hint: 'In centimetres; 5 ft 5 in is 165.', payload: ['personalInfo.height'] },
  weight: { ...DECIMAL, label: 'Weight', hint: 'In kilograms.', payload: ['personalInfo.weight'] },
  familyHistory: {
    label: 'Family history of diabetes',
    hint: 'Does a parent, brother or sister have diabetes?',
    payload: ['diabetesRisk.familyHistory'],
  },
  bloodPressure: {
    label: 'Blood pressure',
    hint: 'Choose High if it’s 140/90 or more, or if you take medicine for it.',
    payload: ['diabetesRisk.bloodPressure'],
  },
  activityLevel: {
    label: 'Activity level',
    hint: 'Low means sitting for most of the day. High means exercise or hard work on most days.',
    payload: ['diabetesRisk.activityLevel'],
  },
  sleepHours: {
    ...DECIMAL,
    label: 'Hours of sleep a night',
    hint: 'For example 7 or 6.5.',
    payload: ['stressEvaluation.sleepHours'],
  },
  sleepQuality: { label: 'Sleep quality', payload: ['stressEvaluation.sleepQuality'] },
  workStress: {
    label: 'Stress at work',
    hint: 'Include stress at home or in your studies.',
    payload: ['stressEvaluation.workStress'],
  },
  strategies: {
    label: 'What helps you when things are hard?',
    hint: 'Select all that apply. They don’t change your results.',
    several: true,
    payload: ['copingStrategies.strategies'],
  },
  waist: {
    ...DECIMAL,
    label: 'Waist',
    hint: 'In centimetres, measured at your navel after breathing out.',
    payload: ['indianMeasures.waist'],
  },
  activity: {
    label: 'Regular exercise, and strenuous work',
    hint: 'How many of these are part of your week?',
    payload: ['indianMeasures.activity'],
  },
  parents: { label: 'Parents who have or had diabetes', payload: ['indianMeasures.parents'] },
  consent: { label: 'Keep my answers to help the hospital understand what its visitors need' },
  step: { label: '' },
  savedId: { label: '' },
} as const satisfies FieldDeclarations;

export type Answered = Values<typeof FIELDS>;
export type QuestionName = Exclude<keyof Answered, 'step' | 'savedId'>;

/** Questions of each step; `extra` is asked beside the results. */
export const ASKED: Readonly<Record<number | 'extra', readonly QuestionName[]>> = {
  1: ['age', 'gender', 'height', 'weight'],
  2: ['familyHistory', 'bloodPressure', 'activityLevel'],
  3: ['sleepHours', 'sleepQuality', 'workStress'],
  4: ['strategies', 'consent'],
  extra: ['waist', 'activity', 'parents'],
};

export function stepIn({ step }: Pick<Answered, 'step'>): number {
  return /^[1-4]$/.test(step) ? Number(step) : 1;
}
