/** The patient's tasks for an appointment, one form each. A post names its task. */
import { IS_BROWSER } from '#runtime';
import type { Appointment, AppointmentInput, AvailabilityDay, WaitlistEntry } from '@hospital/api/types';
import type { FormFields } from '@hospital/page';
import { addDays, formatDate, istDay } from '@hospital/page/format';
import { type FieldDeclarations, defineForm } from '@hospital/form/declaration';
import { PERSON_FIELDS } from '@hospital/form/person-fields';
import {
  NAME_CHARACTERS_MAX,
  optional,
  parseEmail,
  parseName,
  parseParagraphs,
  parsePhone,
} from '@hospital/form/rules';
import { t } from '../messages.ts';
import { bookingWindow, isDay, timeText } from '../appointment/calendar.ts';
import { timeSent } from '../appointment/taken.ts';
import { MANAGE_PATH, type ManageLink, isWaitlist, linkIn } from './link.ts';
import { linkProblem, referenceOf, referenceProblem } from './link-problems.ts';

const REASON_CHARACTERS_MAX = 2000;
const codeTitle = () => t('Enter the code from our e-mail');
const linkTitle = () => t('We’ve sent you the new link');
const REASONS = {
  NOT_FOUND: () => t('We couldn’t find an appointment with this link.'),
  LINK_REPLACED: () => t('This appointment was moved, so this link no longer opens it.'),
  ETAG_MISMATCH: () =>
    t(
      'This has changed since you opened it, so your changes weren’t saved. Open your appointment again to see the latest details.',
    ),
  NOT_OPEN: () => t('This appointment is over or cancelled, so you can’t change it here.'),
};

/** Never kept in a draft: the values open an appointment, or belong to one that the next link does not open. */
const UNKEPT = { label: '', keep: false } as const;
const LINK_FIELDS = { reference: UNKEPT, secret: UNKEPT } as const satisfies FieldDeclarations;

/** Read-only: a program that opens a link changes nothing. */
export const findForm = defineForm({
  id: 'booking.manage.find',
  page: MANAGE_PATH,
  fields: {
    link: {
      label: () => t('Your link'),
      hint: () => t('The whole link from our e-mail or your confirmation.'),
      type: 'text',
      maxLength: 300,
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      keep: false,
    },
    // The parts of a link that the page already has; used if no complete link is typed.
    ...LINK_FIELDS,
  },
  rules: (values) => ({ link: linkProblem(linkOf(values)) }),
  request: (values) => {
    const link = linkOf(values);
    const template = isWaitlist(link) ? '/waitlist-entries/{entry_id}' : '/appointments/{appointment_id}';
    return { method: 'GET', template, ...addressed(link) };
  },
  // May also be a waitlist entry: `opened` distinguishes them.
  outcome: appointmentOf,
  get failure() {
    return t('We couldn’t open your appointment');
  },
  reasons: REASONS,
});

/** Mails a code to a visitor without a link. The response does not reveal whether the appointment exists. */
export const codeForm = defineForm({
  id: 'booking.manage.code',
  page: MANAGE_PATH,
  fields: {
    reference: {
      label: () => t('Reference'),
      hint: () => t('It’s on your confirmation and in our e-mails, such as AB-7K3M-9QXD.'),
      type: 'text',
      maxLength: 32,
      autoComplete: 'off',
      autoCapitalize: 'characters',
      spellCheck: false,
      required: true,
      keep: false,
    },
    phone: { ...PERSON_FIELDS.phone, hint: () => t('The number you gave for the appointment.'), keep: false },
    /** Not the first code. */
    again: UNKEPT,
  },
  rules: ({ reference, phone }) => ({ reference: referenceProblem(reference), phone: parsePhone(phone).problem }),
  request: (values) => ({
    method: 'POST',
    template: '/appointments:requestCode',
    body: known(values),
    ...(!IS_BROWSER && {
      receipt: { title: codeTitle(), text: t('The code is valid for 10 minutes. Open this page again to enter it.') },
    }),
  }),
  outcome: (_: object) => ({ sent: true }),
  get failure() {
    return t('We couldn’t send the code');
  },
  get done() {
    return codeTitle();
  },
});

export const openForm = defineForm({
  id: 'booking.manage.open',
  page: MANAGE_PATH,
  fields: {
    code: {
      label: () => t('Code'),
      hint: () => t('6 digits, from the e-mail we sent you.'),
      type: 'text',
      inputMode: 'numeric',
      autoComplete: 'one-time-code',
      maxLength: 16,
      required: true,
      keep: false,
    },
    reference: UNKEPT,
    phone: UNKEPT,
  },
  rules: ({ code }) => ({ code: !/^(?:\s*\d){6}\s*$/.test(code) && t('Enter the 6 digits of the code') }),
  request: ({ code, ...values }) => ({
    method: 'POST',
    template: '/appointments:openWithCode',
    body: { ...known(values), code: code.replace(/\s/g, '') },
  }),
  outcome: appointmentOf,
  get failure() {
    return t('We couldn’t open your appointment');
  },
  reasons: {
    CODE_WRONG: () =>
      t(
        'This code doesn’t match this reference and phone number. A code works once, for 10 minutes. Check it, or ask for another one.',
      ),
    CODE_TRIES_MAX: () => t('You’ve entered too many wrong codes. Please wait an hour, or call us.'),
  },
});

/** Mails the new link to a visitor whose link was replaced by a move. */
export const linkForm = defineForm({
  id: 'booking.manage.link',
  page: MANAGE_PATH,
  fields: LINK_FIELDS,
  rules: () => ({}),
  request: (link) => ({
    method: 'POST',
    template: '/appointments/{appointment_id}:sendLink',
    ...addressed(link),
    body: {},
    ...(!IS_BROWSER && { receipt: { title: linkTitle() } }),
  }),
  outcome: (_: object) => ({ sent: true }),
  get failure() {
    return t('We couldn’t send the link');
  },
  get done() {
    return linkTitle();
  },
  reasons: { NOT_FOUND: REASONS.NOT_FOUND },
});

export const moveForm = defineForm({
  id: 'booking.manage.move',
  page: MANAGE_PATH,
  fields: {
    ...LINK_FIELDS,
    etag: UNKEPT,
    department: UNKEPT,
    doctorId: UNKEPT,
    /** The present booking: the page that shows free times natively has not read the appointment. */
    bookedDate: UNKEPT,
    bookedTime: UNKEPT,
    date: {
      label: () => t('New day'),
      hint: () => t('Monday to Saturday, at most 60 days ahead'),
      type: 'date',
      required: true,
      keep: false,
    },
    time: { label: () => t('New time'), required: true, keep: false },
  },
  rules: ({ date, time }, { now }) => ({ date: dayProblem(date, now), time: !time && t('Choose a free time') }),
  request: ({ etag, doctorId, date, time, ...link }) => ({
    method: 'POST',
    template: '/appointments/{appointment_id}:move',
    ...addressed(link, etag),
    body: { date, time, doctorId },
    ...(!IS_BROWSER && {
      receipt: {
        title: t('Your appointment was moved'),
        text: t(
          'Your old link no longer works. To change the appointment again, call us. Times are Indian Standard Time (IST).',
        ),
        facts: { [t('Reference')]: 'reference', [t('Date')]: 'date', [t('Time')]: 'time' },
      },
    }),
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
  get failure() {
    return t('We couldn’t move the appointment');
  },
  get done() {
    return t('Your appointment was moved');
  },
  reasons: {
    ...REASONS,
    SLOT_TAKEN: (sent) => {
      const { date, time } = timeSent(sent);
      return t(
        '{time} on {date} was just taken by someone else. Your appointment hasn’t changed. Choose another free time.',
        { time: timeText(time), date: formatDate(date) },
      );
    },
  },
});

/** Time and doctor are sent unchanged, because PUT replaces the whole appointment. */
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
      label: () => t('Name of the patient'),
      type: 'text',
      autoComplete: 'name',
      maxLength: NAME_CHARACTERS_MAX,
      required: true,
      keep: false,
    },
    email: { ...PERSON_FIELDS.email, keep: false },
    phone: { ...PERSON_FIELDS.phone, keep: false },
    reason: {
      label: () => t('Reason for the visit'),
      hint: () => t('Optional. What should the doctor know?'),
      maxLength: REASON_CHARACTERS_MAX,
      keep: false,
    },
  },
  rules: ({ patientName, email, phone, reason }) => ({
    patientName: patientName.trim() ? parseName(patientName).problem : t('Enter the name of the patient'),
    email: parseEmail(email).problem,
    phone: parsePhone(phone).problem,
    reason: optional(parseParagraphs(reason, REASON_CHARACTERS_MAX)),
  }),
  request: ({ reference, secret, etag, date, time, doctorId, notes, patientName, email, phone, reason }) => ({
    method: 'PUT',
    template: '/appointments/{appointment_id}',
    ...addressed({ reference, secret }, etag),
    body: {
      patientName: patientName.trim(), email: email.trim(), phone: phone.trim(), reason: reason.trim(),
      date, time, doctorId, notes,
    } satisfies AppointmentInput, // prettier-ignore
    ...(!IS_BROWSER && {
      receipt: { title: t('Your details were changed'), facts: { [t('Reference')]: 'reference' } },
    }),
  }),
  outcome: appointmentOf,
  get failure() {
    return t('We couldn’t change your details');
  },
  get done() {
    return t('We’ve saved your changes');
  },
  reasons: REASONS,
});

export const cancelForm = defineForm({
  id: 'booking.manage.cancel',
  page: MANAGE_PATH,
  fields: { ...LINK_FIELDS, etag: UNKEPT },
  rules: () => ({}),
  request: ({ etag, ...link }) => ({
    method: 'POST',
    template: '/appointments/{appointment_id}:cancel',
    ...addressed(link, etag),
    body: {},
    ...(!IS_BROWSER && {
      receipt: { title: t('Your appointment is cancelled'), facts: { [t('Reference')]: 'reference' } },
    }),
  }),
  outcome: appointmentOf,
  get failure() {
    return t('We couldn’t cancel the appointment');
  },
  get done() {
    return t('Your appointment is cancelled');
  },
  reasons: REASONS,
});

/** Accepts the offered time of a waitlist entry. */
export const acceptForm = defineForm({
  id: 'booking.manage.accept',
  page: MANAGE_PATH,
  fields: LINK_FIELDS,
  rules: () => ({}),
  request: (link) => ({
    method: 'POST',
    template: '/waitlist-entries/{entry_id}:accept',
    ...addressed(link),
    body: {},
    ...(!IS_BROWSER && {
      receipt: {
        title: t('Your appointment is booked'),
        text: t(
          'Please come 15 minutes early and give your reference at the front desk. Times are Indian Standard Time (IST).',
        ),
        facts: { [t('Reference')]: 'reference', [t('Date')]: 'date', [t('Time')]: 'time' },
      },
    }),
  }),
  outcome: appointmentOf,
  get failure() {
    return t('We couldn’t book the time');
  },
  get done() {
    return t('Your appointment is booked');
  },
  reasons: { ...REASONS, OFFER_OVER: () => t('The time we held for you has gone to the next person on the list.') },
});

export const leaveForm = defineForm({
  id: 'booking.manage.leave',
  page: MANAGE_PATH,
  fields: LINK_FIELDS,
  rules: () => ({}),
  request: (link) => ({
    method: 'POST',
    template: '/waitlist-entries/{entry_id}:leave',
    ...addressed(link),
    body: {},
    ...(!IS_BROWSER && {
      receipt: { title: t('You’re no longer on the list'), facts: { [t('Reference')]: 'reference' } },
    }),
  }),
  outcome: (answer: Partial<WaitlistEntry>) => (answer.reference ? (answer as WaitlistEntry) : null),
  get failure() {
    return t('We couldn’t take you off the list');
  },
  get done() {
    return t('You’re no longer on the waiting list');
  },
  reasons: REASONS,
});

/** Forms by task; a post has its task in the hidden field `task`. */
export const TASKS = {
  find: findForm,
  code: codeForm,
  open: openForm,
  link: linkForm,
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

/** Returns the link that a post carried or that was pasted. */
export function linkOf({ link = '', reference = '', secret = '' }: Partial<Record<string, string>>): ManageLink {
  return linkIn(link) ?? { reference, secret };
}

/** Returns the days of a native request for free times, first to last. */
export function daysIn(answer: unknown): AvailabilityDay[] {
  return (answer as { days?: AvailabilityDay[] } | null)?.days ?? [];
}

function appointmentOf(answer: Partial<Appointment>): Appointment | null {
  return answer.reference ? (answer as Appointment) : null;
}

/** Returns reference and phone number, which a person without the link knows. */
function known({ reference, phone }: Record<'reference' | 'phone', string>) {
  return { reference: referenceOf(reference), phone: phone.trim() };
}

/** Returns path and headers of a request: the link, and the version for If-Match. */
function addressed(link: ManageLink, etag?: string) {
  const [id, secret] = isWaitlist(link)
    ? ['entry_id', 'X-Waitlist-Secret']
    : ['appointment_id', 'X-Appointment-Secret'];
  return {
    params: { [id]: link.reference },
    headers: { [secret]: link.secret, ...(etag && { 'If-Match': `"${etag}"` }) },
  };
}

function dayProblem(date: string, now: string): string | false {
  const { first, last } = bookingWindow(now);
  if (!date) return t('Choose a day');
  if (!isDay(date) || date < first) return t('Choose today or a later day');
  return date > last && t('Choose a day in the next 60 days');
}
