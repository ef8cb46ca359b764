/** What a patient may do with an appointment: one form each, of which a post names the one it belongs to. */
import type { AvailabilityDay } from '@hospital/api/list-availability';
import type { Appointment } from '@hospital/api/get-appointment';
import type { WaitlistEntry } from '@hospital/api/get-waitlist-entry';
import type { AppointmentInput } from '@hospital/api/update-appointment';
import type { FormFields } from '@hospital/page';
import { addDays, formatDate, istDay } from '@hospital/page/format';
import { type FieldDeclarations, defineForm } from '@hospital/form/declaration';
import { PERSON_FIELDS } from '@hospital/form/person';
import {
  NAME_CHARACTERS_MAX,
  optional,
  parseEmail,
  parseName,
  parseParagraphs,
  parsePhone,
} from '@hospital/form/rules';
import { bookingWindow, isDay } from '../appointment/calendar.ts';
import { timeSent } from '../appointment/form.ts';
import { MANAGE_PATH, type ManageLink, isWaitlist, linkOf, linkProblems } from './link.ts';

const REASON_CHARACTERS_MAX = 2000;
const REPLACED =
  'This link was replaced by a newer one: a link changes when its appointment is moved. Use the newest link that you have, or call us.';
const STALE =
  'It was changed meanwhile, and nothing of this was done. Open your appointment anew to see how it stands now.';
const REASONS = {
  NOT_FOUND: 'We could not find an appointment with this reference and link.',
  LINK_REPLACED: REPLACED,
  ETAG_MISMATCH: STALE,
  NOT_OPEN: 'This appointment is over or cancelled, so that it can no longer be changed here.',
};

/** No draft keeps any of it: it opens an appointment, or belongs to one that the next link does not. */
const UNKEPT = { label: '', keep: false } as const;
const LINK_FIELDS = { reference: UNKEPT, secret: UNKEPT } as const satisfies FieldDeclarations;

/** Reading is free of effects: a program that opens a link changes nothing. */
export const findForm = defineForm({
  id: 'booking.manage.find',
  page: MANAGE_PATH,
  fields: {
    reference: {
      label: 'Reference',
      hint: 'On your confirmation, such as SH-7K3M-9QXD. You can also paste your whole link here.',
      type: 'text',
      maxLength: 300,
      autoComplete: 'off',
      autoCapitalize: 'characters',
      spellCheck: false,
      required: true,
      keep: false,
    },
    secret: {
      label: 'Secret from your confirmation',
      hint: 'The 43 characters at the end of your link. Not needed when you have pasted the whole link.',
      type: 'text',
      maxLength: 300,
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      keep: false,
    },
  },
  rules: linkProblems,
  request: (values) => {
    const link = linkOf(values);
    const template = isWaitlist(link) ? '/waitlist-entries/{id}' : '/appointments/{id}';
    return { method: 'GET', template, ...addressed(link) };
  },
  // Or an entry of the waitlist: `opened` tells them apart.
  outcome: appointmentOf,
  failure: 'Your appointment could not be opened',
  reasons: REASONS,
});

export const moveForm = defineForm({
  id: 'booking.manage.move',
  page: MANAGE_PATH,
  fields: {
    ...LINK_FIELDS,
    etag: UNKEPT,
    department: UNKEPT,
    doctorId: UNKEPT,
    /** What is booked now: the page that shows free times natively has read nothing else. */
    bookedDate: UNKEPT,
    bookedTime: UNKEPT,
    date: {
      label: 'New day',
      hint: 'Monday to Saturday, at most 60 days ahead',
      type: 'date',
      required: true,
      keep: false,
    },
    time: { label: 'New time', required: true, keep: false },
  },
  rules: ({ date, time }, { now }) => ({ date: dayProblem(date, now), time: !time && 'Choose a free time' }),
  request: ({ etag, doctorId, date, time, ...link }) => ({
    method: 'POST',
    template: '/appointments/{id}:move',
    ...addressed(link, etag),
    body: { date, time, doctorId },
    receipt: {
      title: 'Your appointment was moved',
      text: 'The link that you had no longer works. To change the appointment again, call us. Times are Indian Standard Time (IST).',
      facts: { Reference: 'reference', Date: 'date', Time: 'time' },
    },
  }),
  intents: {
    /** The free times of a day, for a visitor without script. */
    times: {
      rules: ({ date }, { now }) => ({ date: dayProblem(date, now) }),
      request: ({ department, doctorId, date }, { now }) => {
        const from = isDay(date) ? date : istDay(now);
        const query = { department, doctor: doctorId, from, to: addDays(from, 6) };
        return { method: 'GET', template: '/availability', query };
      },
    },
  },
  outcome: appointmentOf,
  failure: 'The appointment could not be moved',
  done: 'Your appointment was moved',
  reasons: {
    ...REASONS,
    SLOT_TAKEN: (sent) => {
      const { date, time } = timeSent(sent);
      return `${time} on ${formatDate(date)} was just taken by someone else. Your appointment has not changed: choose another free time.`;
    },
    LINK_REPLACED: `${REPLACED} If you have just moved it and saw no answer, it is at its new time already.`,
  },
});

/** Time and doctor go with it as they are: what replaces an appointment says all of it. */
export const changeForm = defineForm({
  id: 'booking.manage.change',
  page: MANAGE_PATH,
  fields: {
    ...LINK_FIELDS,
    etag: UNKEPT,
    date: UNKEPT,
    time: UNKEPT,
    doctorId: UNKEPT,
    notes: UNKEPT,
    patientName: {
      label: 'Name of the patient',
      type: 'text',
      autoComplete: 'name',
      maxLength: NAME_CHARACTERS_MAX,
      required: true,
      keep: false,
    },
    email: { ...PERSON_FIELDS.email, keep: false },
    phone: { ...PERSON_FIELDS.phone, keep: false },
    reason: {
      label: 'Reason for the visit',
      hint: 'Optional. What should the doctor know?',
      maxLength: REASON_CHARACTERS_MAX,
      keep: false,
    },
  },
  rules: ({ patientName, email, phone, reason }) => ({
    patientName: patientName.trim() ? parseName(patientName).problem : 'Enter the name of the patient',
    email: parseEmail(email).problem,
    phone: parsePhone(phone).problem,
    reason: optional(parseParagraphs(reason, REASON_CHARACTERS_MAX)),
  }),
  request: ({ reference, secret, etag, date, time, doctorId, notes, patientName, email, phone, reason }) => ({
    method: 'PUT',
    template: '/appointments/{id}',
    ...addressed({ reference, secret }, etag),
    body: {
      patientName: patientName.trim(), email: email.trim(), phone: phone.trim(), reason: reason.trim(),
      date, time, doctorId, notes,
    } satisfies AppointmentInput, // prettier-ignore
    receipt: { title: 'Your details were changed', facts: { Reference: 'reference' } },
  }),
  outcome: appointmentOf,
  failure: 'Your details could not be changed',
  done: 'Your changes are saved',
  reasons: REASONS,
});

export const cancelForm = defineForm({
  id: 'booking.manage.cancel',
  page: MANAGE_PATH,
  fields: { ...LINK_FIELDS, etag: UNKEPT },
  rules: () => ({}),
  request: ({ etag, ...link }) => ({
    method: 'POST',
    template: '/appointments/{id}:cancel',
    ...addressed(link, etag),
    body: {},
    receipt: { title: 'Your appointment is cancelled', facts: { Reference: 'reference' } },
  }),
  outcome: appointmentOf,
  failure: 'The appointment could not be cancelled',
  done: 'Your appointment is cancelled',
  reasons: REASONS,
});

/** Takes the time that is offered to who waits. */
export const acceptForm = defineForm({
  id: 'booking.manage.accept',
  page: MANAGE_PATH,
  fields: LINK_FIELDS,
  rules: () => ({}),
  request: (link) => ({
    method: 'POST',
    template: '/waitlist-entries/{id}:accept',
    ...addressed(link),
    body: {},
    receipt: {
      title: 'Your appointment is booked',
      text: 'Please come 15 minutes early and say the reference at the front desk. Times are Indian Standard Time (IST).',
      facts: { Reference: 'reference', Date: 'date', Time: 'time' },
    },
  }),
  outcome: appointmentOf,
  failure: 'The time could not be booked',
  done: 'Your appointment is booked',
  reasons: { ...REASONS, OFFER_OVER: 'The time that was kept for you has gone to the next person on the list.' },
});

export const leaveForm = defineForm({
  id: 'booking.manage.leave',
  page: MANAGE_PATH,
  fields: LINK_FIELDS,
  rules: () => ({}),
  request: (link) => ({
    method: 'POST',
    template: '/waitlist-entries/{id}:leave',
    ...addressed(link),
    body: {},
    receipt: { title: 'You are no longer on the list', facts: { Reference: 'reference' } },
  }),
  outcome: (answer: Partial<WaitlistEntry>) => (answer.reference ? (answer as WaitlistEntry) : null),
  failure: 'You could not be taken off the list',
  done: 'You are no longer on the waitlist',
  reasons: REASONS,
});

/** What a post is about, by its hidden field `task`. */
export const TASKS = {
  find: findForm,
  move: moveForm,
  change: changeForm,
  cancel: cancelForm,
  accept: acceptForm,
  leave: leaveForm,
} as const;

export type Task = keyof typeof TASKS;

export function taskOf({ task }: FormFields): Task {
  const name = task?.at(-1) ?? '';
  return Object.hasOwn(TASKS, name) ? (name as Task) : 'find';
}

/** The days that were asked for natively, first to last. */
export function daysIn(answer: unknown): AvailabilityDay[] {
  return (answer as { days?: AvailabilityDay[] } | null)?.days ?? [];
}

function appointmentOf(answer: Partial<Appointment>): Appointment | null {
  return answer.reference ? (answer as Appointment) : null;
}

/** Whose it is, and which version is meant. */
function addressed(link: ManageLink, etag?: string) {
  const name = isWaitlist(link) ? 'X-Waitlist-Secret' : 'X-Appointment-Secret';
  return {
    params: { id: link.reference },
    headers: { [name]: link.secret, ...(etag && { 'If-Match': `"${etag}"` }) },
  };
}

function dayProblem(date: string, now: string): string | false {
  const { first, last } = bookingWindow(now);
  if (!date) return 'Choose a day';
  if (!isDay(date) || date < first) return 'Choose today or a later day';
  return date > last && 'Choose a day in the next 60 days';
}
