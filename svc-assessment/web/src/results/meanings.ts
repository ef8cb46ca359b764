/**
 * What the results mean, in plain words. Reviewed like all texts of the hospital; none is a diagnosis. In English; shown
 * in the page's language.
 */
import type { Level } from '../scoring/score.ts';

export const MISSING_MEANS =
  'We need at least one more answer to work out this result. You can go back and add what’s missing.';

export const BMI_MEANS = {
  Underweight:
    'You weigh less than is usual for your height. This may be your natural build, or a sign of too little food or of an illness. See a doctor if you’ve lost weight without trying to.',
  Normal: 'Your weight is usual for your height. Keep doing what you’re doing.',
  Overweight:
    'You weigh more than is usual for your height. Over time, this makes high blood pressure, diabetes and sore joints more likely. Losing even a few kilograms helps.',
  Obese:
    'You weigh much more than is usual for your height, which strains the heart and makes diabetes more likely. A doctor can look for causes and make a plan with you.',
  child:
    'These limits are for adults. For a child or teenager, weight is checked against growth charts for their age. Please ask a children’s doctor.',
} as const;

export const DIABETES_MEANS = {
  Low: 'You have few of the signs that often come before diabetes. It’s still good to have a blood sugar test every three years from the age of 30.',
  Moderate:
    'You have some of the signs that often come before diabetes. A simple blood test shows if your blood sugar is raised. Ask for one in the next few months.',
  High: 'You have several of the signs that often come before diabetes. There may be nothing wrong, but do have your blood sugar tested in the next few weeks.',
} as const satisfies Readonly<Record<Level, string>>;

export const STRESS_MEANS = {
  Low: 'Your sleep and your days seem to leave you time to recover.',
  Moderate:
    'Your sleep or your days are wearing you down. Small changes help: a regular bedtime, breaks, and someone to talk to.',
  High: 'Little rest and a lot of strain at the same time wear anyone out. Please don’t wait for it to pass by itself. A doctor can help, and so can talking to someone you trust.',
} as const satisfies Readonly<Record<Level, string>>;

export const OVERALL_MEANS = {
  Low: 'None of the three results below is raised.',
  Moderate:
    'At least one of the three results below is raised. It’s worth seeing a doctor about it, but there’s no hurry.',
  High: 'At least one of the three results below is high. Please see a doctor about it in the next few weeks.',
} as const satisfies Readonly<Record<Level, string>>;

export const SOURCES = [
  'World Health Organization: classification of adult body mass index (under 18.5, 25, 30 kg/m²).',
  'The points for diabetes and stress are this hospital’s own short score. It has not been tested in a study.',
] as const;

export const INDIAN_SOURCES = [
  'Mohan V, Deepa R, Deepa M, Somannavar S, Datta M. A simplified Indian Diabetes Risk Score for screening for undiagnosed diabetic subjects. J Assoc Physicians India 2005; 53: 759-763.',
  'Misra A, Chowbey P, Makkar BM, et al. Consensus statement for diagnosis of obesity, abdominal obesity and the metabolic syndrome for Asian Indians. J Assoc Physicians India 2009; 57: 163-170.',
] as const;

export const NO_DIAGNOSIS =
  'This is not a diagnosis. It shows what your answers suggest. Only an examination can give you a diagnosis.';

export const WARNING_SIGNS = [
  'Pain or pressure in the chest, or pain that spreads to your arm, jaw or back',
  'Trouble breathing',
  'A face that droops, a weak arm or leg, or speech that is suddenly unclear',
  'Fainting, a fit, or sudden confusion',
  'Great thirst and passing a lot of urine, together with vomiting or feeling drowsy',
  'Blood pressure of 180/120 or more, together with a headache, blurred sight or chest pain',
] as const;

export const HELPLINE = { name: 'Tele-MANAS', display: '14416', e164: '14416' } as const;
