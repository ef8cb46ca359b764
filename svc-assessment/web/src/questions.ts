/** The questions of each step, the valid answers, and the API call that submits them. */
import type { Assessment, AssessmentInput } from '@hospital/api/types';
import { type FieldDeclarations, type Problems, type Values, defineForm } from '@hospital/form/declaration';
import { answersOf, numberIn } from './answers.ts';

export const PAGE = '/health-assessment';
/** Number of steps; the last one shows the results. */
export const STEPS = 5;
export const RESULTS_STEP = 5;
/** The last step with questions. */
export const CONSENT_STEP = 4;

export const FAILURE = 'Could not save assessment. Please try again later.';

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

const FIELDS = {
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
    hint: 'Has a parent, brother or sister diabetes?',
    payload: ['diabetesRisk.familyHistory'],
  },
  bloodPressure: {
    label: 'Blood pressure',
    hint: 'High is 140/90 or more, or when you take medicine for it.',
    payload: ['diabetesRisk.bloodPressure'],
  },
  activityLevel: {
    label: 'Activity level',
    hint: 'Low means sitting for most of the day; high means exercise or hard work on most days.',
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
    hint: 'Or at home or in your studies.',
    payload: ['stressEvaluation.workStress'],
  },
  strategies: {
    label: 'What helps you when things are hard?',
    hint: 'Choose all that you do. They do not change the results.',
    several: true,
    payload: ['copingStrategies.strategies'],
  },
  waist: {
    ...DECIMAL,
    label: 'Waist',
    hint: 'In centimetres, at the height of the navel, after breathing out.',
    payload: ['indianMeasures.waist'],
  },
  activity: {
    label: 'Regular exercise, and strenuous work',
    hint: 'How many of the two are part of your week?',
    payload: ['indianMeasures.activity'],
  },
  parents: { label: 'Parents who have or had diabetes', payload: ['indianMeasures.parents'] },
  consent: { label: 'Keep my answers, so that the hospital learns what its visitors need' },
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

/** Returns the problems of the typed values. An empty field is valid: the answer is missing. */
export function problemsIn(values: Answered): Problems<typeof FIELDS> {
  return {
    age: outside(values.age, 1, 120, 'Enter your age as a whole number of years, from 1 to 120', true),
    height: outside(values.height, 50, 250, 'Enter your height in centimetres, from 50 to 250'),
    weight: outside(values.weight, 2, 400, 'Enter your weight in kilograms, from 2 to 400'),
    sleepHours: outside(values.sleepHours, 0, 24, 'Enter the hours of sleep in one night, from 0 to 24'),
    waist: outside(values.waist, 30, 250, 'Enter your waist in centimetres, from 30 to 250'),
  };
}

function outside(text: string, min: number, max: number, problem: string, isWhole = false): string | false {
  if (!text.trim()) return false;
  const number = numberIn(text);
  return (number === undefined || number < min || number > max || (isWhole && !Number.isInteger(number))) && problem;
}

export function stepIn({ step }: Pick<Answered, 'step'>): number {
  return /^[1-4]$/.test(step) ? Number(step) : 1;
}

/** Form submission without script: the service computes the results, and stores them only with consent. */
export const assessmentForm = defineForm({
  id: 'assessment',
  page: PAGE,
  fields: FIELDS,
  rules: problemsIn,
  request: (values) => ({
    method: 'POST',
    template: '/assessments',
    body: {
      ...answersOf(values),
      ...(values.consent === 'yes' && { consent: true }),
      ...indianOf(values),
    } satisfies AssessmentInput,
    receipt: { title: 'Your answers have reached us', text: 'The page with your results cannot be shown right now.' },
  }),
  intents: {
    next: { rules: problemsIn, request: () => null },
    remove: {
      request: ({ savedId }) => ({
        method: 'DELETE',
        template: '/assessments/{assessment_id}',
        params: { assessment_id: savedId },
      }),
    },
  },
  outcome: (answer: Partial<Assessment>) => (answer.result ? (answer as Assessment) : null),
  failure: FAILURE,
  done: 'Your results',
});

/** Returns the extra answers, only if at least one of them was given. */
function indianOf(values: Answered): Pick<AssessmentInput, 'indianMeasures'> {
  const isAsked = ASKED.extra.some((name) => values[name].length > 0);
  const { waist, activity, parents } = values;
  return isAsked ? { indianMeasures: { waist: numberIn(waist), activity, parents } } : {};
}
