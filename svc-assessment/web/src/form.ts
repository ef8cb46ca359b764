/** The form: the rules of its fields, and the API call that submits it. */
import type { Assessment, AssessmentInput } from '@hospital/api/types';
import { type Problems, defineForm } from '@hospital/form/declaration';
import { t } from './messages.ts';
import { answersOf, numberIn } from './answers.ts';
import { ASKED, type Answered, FIELDS, PAGE } from './questions.ts';

export const FAILURE = 'Could not save assessment. Please try again later.';

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
    receipt: { title: t('We have your answers'), text: t('We can’t show your results right now.') },
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
