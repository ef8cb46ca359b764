/** Name and contact details of a person: the fields that most forms start with, and their validation. */
import { t } from '@hospital/page/messages';
import type { FieldDeclarations } from './declaration.ts';
import { NAME_CHARACTERS_MAX, parseEmail, parseLine, parseName, parsePhone } from './rules.ts';

/** `payload` has the member names of the booking request. Forms with other names override it by spreading. */
export const PERSON_FIELDS = {
  firstName: {
    label: 'First name',
    type: 'text',
    autoComplete: 'given-name',
    maxLength: 60,
    required: true,
    payload: ['patientName', 'name'],
  },
  lastName: { label: 'Last name', type: 'text', autoComplete: 'family-name', maxLength: 59, required: true },
  email: {
    label: 'Email',
    type: 'email',
    autoComplete: 'email',
    inputMode: 'email',
    maxLength: 254,
    pattern: String.raw`.+@.+\..+`,
    title: 'An address such as name@example.com',
    autoCapitalize: 'none',
    spellCheck: false,
    required: true,
  },
  phone: {
    label: 'Phone',
    type: 'tel',
    autoComplete: 'tel',
    inputMode: 'tel',
    maxLength: 32,
    pattern: String.raw` *\+?(?:[ .\(\)\-]*[0-9]){7,15}[ .\(\)\-]*`,
    title: '7 to 15 digits; spaces, hyphens, dots, brackets and a + in front are fine',
    required: true,
  },
} as const satisfies FieldDeclarations;

export type Person = Record<keyof typeof PERSON_FIELDS, string>;

/** Messages about missing names, in whole sentences for the translations. */
const MISSING = {
  'the patient': ['Enter the first name of the patient', 'Enter the last name of the patient'],
  'the sender': ['Enter the first name of the sender', 'Enter the last name of the sender'],
} as const;

/** Validates a person's fields. `who` names the person in messages. */
export function personProblems(person: Person, who: keyof typeof MISSING): Person {
  const [first, last] = MISSING[who];
  return {
    firstName: namePartProblem(person.firstName, t(first)),
    lastName: lastNameProblem(person, t(last)),
    email: parseEmail(person.email).problem,
    phone: parsePhone(person.phone).problem,
  };
}

/** Joins first and last name: the services store a single name. */
export function fullName({ firstName, lastName }: Person): string {
  return `${firstName.trim()} ${lastName.trim()}`.trim();
}

function namePartProblem(text: string, empty: string): string {
  const { value, problem } = parseLine(text, NAME_CHARACTERS_MAX);
  return value ? problem : empty;
}

/** Returns the problem of the last name. Problems of the full name are also reported at this field. */
function lastNameProblem({ firstName, lastName }: Person, empty: string): string {
  const own = namePartProblem(lastName, empty);
  if (own || namePartProblem(firstName, 'said at the first name')) return own;
  return parseName(`${parseLine(firstName, NAME_CHARACTERS_MAX).value} ${lastName}`).problem;
}
