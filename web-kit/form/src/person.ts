/** Validation of a person's name and contact details. */
import type { PERSON_FIELDS } from './person-fields.ts';
import { NAME_CHARACTERS_MAX, parseEmail, parseLine, parseName, parsePhone } from './rules.ts';

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
