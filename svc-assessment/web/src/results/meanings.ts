/** What the results mean, in plain words. Reviewed like all texts of the hospital; none is a diagnosis. */
import type { Level } from '../scoring/score.ts';

export const MISSING_MEANS =
  'One of the answers that this result needs is missing, so there is none. Go back and fill it in, if you like.';

export const BMI_MEANS = {
  Underweight:
    'You weigh less than is usual for your height. That can be how you are built, or a sign of too little food or of an illness. See a doctor if you have lost weight without wanting to.',
  Normal: 'Your weight is usual for your height. Keep doing what you do.',
  Overweight:
    'You weigh more than is usual for your height. Over the years that makes high blood pressure, diabetes and sore joints more likely. Losing even a few kilograms helps.',
  Obese:
    'You weigh much more than is usual for your height, which strains the heart and makes diabetes more likely. A doctor can look for causes and make a plan with you.',
  child:
    'These limits are for adults. Whether a child or teenager weighs too little or too much is read from growth charts for the age: please ask a children’s doctor.',
} as const;

export const DIABETES_MEANS: Readonly<Record<Level, string>> = {
  Low: 'Few of the signs that often come before diabetes. A blood sugar test every three years from the age of 30 is still a good habit.',
  Moderate:
    'Some of the signs that often come before diabetes. A simple blood test shows whether your sugar is raised; ask for one in the next months.',
  High: 'Several of the signs that often come before diabetes. It may be that nothing is wrong, but do have your blood sugar tested in the next weeks.',
};

export const STRESS_MEANS: Readonly<Record<Level, string>> = {
  Low: 'Your sleep and your days seem to leave you room to recover.',
  Moderate:
    'Your sleep or your days cost you strength. Small changes help: a fixed time for sleep, breaks, and somebody to talk to.',
  High: 'Little rest and much strain at the same time wear anybody out. Please do not wait until it passes by itself: a doctor can help, and so can talking with somebody you trust.',
};

export const OVERALL_MEANS: Readonly<Record<Level, string>> = {
  Low: 'None of the three results below is raised.',
  Moderate: 'At least one of the three results below is raised. It is worth a look by a doctor, without any hurry.',
  High: 'At least one of the three results below is high. Please see a doctor about it in the next weeks.',
};

export const SOURCES = [
  'World Health Organization: classification of adult body mass index (under 18.5, 25, 30 kg/m²).',
  'The points for diabetes and stress are this hospital’s own short score. It has not been tested in a study.',
] as const;

export const INDIAN_SOURCES = [
  'Mohan V, Deepa R, Deepa M, Somannavar S, Datta M. A simplified Indian Diabetes Risk Score for screening for undiagnosed diabetic subjects. J Assoc Physicians India 2005; 53: 759-763.',
  'Misra A, Chowbey P, Makkar BM, et al. Consensus statement for diagnosis of obesity, abdominal obesity and the metabolic syndrome for Asian Indians. J Assoc Physicians India 2009; 57: 163-170.',
] as const;

export const NO_DIAGNOSIS =
  'This is not a diagnosis. It shows what your answers suggest; only an examination can show what is there.';

export const WARNING_SIGNS = [
  'Pain or pressure in the chest, or pain that spreads to arm, jaw or back',
  'Trouble with breathing',
  'A face that droops, a weak arm or leg, or speech that is suddenly unclear',
  'Fainting, a fit, or sudden confusion',
  'Great thirst and much urine together with vomiting, or with feeling drowsy',
  'Blood pressure of 180/120 or more together with headache, blurred sight or chest pain',
] as const;

export const HELPLINE = { name: 'Tele-MANAS', display: '14416', e164: '14416' } as const;
