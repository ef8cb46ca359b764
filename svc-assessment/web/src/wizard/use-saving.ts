import { type RefObject, useRef, useState } from 'react';
import { newIdempotencyKey } from '@hospital/api/call';
import { createAssessment } from '@hospital/api/create-assessment';
import { deleteAssessment } from '@hospital/api/delete-assessment';
import type { AssessmentInput } from '@hospital/api/types';
import { ApiProblem } from '@hospital/api/problem';
import { showToast } from '@hospital/ui/toast';
import { t } from '../messages.ts';
import { answersOf } from '../answers.ts';
import { FAILURE } from '../form.ts';
import type { Answered } from '../questions.ts';
import { NOT_SAVED, type Saving } from './draft.ts';

export type SavingState = 'none' | 'saving' | 'saved' | 'failed' | 'removing' | 'notRemoved' | 'removed';

export interface SavingOfAnswers {
  state: SavingState;
  /** Saving state as rendered. */
  shown: Saving;
  /** Latest saving state, for handlers. */
  known: RefObject<Saving>;
  /** Sends the answers if there is consent and they are not stored yet. Otherwise sends nothing. */
  save: (values: Answered) => Promise<void>;
  /** Resolves to true if the answers were removed. */
  remove: () => Promise<boolean>;
  /** Continues from the state of a draft or of the server. */
  restore: (saving: Saving) => void;
  /** Discards the state: the next answers are another assessment. */
  forget: () => void;
}

/** Returns whether the service certainly stored nothing. Without a response, or after 5xx or 429, that is unknown. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Saves the answers once. `keep` writes the draft; it is called on every change of the saving state. */
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
    // An attempt without a response may have been stored. Sending the same body under the same key finds out, despite
    // later changes.
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
      showToast({
        title: t('Assessment saved!'),
        description: t('Your health assessment has been saved.'),
        tone: 'success',
      });
    } catch (error) {
      if (!(error instanceof ApiProblem)) reportError(error);
      if (isCurrent()) {
        if (error instanceof ApiProblem && isRefusal(error.status)) learn({ requestId: '', sent: '' });
        setState('failed');
      }
      showToast({ title: t('Error'), description: t(FAILURE), tone: 'error' });
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
