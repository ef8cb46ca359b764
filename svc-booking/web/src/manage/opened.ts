/** What the page shows after a secret was checked, and the result of the last task. */
import type { Appointment, WaitlistEntry } from '@hospital/api/types';
import type { ActionOutcome } from '@hospital/page';
import { type AnyForm, valuesFrom } from '@hospital/form/declaration';
import { outcomeOfAction } from '@hospital/form/outcome';
import { t } from '../messages.ts';
import { TASKS, type Task, linkOf, taskOf } from './forms.ts';
import type { ManageLink } from './link.ts';

/** Error reason for a link that a newer one replaced. */
export const REPLACED = 'LINK_REPLACED';

/** The last task. `stale`: read again after a concurrent change. `over`: read again after an offer expired. */
export type News = Task | 'stale' | 'over';

export type Opened = { secret: string; news: News; /** Time of the read, RFC 3339 UTC. */ at: string } & (
  { kind: 'appointment'; appointment: Appointment } | { kind: 'waitlist'; entry: WaitlistEntry }
);

/** Returns the view of a response. `secret`: the secret of the used link; the response may contain a newer one. */
export function opened(answer: Appointment | WaitlistEntry, secret: string, news: News, at: string): Opened {
  if ('state' in answer) return { kind: 'waitlist', entry: answer, secret, news, at };
  // A waitlist entry's link does not open the appointment booked from it.
  return {
    kind: 'appointment',
    appointment: answer,
    secret: answer.secret || (news === 'accept' ? '' : secret),
    news,
    at,
  };
}

/** The page's view: an appointment, a waitlist entry, or a step towards one. */
export type Shown =
  | Opened
  /** A code was mailed, if the appointment exists. `again`: not the first one. */
  | { kind: 'code'; reference: string; phone: string; again: boolean }
  /** The link was replaced by a move. */
  | { kind: 'moved'; link: ManageLink }
  /** The new link was mailed. */
  | { kind: 'sent' };

/** Returns the view after a native post; null for the start of the page. */
export function shownBy(action: ActionOutcome | null, now: string): Shown | null {
  if (!action) return null;
  const task = taskOf(action.form);
  const form: AnyForm = TASKS[task];
  const outcome = outcomeOfAction(form, action, { now });
  const values = valuesFrom(form, action.form) as Record<string, string>;
  if (outcome.kind === 'failed' && outcome.reason === REPLACED) return { kind: 'moved', link: linkOf(values) };
  // After a wrong code, the visitor can enter it again.
  if (outcome.kind !== 'success') return task === 'open' ? codeStep(values, false) : null;
  return shownAfter(outcome.answer, task, values, now);
}

/** Returns the view after a completed task. `at`: RFC 3339 UTC. */
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

/** Returns whether an appointment can be changed: not once it has begun. */
export function isOpen({ status, startsAt }: Pick<Appointment, 'status' | 'startsAt'>, at: string): boolean {
  return status === 'APPOINTMENT_STATUS_BOOKED' && Date.parse(startsAt) > Date.parse(at);
}

const STATUS_WORDS: Partial<Record<Appointment['status'], () => string>> = {
  APPOINTMENT_STATUS_CANCELLED: () => t('Cancelled'),
  APPOINTMENT_STATUS_NO_SHOW: () => t('Missed'),
  APPOINTMENT_STATUS_ARRIVED: () => t('You have arrived'),
};

export function statusWords(appointment: Appointment, at: string): string {
  return STATUS_WORDS[appointment.status]?.() ?? (isOpen(appointment, at) ? t('Booked') : t('Over'));
}
