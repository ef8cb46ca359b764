import { useEffect } from 'react';
import type { Appointment } from '@hospital/api/get-appointment';
import type { WaitlistEntry } from '@hospital/api/get-waitlist-entry';
import type { ActionOutcome, PageProps } from '@hospital/page';
import type { AnyForm, ValuesOf } from '@hospital/form/declaration';
import { type FormState, useForm } from '@hospital/form/use-form';
import { TASKS, type Task, taskOf } from './forms.ts';
import { type ManageLink, linkOf } from './link.ts';

/** What the parts of the page do with what comes of their forms. */
export interface TaskContext extends Pick<PageProps, 'now' | 'part' | 'action'> {
  /** The script has done it; `secret` is that of the link it was done with. */
  onDone: (answer: Appointment | WaitlistEntry, task: Task, secret: string) => void;
  /** Someone else has changed it, or it is over: what is shown is no longer true. */
  onStale: () => void;
  /** The deadline of an offer has passed. */
  onOver: () => void;
}

/** Reasons that say that the page shows an older state. */
const STALE_REASONS = ['ETAG_MISMATCH', 'NOT_OPEN'];

/** The form of a task, with what it carries and what it holds at first. Only a post of its own task is answered by it. */
export function useTask<Form extends AnyForm>(
  task: Task,
  form: Form,
  { now, part, action, onDone, onStale, onOver }: TaskContext,
  adjust: (posted: ValuesOf<Form>) => Partial<ValuesOf<Form>>,
): FormState<Form> {
  const state = useForm(form, { now, part, action: ofTask(action, task) }, adjust);
  const { outcome, served } = state;
  useEffect(() => {
    if (served) return;
    if (outcome.kind === 'success') {
      const { secret } = linkOf(state.values() as ManageLink);
      onDone(outcome.answer as Appointment | WaitlistEntry, task, secret);
    }
    if (outcome.kind === 'failed' && STALE_REASONS.includes(outcome.reason)) onStale();
    if (outcome.kind === 'failed' && outcome.reason === 'OFFER_OVER') onOver();
    // For every outcome once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [outcome]);
  return state;
}

function ofTask(action: ActionOutcome | null, task: Task): ActionOutcome | null {
  return action && TASKS[taskOf(action.form)] === TASKS[task] ? action : null;
}
