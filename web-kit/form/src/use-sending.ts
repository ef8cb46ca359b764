import { useLayoutEffect, useRef, useState } from 'react';
import { type Attempt, NO_ATTEMPT, begun, deliver } from './attempt.ts';
import type { AnyForm, FormRequest } from './declaration.ts';
import type { Outcome } from './outcome.ts';

/** Maximum age, in milliseconds, of a pending request that a restored page sends again automatically. */
const RESUME_MS_MAX = 600_000;

export interface Sending {
  /** A request is pending, from sending to the outcome. */
  pending: boolean;
  /** Sends a request, given as JSON, unless one is pending. `fleeting` is added to its body and not stored. */
  send: (sent: string, fleeting?: Record<string, unknown>) => Promise<void>;
  /** Saves the draft, with an idempotency key. */
  remember: () => void;
  /** Resumes the attempt of a draft. */
  restore: (attempt: Attempt) => void;
}

/**
 * Sends one request at a time. Each request ends in one call of `onOutcome`, even across the back/forward cache.
 * `save` writes the draft.
 */
export function useSending(
  form: AnyForm,
  save: (attempt: Attempt) => void,
  onOutcome: (outcome: Outcome) => void,
): Sending {
  const [pending, setPending] = useState(false);
  const attempt = useRef<Attempt>(NO_ATTEMPT);
  const running = useRef<AbortController>(null);

  function remember() {
    attempt.current = begun(attempt.current);
    save(attempt.current);
  }

  async function send(sent: string, fleeting?: Record<string, unknown>) {
    if (running.current) return;
    const abort = new AbortController();
    running.current = abort;
    const isCurrent = () => running.current === abort;
    const keep = (next: Attempt) => {
      if (!isCurrent()) return;
      attempt.current = next;
      remember();
    };
    setPending(true);
    let outcome: Outcome = { kind: 'failed', reason: '', detail: '' };
    try {
      const request = JSON.parse(sent) as FormRequest;
      outcome = await deliver({ form, request, last: attempt.current, fleeting, keep, signal: abort.signal });
    } catch (error) {
      // A bug in our code: the visitor sees a failure, and `reportError` reports the bug.
      reportError(error);
    }
    if (!isCurrent()) return;
    running.current = null;
    setPending(false);
    onOutcome(outcome);
  }

  /** Sends a request again whose response the browser has dropped, to get its outcome. */
  function resume() {
    const { sent, state, at } = attempt.current;
    if (sent && state === 'sending' && Date.now() - at < RESUME_MS_MAX) void send(sent);
  }

  useLayoutEffect(() => {
    /** Aborts the request: its response was dropped, or the page is unmounted. The draft still records it as sent. */
    function drop() {
      running.current?.abort();
      running.current = null;
      setPending(false);
    }
    function restored({ persisted }: PageTransitionEvent) {
      if (!persisted || !running.current) return;
      drop();
      resume();
    }
    addEventListener('pageshow', restored);
    return () => {
      removeEventListener('pageshow', restored);
      drop();
    };
    // Everything it reads is in refs.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return {
    pending,
    send,
    remember,
    restore(from) {
      attempt.current = from;
      resume();
    },
  };
}
