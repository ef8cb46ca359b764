/** The form of a session, to add one or to change one. */
import type { CreateSessionResponse, Session, SessionInput, UpdateSessionResponse } from '@hospital/api/types';
import { type FieldDeclarations, type Problems, type Values, defineForm } from '@hospital/form/declaration';
import { parseLine } from '@hospital/form/rules';
import { isDay } from '../appointment/calendar.ts';
import { ROSTERS_PATH } from './roster.ts';
import { clockOf, minutesOf, timeLabel } from './week.ts';
import { isWord } from './words.ts';

export const NAME_CHARACTERS_MAX = 120;
const SEATS_MAX = 100;
const FEE_RUPEES_MAX = 100_000;
const SLOT_MINUTES = 30;
/** Box of sessions in which only patients who choose the doctor are booked. */
export const BY_NAME = 'Only patients who choose this doctor';

const DAY_HINT = 'Leave it empty for no limit.';

const FIELDS = {
  doctorId: { label: 'Doctor' },
  department: { label: 'Department', required: true },
  name: {
    label: 'Name of the clinic',
    hint: 'Patients see it, such as “Eye clinic, vision tests”. A doctor’s session needs none.',
    maxLength: NAME_CHARACTERS_MAX,
    autoComplete: 'off',
  },
  weekdays: { label: 'Days of the week', required: true, several: true },
  from: { label: 'From', hint: 'On the half hour.', type: 'time', step: 1_800, required: true },
  until: { label: 'Until', hint: 'On the half hour.', type: 'time', step: 1_800, required: true },
  seats: { label: 'Patients in each half hour', hint: `1 to ${SEATS_MAX}.`, inputMode: 'numeric', autoComplete: 'off' },
  byNameOnly: { label: 'Who can be booked', several: true },
  validFrom: { label: 'First day', hint: DAY_HINT, type: 'date' },
  validUntil: { label: 'Last day', hint: DAY_HINT, type: 'date' },
  feeRupees: {
    label: 'Fee of the clinic, in rupees',
    hint: 'Empty: unknown. A doctor’s fee is in the configuration.',
    inputMode: 'numeric',
    autoComplete: 'off',
  },
  place: {
    label: 'Place of the clinic',
    hint: 'Such as “Outpatient block, ground floor”. A doctor’s place is in the configuration.',
    maxLength: NAME_CHARACTERS_MAX,
    autoComplete: 'off',
  },
} as const satisfies FieldDeclarations;

/** Hidden fields of a change. */
const PRESENT = { session: { label: 'Session' }, etag: { label: 'Version' } } as const satisfies FieldDeclarations;

export type SessionValues = Values<typeof FIELDS>;

export const SESSION_FIELDS = Object.keys(FIELDS) as (keyof SessionValues)[];

function rules(values: SessionValues): Problems<typeof FIELDS> {
  const { doctorId, department, name, weekdays, validFrom, validUntil, place } = values;
  return {
    department: !department && 'Choose a department',
    name: name.trim()
      ? parseLine(name, NAME_CHARACTERS_MAX).problem
      : !doctorId && `Enter the name of the clinic, at most ${NAME_CHARACTERS_MAX} characters, or choose a doctor`,
    weekdays: weekdays.length === 0 && 'Choose at least one day of the week',
    from: timeProblem(values.from),
    until: timeProblem(values.until) || (isAfter(values.until, values.from) ? '' : 'Enter a time after the start'),
    seats: numberProblem(values.seats, 1, SEATS_MAX, 'a number of patients'),
    validFrom: dayProblem(validFrom),
    validUntil:
      dayProblem(validUntil) ||
      (validFrom && validUntil && validUntil < validFrom && 'Enter a day that is not before the first day'),
    feeRupees: numberProblem(values.feeRupees, 0, FEE_RUPEES_MAX, 'a fee in rupees'),
    place: place.trim() && parseLine(place, NAME_CHARACTERS_MAX).problem,
  };
}

function timeProblem(text: string): string {
  return minutesOf(text) % SLOT_MINUTES === 0 ? '' : 'Enter a time on the half hour, such as 9:00 AM or 9:30 AM';
}

function isAfter(until: string, from: string): boolean {
  // A start that is not a time has its own message.
  return !(minutesOf(until) <= minutesOf(from));
}

function dayProblem(text: string): string {
  return !text || isDay(text) ? '' : 'Enter a day such as 2026-11-23, or leave it empty';
}

function numberProblem(text: string, least: number, most: number, what: string): string {
  const number = numberOf(text);
  if (!text.trim() || (number >= least && number <= most)) return '';
  return `Enter ${what} from ${least} to ${most}, or leave it empty`;
}

/** Returns the whole number in a text, NaN if it is none. */
function numberOf(text: string): number {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : NaN;
}

function bodyOf(values: SessionValues) {
  const { doctorId, department, name, weekdays, from, until, validFrom, validUntil, place } = values;
  return {
    doctorId,
    department,
    name: name.trim(),
    weekdays: weekdays as SessionInput['weekdays'],
    from: timeLabel(minutesOf(from)),
    until: timeLabel(minutesOf(until)),
    seats: numberOf(values.seats) || 0,
    byNameOnly: values.byNameOnly.length > 0,
    validFrom,
    validUntil,
    feeRupees: numberOf(values.feeRupees) || 0,
    place: place.trim(),
  } satisfies SessionInput;
}

export const newSessionForm = defineForm({
  id: 'booking.roster.session',
  page: ROSTERS_PATH,
  fields: FIELDS,
  rules,
  request: (values) => ({
    method: 'POST',
    template: '/sessions',
    body: bodyOf(values),
    receipt: { title: 'The session is added', text: 'The roster can’t be shown right now.' },
  }),
  outcome: (answer: Partial<CreateSessionResponse>) => (answer.session ? (answer as CreateSessionResponse) : null),
  failure: 'The session was not added',
});

export const changeSessionForm = defineForm({
  id: 'booking.roster.change',
  page: ROSTERS_PATH,
  fields: { ...FIELDS, ...PRESENT },
  rules: (values) => rules(values),
  request: ({ session, etag, ...values }) =>
    isWord(session) && isWord(etag)
      ? {
          method: 'PUT',
          template: '/sessions/{session_id}',
          params: { session_id: session },
          headers: { 'If-Match': `"${etag}"` },
          body: bodyOf(values),
          receipt: { title: 'The session is changed', text: 'The roster can’t be shown right now.' },
        }
      : null,
  outcome: (answer: Partial<UpdateSessionResponse>) => (answer.session ? (answer as UpdateSessionResponse) : null),
  failure: 'The session was not changed',
});

/** Returns the values of a form that shows a session as it is. */
export function valuesOf(session: Session): SessionValues {
  const { doctorId, department, name, weekdays, from, until, seats, byNameOnly, validFrom, validUntil } = session;
  const isClinic = !doctorId;
  return {
    doctorId,
    department,
    name,
    weekdays: [...weekdays],
    from: clockOf(from),
    until: clockOf(until),
    seats: String(seats),
    byNameOnly: byNameOnly ? [BY_NAME] : [],
    validFrom,
    validUntil,
    feeRupees: isClinic && session.feeRupees ? String(session.feeRupees) : '',
    place: isClinic ? session.place : '',
  };
}

/** Returns the values of an empty form. */
export function emptyValues(doctorId = '', department = ''): SessionValues {
  const texts = { doctorId, department, name: '', from: '', until: '', seats: '', feeRupees: '', place: '' };
  return { ...texts, validFrom: '', validUntil: '', weekdays: [], byNameOnly: [] };
}

export function labelOf(field: keyof SessionValues): string {
  return FIELDS[field].label;
}
