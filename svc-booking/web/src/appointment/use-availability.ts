import { useCallback, useEffect, useRef, useState } from 'react';
import { listAvailability, type AvailabilityDay } from '@hospital/api/list-availability';
import { ApiProblem } from '@hospital/api/problem';

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
  /** Asks again, forgetting what was known about this span. */
  reload: () => void;
}

type Answer = { key: string; state: 'ready' | 'failed'; days: AvailabilityDay[] };

/**
 * The free times for what is chosen now: one call for a span, remembered while the page is open,
 * because a visitor may make ten calls a minute and turns back to a department often.
 */
export function useAvailability(query: AvailabilityQuery | null): Availability {
  const known = useRef(new Map<string, AvailabilityDay[]>());
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const key = query ? JSON.stringify(query) : '';

  useEffect(() => {
    if (!key) return;
    const days = known.current.get(key);
    if (days) {
      setAnswer({ key, state: 'ready', days });
      return;
    }
    const abort = new AbortController();
    listAvailability(JSON.parse(key) as AvailabilityQuery, { signal: abort.signal }).then(
      ({ days: found }) => {
        known.current.set(key, found);
        setAnswer({ key, state: 'ready', days: found });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        if (!(error instanceof ApiProblem)) throw error;
        setAnswer({ key, state: 'failed', days: [] });
      },
    );
    return () => abort.abort();
  }, [key, round]);

  const reload = useCallback(() => {
    known.current.clear();
    setAnswer(null);
    setRound((count) => count + 1);
  }, []);

  if (!key) return { state: 'idle', days: [], reload };
  return answer?.key === key ? { ...answer, reload } : { state: 'loading', days: [], reload };
}
