/** The form of a video consultation: its fields, its rules and its API call. */
import { IS_BROWSER } from '#runtime';
import type { Consultation, ConsultationInput } from '@hospital/api/types';
import { type FieldDeclarations, type Values, defineForm } from '@hospital/form/declaration';
import type { Outcome } from '@hospital/form/outcome';
import { PERSON_FIELDS } from '@hospital/form/person-fields';
import {
  NAME_CHARACTERS_MAX,
  optional,
  parseEmail,
  parseName,
  parseParagraphs,
  parsePhone,
} from '@hospital/form/rules';
import { daysText } from '../appointment/attendants.ts';
import { type BookingWindow, bookingWindow, isDay, weekdayCode } from '../appointment/calendar.ts';
import { named, t } from '../messages.ts';
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
    label: () => t('Which doctor do you need?'),
    hint: () => t('Optional. The fee is for one call. The doctor of the department calls you.'),
  },
  patientName: {
    label: () => t('Name of the patient'),
    type: 'text',
    autoComplete: 'name',
    maxLength: NAME_CHARACTERS_MAX,
    required: true,
  },
  patientEmail: {
    ...PERSON_FIELDS.email,
    hint: () => t('We’ll send the link for the call to this address.'),
    required: false,
  },
  phone: {
    ...PERSON_FIELDS.phone,
    hint: () => t('If you don’t give an e-mail address, our staff will call you here.'),
    required: false,
  },
  date: {
    label: () => t('Day'),
    hint: () => t('Today or any of the next 60 days. We’ll choose the time and tell you.'),
    type: 'date',
    required: true,
  },
  description: {
    label: () => t('What’s it about?'),
    hint: () => t('Optional. What’s wrong, when it started, which medicines you take, and which hours suit you.'),
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
    ...(!IS_BROWSER && {
      receipt: {
        title: t('Your consultation is requested'),
        text: t('We’ll choose the time on that day and send you the link for the call.'),
        facts: { [t('Reference')]: 'reference', [t('Day')]: 'date' },
      },
    }),
  }),
  outcome: (answer: Partial<Requested>) => (answer.reference ? (answer as Requested) : null),
  get failure() {
    return t('Failed to book consultation. Please try again.');
  },
  get done() {
    return t('Your consultation is requested');
  },
});

function nameProblem(text: string): string {
  return text.trim() ? parseName(text).problem : t('Enter the name of the patient');
}

/** Requires an e-mail address or a phone number. */
function reachProblems({ patientEmail, phone }: Pick<ConsultationValues, 'patientEmail' | 'phone'>) {
  const [email, number] = [parseEmail(patientEmail), parsePhone(phone)];
  if (email.value || number.value) return { patientEmail: optional(email), phone: optional(number) };
  return { patientEmail: t('Enter an e-mail address or a phone number so we can send you the link') };
}

function dayProblem(date: string, { first, last }: BookingWindow): string | false {
  if (!date) return t('Choose a day');
  if (!isDay(date) || date < first) return t('Choose today or a later day');
  return date > last && t('Choose a day in the next 60 days');
}

function weekdayProblem(date: string, clinic: Clinic | undefined): string | false {
  if (!clinic || clinic.hours.weekdays.includes(weekdayCode(date))) return false;
  return t('Video calls with {department}: {days}. Choose one of these days', {
    department: named(clinic.name),
    days: daysText(clinic.hours.weekdays),
  });
}
