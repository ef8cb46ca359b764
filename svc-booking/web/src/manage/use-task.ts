import { useEffect } from 'react';
import type { ActionOutcome, PageProps } from '@hospital/page';
import type { AnyForm, ValuesOf } from '@hospital/form/declaration';
import { type FormState, useForm } from '@hospital/form/use-form';
import { TASKS, type Task, linkOf, taskOf } from './forms.ts';
import type { ManageLink } from './link.ts';
import { REPLACED } from './opened.ts';

/** Callbacks for the outcomes of the page's forms. */
export interface TaskContext extends Pick<PageProps, 'now' | 'part' | 'action'> {
  /** The script has completed the task with these form values. */
  onDone: (answer: unknown, task: Task, values: Partial<Record<string, string>>) => void;
  /** The link of the task was replaced by a move. */
  onReplaced: (link: ManageLink) => void;
  /** Changed concurrently, or over: the page shows an outdated state. */
  onStale: () => void;
  /** The offer has expired. */
  onOver: () => void;
}

/** Error reasons that mean that the page shows an outdated state. */
const STALE_REASONS = ['ETAG_MISMATCH', 'NOT_OPEN'];

/** Returns the form of a task with its hidden and initial values. Ignores posts of other tasks. */
export function useTask<Form extends AnyForm>(
  task: Task,
  form: Form,
  { now, part, action, onDone, onReplaced, onStale, onOver }: TaskContext,
  adjust: (posted: ValuesOf<Form>) => Partial<ValuesOf<Form>>,
): FormState<Form> {
  const state = useForm(form, { now, part, action: ofTask(action, task) }, adjust);
  const { outcome, served } = state;
  useEffect(() => {
    if (served) return;
    const values = state.values() as Partial<Record<string, string>>;
    if (outcome.kind === 'success') onDone(outcome.answer, task, values);
    if (outcome.kind === 'failed' && outcome.reason === REPLACED) onReplaced(linkOf(values));
    if (outcome.kind === 'failed' && STALE_REASONS.includes(outcome.reason)) onStale();
    if (outcome.kind === 'failed' && outcome.reason === 'OFFER_OVER') onOver();
    // Once per outcome.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [outcome]);
  return state;
}

function ofTask(action: ActionOutcome | null, task: Task): ActionOutcome | null {
  return action && TASKS[taskOf(action.form)] === TASKS[task] ? action : null;
}
