/** The form's values, as the API and the rules take them. */
import type { AssessmentInput } from '@hospital/api/types';
import type { Answered } from './questions.ts';

/** Parses a typed number: `65`, `65.5`, `65,5`. Returns undefined for an empty field or anything but a number. */
export function numberIn(text: string): number | undefined {
  const digits = text.trim().replace(',', '.');
  return /^-?\d+(\.\d*)?$/.test(digits) ? Number(digits) : undefined;
}

/** Returns the four groups of the payload. A missing number is absent, a missing choice is empty. */
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
      // Part of the payload, but never asked.
      waistCircumference: '',
    },
    stressEvaluation: {
      sleepHours: numberIn(values.sleepHours),
      sleepQuality: values.sleepQuality,
      workStress: values.workStress,
      // Part of the payload, but never asked.
      relationships: '',
    },
    copingStrategies: { strategies: values.strategies },
  } satisfies AssessmentInput;
}

/** Returns all answers, with those to the extra questions, for results computed here. The script never sends them. */
export function allAnswersOf(values: Answered): AssessmentInput {
  const { waist, activity, parents } = values;
  return { ...answersOf(values), indianMeasures: { waist: numberIn(waist), activity, parents } };
}
