/** Name and contact details of a person: the fields that most forms start with, and their validation. */
import type { FieldDeclarations } from './declaration.ts';
import { t } from './messages.ts';
import { NAME_CHARACTERS_MAX, parseEmail, parseLine, parseName, parsePhone } from './rules.ts';

/** `payload` has the member names of the booking request. Forms with other names override it by spreading. */
export const PERSON_FIELDS = {
  firstName: {
    label: () => t('First name'),
    type: 'text',
    autoComplete: 'given-name',
    maxLength: 60,
    required: true,
    payload: ['patientName', 'name'],
  },
  lastName: { label: () => t('Last name'), type: 'text', autoComplete: 'family-name', maxLength: 59, required: true },
  email: {
    label: () => t('Email'),
    type: 'email',
    autoComplete: 'email',
    inputMode: 'email',
    maxLength: 254,
    pattern: String.raw`.+@.+\..+`,
    title: () => t('An address such as name@example.com'),
    autoCapitalize: 'none',
    spellCheck: false,
    required: true,
  },
  phone: {
    label: () => t('Phone'),
    type: 'tel',
    autoComplete: 'tel',
    inputMode: 'tel',
    maxLength: 32,
    pattern: String.raw` *\+?(?:[ .\(\)\-]*[0-9]){7,15}[ .\(\)\-]*`,
    title: () => t('7 to 15 digits; spaces, hyphens, dots, brackets and a + in front are fine'),
    required: true,
  },
} as const satisfies FieldDeclarations;

export type Person = Record<keyof typeof PERSON_FIELDS, string>;

/** Validates a person's fields. `missing`: messages for empty names. */
export function personProblems(person: Person, missing: Pick<Person, 'firstName' | 'lastName'>): Person {
  return {
    firstName: namePartProblem(person.firstName, missing.firstName),
    lastName: lastNameProblem(person, missing.lastName),
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
