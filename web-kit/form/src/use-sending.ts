import { useLayoutEffect, useRef, useState } from 'react';
import { type Attempt, NO_ATTEMPT, begun, deliver } from './attempt.ts';
import type { AnyForm, FormRequest } from './declaration.ts';
import type { Outcome } from './outcome.ts';

/** How long after it was sent a page that comes back asks by itself what has become of it, in milliseconds. */
const RESUME_MS_MAX = 600_000;

export interface Sending {
  /** Between sending and the outcome. */
  pending: boolean;
  /** Sends a request, as JSON, unless one is on its way already. `fleeting` joins its body and is not kept. */
  send: (sent: string, fleeting?: Record<string, unknown>) => Promise<void>;
  /** Writes the draft, with a key for what is being written. */
  remember: () => void;
  /** Goes on with the attempt of a draft. */
  restore: (attempt: Attempt) => void;
}

/** One request at a time, which ends in one call of `onOutcome`, also over the back/forward cache. `save` writes the draft. */
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
      // A fault of ours: the visitor sees a failure, and whoever watches the page sees the fault.
      reportError(error);
    }
    if (!isCurrent()) return;
    running.current = null;
    setPending(false);
    onOutcome(outcome);
  }

  /** Asks what has become of a request whose answer the browser has dropped. */
  function resume() {
    const { sent, state, at } = attempt.current;
    if (sent && state === 'sending' && Date.now() - at < RESUME_MS_MAX) void send(sent);
  }

  useLayoutEffect(() => {
    /** The browser has dropped the answer, or nobody is there to see it; the draft still says that it was sent. */
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
    // What it reads stands in refs.
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
