/** The booking form: its fields, what can be said before asking the server, and the API call that it stands for. */
import type { Appointment, AppointmentInput } from '@hospital/api/create-appointment';
import type { AvailabilityDay } from '@hospital/api/list-availability';
import { type FieldDeclarations, type FormContext, type Values, defineForm } from '@hospital/form/declaration';
import type { Outcome } from '@hospital/form/outcome';
import { PERSON_FIELDS, fullName, personProblems } from '@hospital/form/person';
import { optional, parseLine, parseParagraphs } from '@hospital/form/rules';
import { addDays, istDay, weekday } from '@hospital/page/format';
import { type BookingWindow, bookingWindow, isDay } from './calendar.ts';

/** The part of a stored appointment that the confirmation shows. */
export type Booked = Pick<Appointment, 'reference' | 'date' | 'time' | 'notes'>;

export interface BookingContext extends FormContext {
  /** Of the suggestion that was picked. Natively a picked name looks like a typed one: it travels in the notes. */
  doctorId?: string;
}

export type BookingValues = Values<typeof FIELDS>;
export type BookingOutcome = Outcome<typeof bookingForm>;

/** The department that is called, not booked. */
const CALL_ONLY = 'Emergency';
/** The home page asks for a service instead of a department. */
export const SERVICES = ['General Consultation', 'Cardiology', 'Neurology', 'Pediatrics', 'Orthopedics'] as const;
const REASON_CHARACTERS_MAX = 2000;
const NOTES_CHARACTERS_MAX = 300;

const FIELDS = {
  ...PERSON_FIELDS,
  department: { label: 'Department', required: true, payload: ['notes'] },
  doctor: {
    label: 'Preferred doctor',
    hint: 'Optional. Pick a name from the list to see that doctor’s own times.',
    type: 'text',
    maxLength: 120,
    autoComplete: 'off',
    payload: ['doctorId'],
  },
  date: { label: 'Day', hint: 'Monday to Saturday, at most 60 days ahead', type: 'date', required: true },
  time: { label: 'Time', hint: 'Indian Standard Time (IST)', required: true },
  message: {
    label: 'Message',
    hint: 'Optional. What is the visit about, and what should the doctor know?',
    maxLength: REASON_CHARACTERS_MAX,
    payload: ['reason'],
  },
} as const satisfies FieldDeclarations;

export const bookingForm = defineForm({
  id: 'booking.appointment',
  page: '/appointment',
  fields: FIELDS,
  prefill: ({ service }) => ({
    department: service?.[0] === SERVICES[0] ? 'General Medicine' : (service?.[0] ?? ''),
  }),
  rules: (values, { now }: BookingContext) => ({
    ...personProblems(values, 'the patient'),
    department: departmentProblem(values.department),
    doctor: doctorProblem(values),
    date: dateProblem(values.date, bookingWindow(now)),
    time: !values.time && 'Choose a free time',
    message: optional(parseParagraphs(values.message, REASON_CHARACTERS_MAX)),
  }),
  request: (values, { doctorId = '' }) =>
    values.department === CALL_ONLY
      ? null
      : {
          method: 'POST',
          template: '/appointments',
          body: bookingPayload(values, doctorId),
          receipt: {
            title: 'Your appointment is booked',
            text: 'Please come 15 minutes early and say the reference at the front desk. Times are Indian Standard Time (IST).',
            facts: { Reference: 'reference', Date: 'date', Time: 'time' },
          },
        },
  intents: {
    /** The home page's form: the fields that it filled in, and nothing else. */
    prefill: { request: () => null },
    /** The free times of the chosen day, for a visitor without script. Nothing personal gets into the address. */
    times: {
      rules: timesProblems,
      request: ({ department, date }, { now }) => {
        const from = isDay(date) ? date : istDay(now);
        // A week, so that the page can name the next free day when the chosen one is full.
        return { method: 'GET', template: '/availability', query: { department, from, to: addDays(from, 6) } };
      },
    },
  },
  outcome: (answer: Partial<Booked>) => (answer.reference ? (answer as Booked) : null),
  failure: 'Failed to book appointment. Please try again.',
  reasons: { SLOT_TAKEN: 'The time you chose was just taken by somebody else. Everything you typed is still here.' },
});

export function isTaken(outcome: BookingOutcome): boolean {
  return outcome.kind === 'failed' && outcome.reason === 'SLOT_TAKEN';
}

export interface AskedTimes {
  /** The day that was asked for. */
  asked: string;
  /** The first day from then on with a free time, if any has one. */
  day: AvailabilityDay | undefined;
}

/** The free times that were asked for without script, or null. */
export function timesIn(outcome: BookingOutcome): AskedTimes | null {
  if (outcome.kind !== 'answered') return null;
  const { days = [] } = outcome.answer as { days?: AvailabilityDay[] };
  return days[0] ? { asked: days[0].date, day: firstFreeDay(days) } : null;
}

export function firstFreeDay(days: readonly AvailabilityDay[]): AvailabilityDay | undefined {
  return days.find(({ slots }) => slots.some(({ available }) => available));
}

/** Exactly the payload of the specification: `doctorId` is empty unless a suggested doctor was picked. */
export function bookingPayload(values: BookingValues, doctorId: string) {
  return {
    patientName: fullName(values),
    email: values.email.trim(),
    phone: values.phone.trim(),
    date: values.date,
    time: values.time,
    reason: values.message.trim(),
    doctorId,
    notes: notesOf(values),
  } satisfies AppointmentInput;
}

/** `Cardiology | Preferred: Dr. Rao`; the name as it was typed, picked or not. */
export function notesOf({ department, doctor }: Pick<BookingValues, 'department' | 'doctor'>): string {
  const name = doctor.trim();
  return name ? `${department} | Preferred: ${name}` : department;
}

/** What keeps free times from being asked for. */
export function timesProblems({ department }: Pick<BookingValues, 'department'>) {
  return { department: department ? departmentProblem(department) : 'Choose a department to see its free times' };
}

function departmentProblem(department: string): string | false {
  if (!department) return 'Choose a department';
  return department === CALL_ONLY && 'An emergency is called, not booked. Call the emergency number now';
}

/** The doctor's name shares a line with the department. */
function doctorProblem(values: Pick<BookingValues, 'department' | 'doctor'>): string {
  const taken = notesOf({ ...values, doctor: '-' }).length - 1;
  return optional(parseLine(values.doctor, NOTES_CHARACTERS_MAX - taken));
}

function dateProblem(date: string, { first, last }: BookingWindow): string | false {
  if (!date) return 'Choose a day';
  if (!isDay(date) || weekday(date) === 'Sunday') return 'Choose a day from Monday to Saturday';
  if (date < first) return 'Choose today or a later day';
  return date > last && 'Choose a day in the next 60 days';
}
