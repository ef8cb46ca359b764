/** What is wrong with an answer, named by the form's field, in the order of the form. */
import {
  NAME_CHARACTERS_MAX,
  type Parsed,
  parseEmail,
  parseLine,
  parseName,
  parseParagraphs,
  parsePhone,
} from '@hospital/form/rules';
import type { FieldProblem } from '@hospital/page';
import { type BookingWindow, isDay } from './calendar.ts';
import { notesOf } from './payload.ts';
import { FIELDS, type FieldName, type FormValues } from './values.ts';
import { weekday } from '@hospital/page/format';

export interface Violation {
  field: FieldName;
  message: string;
}

export const REASON_CHARACTERS_MAX = 2000;
const NOTES_CHARACTERS_MAX = 300;

/** Names of the payload whose field in the form is called otherwise. */
const FIELD_OF_PAYLOAD: Record<string, FieldName> = {
  patientName: 'firstName',
  doctorId: 'doctor',
  reason: 'message',
  notes: 'department',
};

function isFieldName(name: string): name is FieldName {
  return (FIELDS as readonly string[]).includes(name);
}

function inFormOrder(violations: Violation[]): Violation[] {
  return violations.sort((a, b) => FIELDS.indexOf(a.field) - FIELDS.indexOf(b.field));
}

/**
 * The refused fields of an API answer as violations of the form; one a field, the first that was named.
 * A field that the form does not have (`requestId`) cannot be put right by the visitor and is left out.
 */
export function violationsOf(fields: readonly FieldProblem[]): Violation[] {
  const found = new Map<FieldName, string>();
  for (const { field, message } of fields) {
    const name = FIELD_OF_PAYLOAD[field] ?? (isFieldName(field) ? field : undefined);
    if (name && !found.has(name)) found.set(name, message);
  }
  return inFormOrder([...found].map(([field, message]) => ({ field, message })));
}

/** What can be said before asking the server, in words that help. The server checks everything again. */
export function check(values: FormValues, window: BookingWindow): Violation[] {
  const messages: Record<FieldName, string | false> = {
    firstName: namePartProblem(values.firstName, 'Enter the first name of the patient'),
    lastName: lastNameProblem(values),
    email: parseEmail(values.email).problem,
    phone: parsePhone(values.phone).problem,
    department: !values.department && 'Choose a department',
    doctor: doctorProblem(values),
    date: dateProblem(values.date, window),
    time: !values.time && 'Choose a free time',
    message: optional(parseParagraphs(values.message, REASON_CHARACTERS_MAX)),
  };
  return FIELDS.flatMap((field) => {
    const message = messages[field];
    return message ? [{ field, message }] : [];
  });
}

/** A field that may stay empty. */
function optional({ value, problem }: Parsed): string {
  return value && problem;
}

function namePartProblem(text: string, empty: string): string {
  const { value, problem } = parseLine(text, NAME_CHARACTERS_MAX);
  return value ? problem : empty;
}

/** The service keeps one name: what is wrong with the whole is said where it ends. */
function lastNameProblem({ firstName, lastName }: FormValues): string {
  const own = namePartProblem(lastName, 'Enter the last name of the patient');
  if (own || namePartProblem(firstName, 'said at the first name')) return own;
  return parseName(`${parseLine(firstName, NAME_CHARACTERS_MAX).value} ${lastName}`).problem;
}

/** The doctor's name shares a line with the department. */
function doctorProblem(values: FormValues): string {
  const taken = notesOf({ ...values, doctor: '-' }).length - 1;
  return optional(parseLine(values.doctor, NOTES_CHARACTERS_MAX - taken));
}

function dateProblem(date: string, { first, last }: BookingWindow): string | false {
  if (!date) return 'Choose a day';
  if (!isDay(date) || weekday(date) === 'Sunday') return 'Choose a day from Monday to Saturday';
  if (date < first) return 'Choose today or a later day';
  return date > last && 'Choose a day in the next 60 days';
}
