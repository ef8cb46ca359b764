/** What stands in the fields, as the API and the rules take it. */
import type { AssessmentInput } from '@hospital/api/create-assessment';
import type { Answered } from './questions.ts';

/** A number as people type it: `65`, `65.5`, `65,5`. Undefined when nothing was typed, or no number. */
export function numberIn(text: string): number | undefined {
  const digits = text.trim().replace(',', '.');
  return /^-?\d+(\.\d*)?$/.test(digits) ? Number(digits) : undefined;
}

/** The four groups of the payload. A number that was not given is absent, a choice that was not made is empty. */
export function answersOf(values: Answered) {
  return {
    personalInfo: {
      age: numberIn(values.age),
      gender: values.gender,
      height: numberIn(values.height),
      weight: numberIn(values.weight),
    },
    diabetesRisk: {
      familyHistory: values.familyHistory,
      bloodPressure: values.bloodPressure,
      activityLevel: values.activityLevel,
      // Belongs to the payload and is never asked.
      waistCircumference: '',
    },
    stressEvaluation: {
      sleepHours: numberIn(values.sleepHours),
      sleepQuality: values.sleepQuality,
      workStress: values.workStress,
      // Belongs to the payload and is never asked.
      relationships: '',
    },
    copingStrategies: { strategies: values.strategies },
  } satisfies AssessmentInput;
}

/** With the extra questions, for what is computed here and never sent by script. */
export function allAnswersOf(values: Answered): AssessmentInput {
  const { waist, activity, parents } = values;
  return { ...answersOf(values), indianMeasures: { waist: numberIn(waist), activity, parents } };
}
