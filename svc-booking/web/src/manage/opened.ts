/** What the page shows once a secret was checked, and what has just become of it. */
import type { Appointment } from '@hospital/api/get-appointment';
import type { WaitlistEntry } from '@hospital/api/get-waitlist-entry';
import type { ActionOutcome } from '@hospital/page';
import { type AnyForm, valuesFrom } from '@hospital/form/declaration';
import { outcomeOfAction } from '@hospital/form/outcome';
import { TASKS, type Task, taskOf } from './forms.ts';
import { type ManageLink, linkOf } from './link.ts';

/** What has just been done. It was read again when someone else had changed it (`stale`), and when an offer ran out (`over`). */
export type News = Task | 'stale' | 'over';

export type Opened = { secret: string; news: News; /** RFC 3339 UTC: when it was read. */ at: string } & (
  { kind: 'appointment'; appointment: Appointment } | { kind: 'waitlist'; entry: WaitlistEntry }
);

/** `secret`: that of the link which was used; the answer may hold a newer one. */
export function opened(answer: Appointment | WaitlistEntry, secret: string, news: News, at: string): Opened {
  if ('state' in answer) return { kind: 'waitlist', entry: answer, secret, news, at };
  // The link of a waitlist's entry is none of the appointment that came of it.
  return {
    kind: 'appointment',
    appointment: answer,
    secret: answer.secret || (news === 'accept' ? '' : secret),
    news,
    at,
  };
}

/** What a native post has opened, or null. */
export function openedBy(action: ActionOutcome | null, now: string): Opened | null {
  if (!action) return null;
  const task = taskOf(action.form);
  const form: AnyForm = TASKS[task];
  const outcome = outcomeOfAction(form, action, { now });
  if (outcome.kind !== 'success') return null;
  return opened(outcome.answer as Appointment | WaitlistEntry, linkOf(postedLink(action)).secret, task, now);
}

/** The link that a post carried. */
export function postedLink({ form }: ActionOutcome): ManageLink {
  const { reference = '', secret = '' } = valuesFrom(TASKS.find, form);
  return linkOf({ reference, secret });
}

export function linkTo(view: Opened): ManageLink {
  const { reference } = view.kind === 'appointment' ? view.appointment : view.entry;
  return { reference, secret: view.secret };
}

/** What can be done with an appointment: nothing any more, once it has begun. */
export function isOpen({ status, startsAt }: Pick<Appointment, 'status' | 'startsAt'>, at: string): boolean {
  return status === 'APPOINTMENT_STATUS_BOOKED' && Date.parse(startsAt) > Date.parse(at);
}

const STATUS_WORDS: Partial<Record<Appointment['status'], string>> = {
  APPOINTMENT_STATUS_CANCELLED: 'Cancelled',
  APPOINTMENT_STATUS_NO_SHOW: 'Missed',
  APPOINTMENT_STATUS_ARRIVED: 'You have arrived',
};

export function statusWords(appointment: Appointment, at: string): string {
  return STATUS_WORDS[appointment.status] ?? (isOpen(appointment, at) ? 'Booked' : 'Over');
}
