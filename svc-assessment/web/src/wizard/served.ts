/** Initial state of a page: empty, or the result of a native post. */
import type { PageProps } from '@hospital/page';
import { valuesFrom } from '@hospital/form/declaration';
import { type Outcome, intentOf, outcomeOfAction } from '@hospital/form/outcome';
import { assessmentForm } from '../form.ts';
import { ASKED, type Answered, CONSENT_STEP, RESULTS_STEP, stepIn } from '../questions.ts';
import type { Results } from '../scoring/score.ts';
import { NOT_SAVED, type Saving } from './draft.ts';
import type { SavingState } from './use-saving.ts';

export interface Served {
  values: Answered;
  step: number;
  outcome: Outcome<typeof assessmentForm>;
  saving: Saving;
  state: SavingState;
  /** The service's own results. */
  given: Results | null;
}

export function servedBy({ action, now }: Pick<PageProps, 'action' | 'now'>): Served {
  const posted = action?.form ?? {};
  const values = valuesFrom(assessmentForm, posted);
  const outcome = outcomeOfAction(assessmentForm, action, { now });
  const begin: Served = { values, outcome, step: 1, saving: NOT_SAVED, state: 'none', given: null };
  if (!action) return begin;
  if (intentOf(assessmentForm, posted) === 'remove') return { ...begin, ...removalOf(outcome, values) };
  if (outcome.kind === 'refused') return { ...begin, step: stepOf(outcome.violations[0]?.field ?? 'age') };
  if (outcome.kind === 'none') return { ...begin, step: Math.min(stepIn(values) + 1, CONSENT_STEP) };
  if (outcome.kind === 'failed')
    return { ...begin, step: RESULTS_STEP, state: values.consent === 'yes' ? 'failed' : 'none' };
  const answer = outcome.kind === 'success' ? outcome.answer : null;
  const savedId = answer?.stored ? answer.id : '';
  return {
    ...begin,
    // The form asks for consent again if it is changed and resubmitted.
    values: { ...values, consent: savedId ? '' : values.consent },
    step: RESULTS_STEP,
    saving: { ...NOT_SAVED, savedId },
    state: savedId ? 'saved' : 'none',
    given: answer && { ...answer.result, bmi: answer.result.bmi ?? null },
  };
}

function removalOf(outcome: Served['outcome'], { savedId }: Answered): Pick<Served, 'saving' | 'state'> {
  return outcome.kind === 'failed'
    ? { saving: { ...NOT_SAVED, savedId }, state: 'notRemoved' }
    : { saving: NOT_SAVED, state: 'removed' };
}

/** Returns the step that asks for a field. */
export function stepOf(field: string): number {
  const found = Object.entries(ASKED).find(([, names]) => (names as readonly string[]).includes(field))?.[0];
  return Number(found) || RESULTS_STEP;
}
