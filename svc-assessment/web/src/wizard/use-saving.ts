import { type RefObject, useRef, useState } from 'react';
import { newIdempotencyKey } from '@hospital/api/call';
import { createAssessment, type AssessmentInput } from '@hospital/api/create-assessment';
import { deleteAssessment } from '@hospital/api/delete-assessment';
import { ApiProblem } from '@hospital/api/problem';
import { showToast } from '@hospital/ui/toast';
import { answersOf } from '../answers.ts';
import { type Answered, FAILURE } from '../questions.ts';
import { NOT_SAVED, type Saving } from './draft.ts';

export type SavingState = 'none' | 'saving' | 'saved' | 'failed' | 'removing' | 'notRemoved' | 'removed';

export interface SavingOfAnswers {
  state: SavingState;
  /** What is known, as it is shown. */
  shown: Saving;
  /** What is known by now, for handlers. */
  known: RefObject<Saving>;
  /** Sends the answers, if there is consent and they have not been kept before. Nothing is sent otherwise. */
  save: (values: Answered) => Promise<void>;
  /** True when they are removed. */
  remove: () => Promise<boolean>;
  /** Goes on with what a draft or the server knows. */
  restore: (saving: Saving) => void;
  /** Forgets it all: the next answers are others. */
  forget: () => void;
}

/** Whether the service has said for certain that nothing was kept. Without an answer, or after 5xx or 429, nobody knows. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Keeps the answers once. `keep` writes the draft; it is called whenever what is known changes. */
export function useSaving(initial: Saving, begun: SavingState, keep: () => void): SavingOfAnswers {
  const known = useRef(initial);
  const [shown, setShown] = useState(initial);
  const running = useRef(false);
  const [state, setState] = useState(begun);

  function set(saving: Saving) {
    known.current = saving;
    setShown(saving);
  }

  function learn(change: Partial<Saving>) {
    set({ ...known.current, ...change });
    keep();
  }

  async function save(values: Answered) {
    if (values.consent !== 'yes' || known.current.savedId || running.current) return;
    const requestId = known.current.requestId || newIdempotencyKey();
    // A try without an answer may have been kept: the same body under the same key finds out, whatever was changed since.
    const sent = known.current.sent || bodyOf(values);
    learn({ requestId, sent, removed: false });
    running.current = true;
    setState('saving');
    const isCurrent = () => known.current.requestId === requestId;
    try {
      const { id } = await createAssessment(JSON.parse(sent) as AssessmentInput, { idempotencyKey: requestId });
      if (isCurrent()) {
        learn({ savedId: id });
        setState('saved');
      }
      showToast({ title: 'Assessment saved!', description: 'Your health assessment has been saved.', tone: 'success' });
    } catch (error) {
      if (!(error instanceof ApiProblem)) reportError(error);
      if (isCurrent()) {
        if (error instanceof ApiProblem && isRefusal(error.status)) learn({ requestId: '', sent: '' });
        setState('failed');
      }
      showToast({ title: 'Error', description: FAILURE, tone: 'error' });
    } finally {
      if (isCurrent() || !known.current.requestId) running.current = false;
    }
  }

  async function remove() {
    const { savedId } = known.current;
    const isCurrent = () => known.current.savedId === savedId;
    setState('removing');
    try {
      await deleteAssessment(savedId);
      if (!isCurrent()) return false;
      learn({ ...NOT_SAVED, removed: true });
      setState('removed');
      return true;
    } catch (error) {
      if (!(error instanceof ApiProblem)) reportError(error);
      if (isCurrent()) setState('notRemoved');
      return false;
    }
  }

  return {
    state,
    shown,
    known,
    save,
    remove,
    restore(saving) {
      set(saving);
      setState(stateOf(saving));
    },
    forget() {
      set(NOT_SAVED);
      running.current = false;
      setState('none');
    },
  };
}

function stateOf({ savedId, removed }: Saving): SavingState {
  if (removed) return 'removed';
  return savedId ? 'saved' : 'none';
}

export function bodyOf(values: Answered): string {
  return JSON.stringify({ ...answersOf(values), consent: true } satisfies AssessmentInput);
}
