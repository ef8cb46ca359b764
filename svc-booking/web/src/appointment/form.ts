/** The booking form: its fields, its client-side rules and its API call. */
import { IS_BROWSER } from '#runtime';
import type { Appointment, AppointmentInput, WaitlistEntry, WaitlistEntryInput } from '@hospital/api/types';
import { type FieldDeclarations, type FormContext, type Values, defineForm } from '@hospital/form/declaration';
import type { Outcome } from '@hospital/form/outcome';
import { fullName, personProblems } from '@hospital/form/person';
import { PERSON_FIELDS } from '@hospital/form/person-fields';
import { optional, parseLine, parseParagraphs } from '@hospital/form/rules';
import type { FormState } from '@hospital/form/use-form';
import { addDays, formatDate, istDay } from '@hospital/page/format';
import { named, t } from '../messages.ts';
import type { DayTime } from './alternatives.ts';
import { type BookingWindow, bookingWindow, isDay, timeText, weekdayCode } from './calendar.ts';
import { pickedIn, wantedDoctor } from './picked.ts';
import { timeSent } from './taken.ts';

export { takenTime, timesIn } from './taken.ts';

/** The part of an appointment that the confirmation shows. */
export type Booked = Pick<Appointment, 'reference' | 'date' | 'time' | 'department'> &
  Partial<Pick<Appointment, 'patientName' | 'attendant' | 'preferredDoctor' | 'secret' | 'calendar'>>;

/** The part of a waitlist entry that its confirmation shows. */
export type Waiting = Pick<WaitlistEntry, 'reference' | 'date' | 'department' | 'secret'> &
  Partial<Pick<WaitlistEntry, 'patientName'>>;

export interface BookingContext extends FormContext {
  /** Id of the hold of the chosen time; empty if there is none. */
  holdId?: string;
}

export type BookingValues = Values<typeof FIELDS>;
/** The values that the free times depend on. They are in state; the other fields are only in the document. */
export interface Choice extends Pick<BookingValues, 'department' | 'doctor' | 'date' | 'time'> {
  /** Resource of the chosen clinic; empty if none. */
  clinic: string;
}
export type BookingOutcome = Outcome<typeof bookingForm>;
export type BookingState = FormState<typeof bookingForm>;

/** The department that must be called instead of booked. */
const CALL_ONLY = 'Emergency';
/** The home page has a choice of services instead of departments. */
export const SERVICES = ['General Consultation', 'Cardiology', 'Neurology', 'Pediatrics', 'Orthopedics'] as const;

/** Returns the department of a service. */
export function departmentOf(service: string): string {
  return service === SERVICES[0] ? 'General Medicine' : service;
}

const REASON_CHARACTERS_MAX = 2000;
const NOTES_CHARACTERS_MAX = 300;

/** In form order: first the times, then the person. */
const FIELDS = {
  department: { label: () => t('Department'), required: true, payload: ['notes', 'department'] },
  doctor: {
    label: () => t('Preferred doctor'),
    hint: () => t('Optional. Pick a name from the list to see that doctor’s own times.'),
    type: 'text',
    maxLength: 120,
    autoComplete: 'off',
    payload: ['doctorId'],
  },
  /** The chosen card: id and name of a doctor or clinic, such as `doc-06 Dr. Nandini Iyengar`. Empty: first free. */
  picked: { label: '' },
  date: {
    label: () => t('Day'),
    hint: () => t('Monday to Saturday, at most 60 days ahead'),
    type: 'date',
    required: true,
  },
  time: { label: () => t('Time'), hint: () => t('Indian Standard Time (IST)'), required: true },
  /** Hidden: the wanted day, if the page found it full and shows free times of a later day. */
  fullDay: { label: '' },
  ...PERSON_FIELDS,
  message: {
    label: () => t('Message'),
    hint: () => t('Optional. What’s the visit about, and what should the doctor know?'),
    maxLength: REASON_CHARACTERS_MAX,
    payload: ['reason'],
  },
} as const satisfies FieldDeclarations;

/** Adds a visitor to the waitlist of a full day. */
export const waitlistForm = defineForm({
  id: 'booking.waitlist',
  page: '/appointment',
  fields: FIELDS,
  rules: (values, { now }: BookingContext) => ({
    department: departmentProblem(values.department),
    doctor: doctorProblem(values),
    date: dateProblem(waitDay(values), bookingWindow(now)),
    ...personProblems(values, missing()),
  }),
  request: (values) => ({
    method: 'POST',
    template: '/waitlist-entries',
    body: {
      patientName: fullName(values),
      email: values.email.trim(),
      phone: values.phone.trim(),
      department: values.department,
      doctorId: doctorIdOf(values),
      date: waitDay(values),
    } satisfies WaitlistEntryInput,
    ...(!IS_BROWSER && {
      receipt: {
        title: t('You’re on the waiting list'),
        text: t('If a time on this day becomes free, we’ll offer it to you.'),
        facts: { [t('Reference')]: 'reference', [t('Date')]: 'date' },
      },
    }),
  }),
  outcome: (answer: Partial<Waiting>) => (answer.reference ? (answer as Waiting) : null),
  get failure() {
    return t('We couldn’t add you to the waiting list. Please try again.');
  },
  get done() {
    return t('You’re on the waiting list');
  },
  reasons: { NOT_FULL: () => t('A time on this day is free again. Choose it above.') },
});

export const bookingForm = defineForm({
  id: 'booking.appointment',
  page: '/appointment',
  fields: FIELDS,
  prefill: ({ service }) => ({ department: departmentOf(service?.[0] ?? '') }),
  rules: (values, { now }: BookingContext) => ({
    department: departmentProblem(values.department),
    doctor: doctorProblem(values),
    date: dateProblem(values.date, bookingWindow(now)),
    time: !values.time && t('Choose a free time'),
    ...personProblems(values, missing()),
    message: optional(parseParagraphs(values.message, REASON_CHARACTERS_MAX)),
  }),
  request: (values) =>
    values.department === CALL_ONLY
      ? null
      : {
          method: 'POST',
          template: '/appointments',
          body: bookingPayload(values),
          ...(!IS_BROWSER && {
            receipt: {
              title: t('Your appointment is booked'),
              // Without the secret: anyone who submits the same form again may see the receipt that the gateway renders.
              text: t(
                'Please come 15 minutes early and give your reference at the front desk. Times are Indian Standard Time (IST). To change or cancel it, call us.',
              ),
              facts: { [t('Reference')]: 'reference', [t('Date')]: 'date', [t('Time')]: 'time' },
            },
          }),
        },
  intents: {
    /** The home page's form: only fills in fields. */
    prefill: { request: () => null },
    /** The free times of the chosen day, for a visitor without script. Nothing personal gets into the address. */
    times: {
      rules: timesProblems,
      request: (values, { now }) => {
        const { department, date } = values;
        const from = isDay(date) ? date : istDay(now);
        // Requests a week, to include the next free day when the chosen one is full.
        return {
          method: 'GET',
          template: '/availability',
          query: { department, doctor: doctorIdOf(values), from, to: addDays(from, 6) },
        };
      },
    },
    waitlist: { rules: waitlistForm.rules, request: waitlistForm.request },
  },
  // The hold is not stored with the form: a retry after a reload books without it.
  fleeting: ({ holdId }) => (holdId ? { holdId } : {}),
  outcome: (answer: Partial<Booked>) => (answer.reference ? (answer as Booked) : null),
  get failure() {
    return t('Failed to book appointment. Please try again.');
  },
  reasons: { SLOT_TAKEN: (sent) => takenText(timeSent(sent)) },
  get done() {
    return t('Your appointment is booked');
  },
});

export function takenText({ date, time }: DayTime): string {
  return t('{time} on {date} was just taken by someone else. Everything you typed is still here.', {
    time: timeText(time),
    date: formatDate(date),
  });
}

/** Returns the waitlist entry created by a native post, or null. */
export function waitingIn(outcome: BookingOutcome): Waiting | null {
  if (outcome.kind !== 'answered' || outcome.intent !== 'waitlist') return null;
  return waitlistForm.outcome((outcome.answer ?? {}) as Partial<Waiting>);
}

/** Returns the id of the picked doctor; empty if another name was typed. */
export function doctorIdOf(values: Pick<BookingValues, 'doctor' | 'picked'>): string {
  const { id, name } = pickedIn(values.picked);
  return !id.includes(':') && wantedDoctor(values).toLowerCase() === name.toLowerCase() ? id : '';
}

/** Returns the day of the waitlist entry. */
export function waitDay({ date, fullDay }: Pick<BookingValues, 'date' | 'fullDay'>): string {
  return fullDay || date;
}

/** Returns the payload of the specification: `doctorId` is empty unless a suggested doctor was picked. */
export function bookingPayload(values: BookingValues) {
  return {
    patientName: fullName(values),
    email: values.email.trim(),
    phone: values.phone.trim(),
    date: values.date,
    time: values.time,
    reason: values.message.trim(),
    doctorId: doctorIdOf(values),
    notes: notesOf(values),
  } satisfies AppointmentInput;
}

/** Returns the notes, such as `Cardiology | Preferred: Dr. Rao`, with the name as typed or picked. */
export function notesOf(values: Pick<BookingValues, 'department' | 'doctor' | 'picked'>): string {
  const name = wantedDoctor(values);
  return name ? `${values.department} | Preferred: ${name}` : values.department;
}

/** Returns the problems that prevent a request for free times. */
export function timesProblems({ department }: Pick<BookingValues, 'department'>) {
  return { department: department ? departmentProblem(department) : t('Choose a department to see its free times') };
}

/** Messages for empty names. */
function missing() {
  return {
    firstName: t('Enter the first name of the patient'),
    lastName: t('Enter the last name of the patient'),
  };
}

function departmentProblem(department: string): string | false {
  if (!department) return t('Choose a department');
  return department === CALL_ONLY && t('Don’t book for an emergency. Call now');
}

/** Limits the doctor's name to the space that the department leaves in the notes. */
function doctorProblem(values: Pick<BookingValues, 'department' | 'doctor' | 'picked'>): string {
  const picked = pickedIn(values.picked).name;
  if (values.doctor.trim() && picked && values.doctor.trim().toLowerCase() !== picked.toLowerCase()) {
    return t('You’ve also chosen {name} above. Clear this name, or choose ‘First free’ above', { name: named(picked) });
  }
  const taken = notesOf({ ...values, doctor: '-' }).length - 1;
  return optional(parseLine(values.doctor, NOTES_CHARACTERS_MAX - taken));
}

function dateProblem(date: string, { first, last }: BookingWindow): string | false {
  if (!date) return t('Choose a day');
  if (!isDay(date) || weekdayCode(date) === 'Sun') return t('Choose a day from Monday to Saturday');
  if (date < first) return t('Choose today or a later day');
  return date > last && t('Choose a day in the next 60 days');
}
