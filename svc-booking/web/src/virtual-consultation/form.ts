/** The form of a video consultation: its fields, its rules and its API call. */
import type { Consultation, ConsultationInput } from '@hospital/api/types';
import { type FieldDeclarations, type Values, defineForm } from '@hospital/form/declaration';
import type { Outcome } from '@hospital/form/outcome';
import { PERSON_FIELDS } from '@hospital/form/person';
import {
  NAME_CHARACTERS_MAX,
  optional,
  parseEmail,
  parseName,
  parseParagraphs,
  parsePhone,
} from '@hospital/form/rules';
import { weekday } from '@hospital/page/format';
import { daysText } from '../appointment/attendants.ts';
import { type BookingWindow, bookingWindow, isDay } from '../appointment/calendar.ts';
import type { Clinic } from './clinics.ts';

/** The part of a consultation that the confirmation shows. */
export type Requested = Pick<Consultation, 'reference' | 'date'> &
  Partial<Pick<Consultation, 'patientName' | 'department'>>;
export type ConsultationOutcome = Outcome<typeof consultationForm>;
type ConsultationValues = Values<typeof FIELDS>;

/** `clinics`: known to the page, not to its native action; the service checks the weekday in any case. */
interface Context {
  now: string;
  clinics?: readonly Clinic[];
}

const DESCRIPTION_CHARACTERS_MAX = 2000;

const FIELDS = {
  department: {
    label: 'Which doctor do you need?',
    hint: 'Optional. The fee is for one call. The doctor of the department calls you.',
  },
  patientName: {
    label: 'Name of the patient',
    type: 'text',
    autoComplete: 'name',
    maxLength: NAME_CHARACTERS_MAX,
    required: true,
  },
  patientEmail: {
    ...PERSON_FIELDS.email,
    hint: 'We’ll send the link for the call to this address.',
    required: false,
  },
  phone: {
    ...PERSON_FIELDS.phone,
    hint: 'If you don’t give an e-mail address, our staff will call you here.',
    required: false,
  },
  date: {
    label: 'Day',
    hint: 'Today or any of the next 60 days. We’ll choose the time and tell you.',
    type: 'date',
    required: true,
  },
  description: {
    label: 'What’s it about?',
    hint: 'Optional. What’s wrong, when it started, which medicines you take, and which hours suit you.',
    maxLength: DESCRIPTION_CHARACTERS_MAX,
  },
} as const satisfies FieldDeclarations;

export const consultationForm = defineForm({
  id: 'booking.consultation',
  page: '/virtual-consultation',
  fields: FIELDS,
  rules: (values, { now, clinics }: Context) => ({
    patientName: nameProblem(values.patientName),
    ...reachProblems(values),
    date:
      dayProblem(values.date, bookingWindow(now)) ||
      weekdayProblem(
        values.date,
        clinics?.find(({ id }) => id === values.department),
      ),
    description: optional(parseParagraphs(values.description, DESCRIPTION_CHARACTERS_MAX)),
  }),
  request: (values) => ({
    method: 'POST',
    template: '/consultations',
    body: {
      patientName: values.patientName.trim(),
      patientEmail: values.patientEmail.trim(),
      phone: values.phone.trim(),
      description: values.description.trim(),
      date: values.date,
      // Services of earlier releases refuse the field.
      ...(values.department && { department: values.department }),
    } satisfies ConsultationInput,
    receipt: {
      title: 'Your consultation is requested',
      text: 'We’ll choose the time on that day and send you the link for the call.',
      facts: { Reference: 'reference', Day: 'date' },
    },
  }),
  outcome: (answer: Partial<Requested>) => (answer.reference ? (answer as Requested) : null),
  failure: 'Failed to book consultation. Please try again.',
  done: 'Your consultation is requested',
});

function nameProblem(text: string): string {
  return text.trim() ? parseName(text).problem : 'Enter the name of the patient';
}

/** Requires an e-mail address or a phone number. */
function reachProblems({ patientEmail, phone }: Pick<ConsultationValues, 'patientEmail' | 'phone'>) {
  const [email, number] = [parseEmail(patientEmail), parsePhone(phone)];
  if (email.value || number.value) return { patientEmail: optional(email), phone: optional(number) };
  return { patientEmail: 'Enter an e-mail address or a phone number so we can send you the link' };
}

function dayProblem(date: string, { first, last }: BookingWindow): string | false {
  if (!date) return 'Choose a day';
  if (!isDay(date) || date < first) return 'Choose today or a later day';
  return date > last && 'Choose a day in the next 60 days';
}

function weekdayProblem(date: string, clinic: Clinic | undefined): string | false {
  if (!clinic || clinic.hours.weekdays.includes(weekday(date).slice(0, 3))) return false;
  return `Video calls with ${clinic.name}: ${daysText(clinic.hours.weekdays)}. Choose one of these days`;
}
