/** What the page shows once a secret was checked, and what has just become of it. */
import type { Appointment } from '@hospital/api/get-appointment';
import type { WaitlistEntry } from '@hospital/api/get-waitlist-entry';
import type { ActionOutcome } from '@hospital/page';
import { type AnyForm, valuesFrom } from '@hospital/form/declaration';
import { outcomeOfAction } from '@hospital/form/outcome';
import { TASKS, type Task, linkOf, taskOf } from './forms.ts';
import type { ManageLink } from './link.ts';

/** Reason of a link that a newer one has replaced. */
export const REPLACED = 'LINK_REPLACED';

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

/** What the page shows: an appointment or an entry, or a step on the way to one. */
export type Shown =
  | Opened
  /** A code was mailed, if there is such an appointment. `again`: one more. */
  | { kind: 'code'; reference: string; phone: string; again: boolean }
  /** The link is from before a move. */
  | { kind: 'moved'; link: ManageLink }
  /** The new link was mailed. */
  | { kind: 'sent' };

/** What a native post has led to; null: the page begins. */
export function shownBy(action: ActionOutcome | null, now: string): Shown | null {
  if (!action) return null;
  const task = taskOf(action.form);
  const form: AnyForm = TASKS[task];
  const outcome = outcomeOfAction(form, action, { now });
  const values = valuesFrom(form, action.form) as Record<string, string>;
  if (outcome.kind === 'failed' && outcome.reason === REPLACED) return { kind: 'moved', link: linkOf(values) };
  // A wrong code is entered once more.
  if (outcome.kind !== 'success') return task === 'open' ? codeStep(values, false) : null;
  return shownAfter(outcome.answer, task, values, now);
}

/** What is shown once a task is done. `at`: RFC 3339 UTC. */
export function shownAfter(answer: unknown, task: Task, values: Partial<Record<string, string>>, at: string): Shown {
  if (task === 'code') return codeStep(values, Boolean(values.again));
  if (task === 'link') return { kind: 'sent' };
  return opened(answer as Appointment | WaitlistEntry, linkOf(values).secret, task, at);
}

function codeStep({ reference = '', phone = '' }: Partial<Record<string, string>>, again: boolean): Shown {
  return { kind: 'code', reference, phone, again };
}

export function isOpened(shown: Shown | null): shown is Opened {
  return shown?.kind === 'appointment' || shown?.kind === 'waitlist';
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
