import { useCallback, useEffect, useRef, useState } from 'react';
import { listAvailability, type AvailabilityDay } from '@hospital/api/list-availability';
import { ApiProblem } from '@hospital/api/problem';

/** How long an answer is taken for true, in milliseconds. */
const KEPT_MS = 300_000;
/** Who comes back to the tab is shown nothing older than this, in milliseconds. */
const RETURN_MS = 15_000;
/** Answers of so many departments, doctors and spans are kept. */
const ANSWERS_MAX = 20;

export interface AvailabilityQuery {
  /** Department id. */
  department: string;
  /** Doctor id, or empty for any of the department. */
  doctor: string;
  /** YYYY-MM-DD, both inclusive. */
  from: string;
  to: string;
}

export interface Availability {
  state: 'idle' | 'loading' | 'ready' | 'failed';
  days: AvailabilityDay[];
  /** Asks again, forgetting what was known. */
  reload: () => void;
}

type Answer = { key: string; state: 'ready' | 'failed'; days: AvailabilityDay[] };
type Known = { days: AvailabilityDay[]; at: number };

/**
 * The free times for what is chosen now: one call for a span, kept for five minutes, because a visitor may make ten calls
 * a minute and turns back to a department often. Times that are shown are asked for again when they grow old or the visitor
 * comes back to the tab, and stay until the new ones are there.
 */
export function useAvailability(query: AvailabilityQuery | null): Availability {
  const known = useRef(new Map<string, Known>());
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const key = query ? JSON.stringify(query) : '';

  useEffect(() => {
    if (!key) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const old = () => Date.now() - (known.current.get(key)?.at ?? 0);

    function show({ days, at }: Known) {
      setAnswer({ key, state: 'ready', days });
      timer = setTimeout(refresh, at + KEPT_MS - Date.now());
    }

    async function ask() {
      try {
        const { days } = await listAvailability(JSON.parse(key) as AvailabilityQuery, { signal: abort.signal });
        if (abort.signal.aborted) return;
        const found = { days, at: Date.now() };
        if (known.current.size >= ANSWERS_MAX) known.current.clear();
        known.current.set(key, found);
        show(found);
      } catch (error) {
        if (abort.signal.aborted) return;
        if (!(error instanceof ApiProblem)) reportError(error);
        if (!known.current.has(key)) setAnswer({ key, state: 'failed', days: [] });
      }
    }

    function refresh() {
      if (document.visibilityState === 'hidden' || old() < RETURN_MS) return;
      clearTimeout(timer);
      void ask();
    }

    const found = known.current.get(key);
    if (found && old() < KEPT_MS) show(found);
    else void ask();
    document.addEventListener('visibilitychange', refresh);
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [key, round]);

  const reload = useCallback(() => {
    known.current.clear();
    setAnswer(null);
    setRound((count) => count + 1);
  }, []);

  if (!key) return { state: 'idle', days: [], reload };
  return answer?.key === key ? { ...answer, reload } : { state: 'loading', days: [], reload };
}
