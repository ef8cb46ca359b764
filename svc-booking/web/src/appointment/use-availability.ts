import { useCallback, useEffect, useRef, useState } from 'react';
import type { AvailabilityDay } from '@hospital/api/types';
import { type TimesByDepartment, type TimesCache, type TimesQuery, TimesWatch } from './times-watch.ts';

interface AvailabilityQuery {
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
  /** Clears the cache and requests the times again. */
  reload: () => void;
}

const NO_DAYS: AvailabilityDay[] = [];

/**
 * Returns the free times for the current choice. A visitor may make ten calls a minute and tries one department after
 * another, so one response for a span covers all departments. A doctor's times need a separate request. Responses less
 * than a minute old are reused. Visible times stay until newer ones arrive.
 */
export function useAvailability(query: AvailabilityQuery | null): Availability {
  const [cache] = useState((): TimesCache => new Map());
  const watch = useRef<TimesWatch>(null);
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<{ key: string; times: TimesByDepartment | null } | null>(null);
  const department = query?.department ?? '';
  const key = query ? JSON.stringify(timesQuery(query)) : '';

  useEffect(() => {
    if (!key) return;
    watch.current = new TimesWatch(JSON.parse(key) as TimesQuery, cache, (times) => setAnswer({ key, times }));
    return () => watch.current?.stop();
  }, [key, round, cache]);

  useEffect(() => {
    if (department) watch.current?.refresh();
  }, [department]);

  const reload = useCallback(() => {
    cache.clear();
    setAnswer(null);
    setRound((count) => count + 1);
  }, [cache]);

  if (!key) return { state: 'idle', days: NO_DAYS, reload };
  if (answer?.key !== key) return { state: 'loading', days: NO_DAYS, reload };
  return { state: answer.times ? 'ready' : 'failed', days: answer.times?.[department] ?? NO_DAYS, reload };
}

function timesQuery({ department, doctor, from, to }: AvailabilityQuery): TimesQuery {
  return { from, to, ...(doctor && { doctor: { department, doctor } }) };
}
