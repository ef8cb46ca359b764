/** Changes of a video consultation by staff: the forms, their API calls and their outcomes. */
import type { Consultation } from '@hospital/api/types';
import { defineForm, valuesFrom } from '@hospital/form/declaration';
import { nativeAction } from '@hospital/form/native';
import { type Violation, outcomeOfAction } from '@hospital/form/outcome';
import type { ActionRequest, FormFields, Problem } from '@hospital/page';
import { formatDate } from '@hospital/page/format';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import { isDay } from '../appointment/calendar.ts';
import type { Difference } from './choice.ts';
import { type ConsultationProps, LABELS, NEXT, type State, isState, statusOf, stateIn } from './consultations.ts';

/** Name of the buttons that only change the state. */
export const TO = 'to';
const LINK_CHARACTERS_MAX = 500;
const REGISTRATION_CHARACTERS_MAX = 40;
const LINK_PROBLEM = 'Give the https address of the video room, such as https://meet.example.com/room';

/** Times that staff can give, every half hour: those of the service are of the whole day. */
export const TIMES = Array.from({ length: 30 }, (_, index) => {
  const hour = 7 + Math.floor(index / 2);
  return `${hour % 12 || 12}:${index % 2 ? '30' : '00'} ${hour < 12 ? 'AM' : 'PM'}`;
});

/** What a person saw of a consultation. */
const MEMBERS = ['id', 'etag', 'status', 'date', 'time', 'link', 'doctorName', 'doctorRegistration'] as const;
export type Seen = Record<(typeof MEMBERS)[number], string>;
/** Separates the members. No member has one. */
const TAB = '\t';
/** Maximum length of what was seen, which comes from a browser. */
const CHARACTERS_MAX = 1_000;
/** No character that a header could misread. */
const ETAG = /^[\w-]{1,64}$/;

export function seenText(consultation: Consultation): string {
  // An older service has no doctors.
  return MEMBERS.map((name) => (consultation as Partial<Consultation>)[name] ?? '').join(TAB);
}

/** Returns the doctors who can be allotted: none with an older service, which knows no doctors. */
export function doctorsOf(consultation: Pick<Consultation, 'doctors'>): Consultation['doctors'] {
  return (consultation as Partial<Consultation>).doctors ?? [];
}

/** Parses what a person saw. Returns null for any other text. */
function seenIn(form: FormFields): Seen | null {
  const text = form.seen?.at(-1) ?? '';
  const texts = text.split(TAB);
  if (text.length > CHARACTERS_MAX || texts.length !== MEMBERS.length) return null;
  const seen = Object.fromEntries(MEMBERS.map((name, index) => [name, texts[index]])) as Seen;
  return ETAG.test(seen.etag) && seen.id ? seen : null;
}

/** The form that allots day, time, link and doctor. The service mails them to the patient. */
export const scheduleForm = defineForm({
  id: 'booking.desk.consultation',
  page: '/staff/consultations',
  fields: {
    seen: { label: '' },
    date: { label: 'Day', type: 'date', required: true },
    time: { label: 'Time', hint: 'Indian Standard Time (IST)', required: true },
    /** Not empty if the form has the fields of the doctor. */
    doctors: { label: '' },
    doctorId: { label: 'Doctor', hint: 'The patient is told the name and the number.', required: true },
    doctorRegistration: {
      label: 'Doctor’s registration number',
      hint: 'Leave empty to use the number beside the doctor’s name.',
      maxLength: REGISTRATION_CHARACTERS_MAX,
      autoComplete: 'off',
      spellCheck: false,
    },
    link: {
      label: 'Link of the video room',
      hint: 'The patient gets it unchanged. It begins with https://.',
      type: 'url',
      inputMode: 'url',
      maxLength: LINK_CHARACTERS_MAX,
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      required: true,
      keep: false,
      payload: ['link', 'status'],
    },
  },
  rules: ({ date, time, link, doctors, doctorId, doctorRegistration }) => ({
    date: !isDay(date) && 'Choose a day',
    time: !time && 'Choose a time',
    link: linkProblem(link.trim()),
    doctorId: doctors && !doctorId && 'Choose the doctor',
    doctorRegistration:
      doctorRegistration.trim().length > REGISTRATION_CHARACTERS_MAX &&
      `Shorten the registration number to ${REGISTRATION_CHARACTERS_MAX} characters`,
  }),
  request: ({ seen, date, time, link, doctors, doctorId, doctorRegistration }) => {
    const before = seenIn({ seen: [seen] });
    const doctor = doctors ? { doctorId, doctorRegistration: doctorRegistration.trim() } : {};
    return before && requestOf(before, { date, time, link: link.trim(), ...doctor, status: statusOf('scheduled') });
  },
  outcome: (answer: Partial<Consultation>) => (answer.id ? (answer as Consultation) : null),
  failure: 'The time was not saved',
});

/** Same rules as `parse_link` of the service: an https address without a login, in visible ASCII characters. */
function linkProblem(link: string): string {
  if (link.length > LINK_CHARACTERS_MAX) return `Shorten the link to ${LINK_CHARACTERS_MAX} characters`;
  return /^https:\/\/[^/?#@\s]+([/?#]|$)/i.test(link) && /^[!-~]+$/.test(link) ? '' : LINK_PROBLEM;
}

function requestOf({ id, etag }: Seen, body: Partial<Consultation>) {
  return {
    method: 'PUT' as const,
    template: '/consultations/{consultation_id}',
    params: { consultation_id: id },
    headers: { 'If-Match': `"${etag}"` },
    body,
    receipt: {
      title: 'The consultation is saved',
      text: 'The page can’t be shown right now.',
      facts: { Reference: 'reference', Patient: 'patientName', Date: 'date', Time: 'time' },
    },
  };
}

/** Returns the chosen state, or null if the form is not one of this page or the seen state does not allow it. */
function toOf(form: FormFields, seen: Seen): State | null {
  const to = form[TO]?.at(-1) ?? 'scheduled';
  const from = stateIn(seen.status);
  return from && isState(to) && NEXT[from].includes(to) ? to : null;
}

/** Maps the forms of a consultation to their API calls. */
export function changeRequest(form: FormFields, now: string): ActionRequest | null {
  const seen = seenIn(form);
  const to = seen && toOf(form, seen);
  if (!seen || !to) return null;
  if (to === 'scheduled') return nativeAction(scheduleForm)(form, now);
  const { method, params, body, headers, receipt } = requestOf(seen, { status: statusOf(to) });
  return { method, path: `/consultations/${encodeURIComponent(params.consultation_id)}`, body, headers, receipt };
}

export type Change =
  /** `isSame`: it already was so, and nobody was notified by this request. */
  | { kind: 'saved'; to: State; consultation: Consultation; isSame: boolean }
  /** Fields of the form were refused. */
  | { kind: 'refused'; violations: Violation[] }
  /** Changed by another person since the page was opened. */
  | { kind: 'stale'; to: State; differences: Difference[] }
  /** `detail`: advice of the service, or empty. */
  | { kind: 'failed'; to: State; failure: Failure; detail: string }
  /** The form was not one of this page. */
  | { kind: 'unread' };

/** Returns the outcome of a posted change, null without a post. */
export function changeOf({ action, data, now }: ConsultationProps): Change | null {
  if (!action) return null;
  const seen = seenIn(action.form);
  const to = seen && toOf(action.form, seen);
  if (!seen || !to) return { kind: 'unread' };
  const outcome = to === 'scheduled' ? outcomeOfAction(scheduleForm, action, { now }) : null;
  if (outcome?.kind === 'refused') return { kind: 'refused', violations: outcome.violations };
  const { status, body } = action.result;
  const present = data.consultation?.ok ? data.consultation.body : null;
  if (status >= 200 && status <= 299) {
    const saved = present ?? scheduleForm.outcome((body ?? {}) as Partial<Consultation>);
    if (saved) return { kind: 'saved', to, consultation: saved, isSame: saved.etag === seen.etag };
  }
  if (present && isAs(present, to, action.form)) return { kind: 'saved', to, consultation: present, isSame: true };
  const { reason, detail } = (body ?? {}) as Partial<Problem>;
  const changed = present ? differences(seen, present) : [];
  if (status === 412 || changed.length > 0) return { kind: 'stale', to, differences: changed };
  return { kind: 'failed', to, failure: failureOf(status, present !== null), detail: (reason && detail) || '' };
}

/** Returns whether a consultation already is as a form wants it, for example after a double press. */
function isAs(present: Consultation, to: State, form: FormFields): boolean {
  if (stateIn(present.status) !== to) return false;
  if (to !== 'scheduled') return true;
  const { date, time, link, doctors, doctorId, doctorRegistration } = valuesFrom(scheduleForm, form);
  const number = doctorRegistration.trim();
  const isDoctor = !doctors || (doctorId === present.doctorId && (!number || number === present.doctorRegistration));
  return date === present.date && time === present.time && link.trim() === present.link && isDoctor;
}

function differences(seen: Seen, now: Consultation): Difference[] {
  const pairs: [label: string, before: string, now: string | undefined][] = [
    ['Status', labelOf(seen.status), labelOf(now.status)],
    ['Day', isDay(seen.date) ? formatDate(seen.date) : seen.date, formatDate(now.date)],
    ['Time', seen.time, now.time],
    ['Link', seen.link, now.link],
    ['Doctor', seen.doctorName, now.doctorName],
    ['Registration number', seen.doctorRegistration, now.doctorRegistration],
  ];
  const changed = pairs.filter(([, before, after]) => before !== (after ?? ''));
  return changed.map(([label, before, after]) => ({ label, before: before || 'none', now: after || 'none' }));
}

function labelOf(status: string): string {
  const state = stateIn(status);
  return state ? LABELS[state] : 'Unknown';
}
