/** What is wrong with an answer, named by the form's field, in the order of the form. */
import type { FieldProblem } from '@hospital/page';
import { type BookingWindow, isDay } from './calendar.ts';
import { notesOf } from './payload.ts';
import { FIELDS, type FieldName, type FormValues } from './values.ts';
import { weekday } from '@hospital/page/format';

export interface Violation {
  field: FieldName;
  message: string;
}

const NAME_CHARACTERS_MAX = 120;
const EMAIL_CHARACTERS_MAX = 254;
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
    firstName: !values.firstName.trim() && 'Enter the first name of the patient',
    lastName: lastNameProblem(values),
    email: emailProblem(values.email.trim()),
    phone: phoneProblem(values.phone.trim()),
    department: !values.department && 'Choose a department',
    doctor: notesOf(values).length > NOTES_CHARACTERS_MAX && 'Shorten the name of the doctor',
    date: dateProblem(values.date, window),
    time: !values.time && 'Choose a free time',
    message: values.message.trim().length > REASON_CHARACTERS_MAX && `Shorten your message to ${REASON_CHARACTERS_MAX} characters`,
  };
  return FIELDS.flatMap((field) => {
    const message = messages[field];
    return message ? [{ field, message }] : [];
  });
}

function lastNameProblem({ firstName, lastName }: FormValues): string | false {
  if (!lastName.trim()) return 'Enter the last name of the patient';
  const joined = firstName.trim().length + 1 + lastName.trim().length;
  return joined > NAME_CHARACTERS_MAX && `Shorten the name to ${NAME_CHARACTERS_MAX} characters`;
}

function emailProblem(email: string): string | false {
  if (!email) return 'Enter an email address';
  const valid = email.length <= EMAIL_CHARACTERS_MAX && /^[^\s@]+@[^\s@]+$/.test(email);
  return !valid && 'Enter an email address like name@example.com';
}

function phoneProblem(phone: string): string | false {
  if (!phone) return 'Enter a phone number';
  const digits = phone.replace(/\D/g, '').length;
  const valid = /^\+?[\d ]+$/.test(phone) && digits >= 7 && digits <= 15;
  return !valid && 'Enter a phone number of 7 to 15 digits, like +91 80 0000 0000';
}

function dateProblem(date: string, { first, last }: BookingWindow): string | false {
  if (!date) return 'Choose a day';
  if (!isDay(date) || weekday(date) === 'Sunday') return 'Choose a day from Monday to Saturday';
  if (date < first) return 'Choose today or a later day';
  return date > last && 'Choose a day in the next 60 days';
}
