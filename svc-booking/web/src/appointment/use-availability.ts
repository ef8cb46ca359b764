import { useCallback, useEffect, useRef, useState } from 'react';
import { listAvailability } from '@hospital/api/list-availability';
import { listFreeTimes } from '@hospital/api/list-free-times';
import type { AvailabilityDay, DepartmentFreeTimes, FreeDay } from '@hospital/api/types';
import { ApiProblem } from '@hospital/api/problem';
import { TIMES } from './calendar.ts';

/**
 * Maximum age of a response that is reused when a visitor chooses another department or returns to the tab, in
 * milliseconds. The specification caches reads for five minutes and refetches on return. In five minutes other visitors
 * book times that are shown as free, so times are cached for one minute only. Visible times that the visitor does not
 * touch are refreshed after five minutes (`SHOWN_MS`).
 */
const KEPT_MS = 60_000;
/** Refresh interval of visible times, in milliseconds. */
const SHOWN_MS = 300_000;
/** Debounce while a day is being typed, in milliseconds: each key may give another day. */
const TYPED_MS = 400;
/** Maximum number of cached responses: one per span, and one per doctor and span. */
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
  /** Clears the cache and requests the times again. */
  reload: () => void;
}

/** Days by department id. */
type Times = Readonly<Record<string, AvailabilityDay[]>>;
type Answer = { key: string; state: 'ready' | 'failed'; times: Times };
type Known = { times: Times; at: number };

const NO_DAYS: AvailabilityDay[] = [];

/**
 * Returns the free times for the current choice. A visitor may make ten calls a minute and tries one department after
 * another, so one response for a span covers all departments. A doctor's times need a separate request. Responses less
 * than a minute old are reused. Visible times stay until newer ones arrive.
 */
export function useAvailability(query: AvailabilityQuery | null): Availability {
  const known = useRef(new Map<string, Known>());
  const refresh = useRef<() => void>(undefined);
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const department = query?.department ?? '';
  const key = query ? JSON.stringify(query.doctor ? query : { from: query.from, to: query.to }) : '';

  useEffect(() => {
    if (!key) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let asking = false;
    const isOld = () => Date.now() - (known.current.get(key)?.at ?? 0) >= KEPT_MS;

    function refreshIn(ms: number) {
      clearTimeout(timer);
      timer = setTimeout(refreshIfOld, ms);
    }

    function show({ times, at }: Known) {
      setAnswer({ key, state: 'ready', times });
      refreshIn(at + SHOWN_MS - Date.now());
    }

    async function ask() {
      asking = true;
      try {
        const times = await timesFor(JSON.parse(key) as AvailabilityQuery, abort.signal);
        if (abort.signal.aborted) return;
        const found = { times, at: Date.now() };
        if (known.current.size >= ANSWERS_MAX) known.current.clear();
        known.current.set(key, found);
        show(found);
      } catch (error) {
        if (abort.signal.aborted) return;
        if (!(error instanceof ApiProblem)) reportError(error);
        if (known.current.has(key)) refreshIn(SHOWN_MS);
        else setAnswer({ key, state: 'failed', times: {} });
      } finally {
        asking = false;
      }
    }

    function refreshIfOld() {
      if (!asking && isOld() && document.visibilityState !== 'hidden') void ask();
    }

    refresh.current = refreshIfOld;
    const found = known.current.get(key);
    if (found && !isOld()) show(found);
    else if (isDayTyped()) refreshIn(TYPED_MS);
    else void ask();
    document.addEventListener('visibilitychange', refreshIfOld);
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', refreshIfOld);
    };
  }, [key, round]);

  useEffect(() => {
    if (department) refresh.current?.();
  }, [department]);

  const reload = useCallback(() => {
    known.current.clear();
    setAnswer(null);
    setRound((count) => count + 1);
  }, []);

  if (!key) return { state: 'idle', days: NO_DAYS, reload };
  if (answer?.key !== key) return { state: 'loading', days: NO_DAYS, reload };
  return { state: answer.state, days: answer.times[department] ?? NO_DAYS, reload };
}

/** Returns whether the day field has focus: the next key may change the day. */
function isDayTyped(): boolean {
  const focused = document.activeElement;
  return focused instanceof HTMLInputElement && focused.type === 'date';
}

async function timesFor({ department, doctor, from, to }: AvailabilityQuery, signal: AbortSignal): Promise<Times> {
  if (doctor) {
    const { days } = await listAvailability({ department, doctor, from, to }, { signal });
    return { [department]: days };
  }
  const { departments } = await listFreeTimes({ from, to }, { signal });
  return Object.fromEntries(departments.map((one) => [one.department, one.days.map((day) => withAllTimes(day, one))]));
}

/** Expands a compact response, which contains only staffed times. */
function withAllTimes(
  { free, freeResources = [], full, ...day }: FreeDay,
  { resources = [] }: Pick<DepartmentFreeTimes, 'resources'>,
): AvailabilityDay {
  const slots = TIMES.map((time) => {
    const index = free.indexOf(time);
    const available = index >= 0;
    const resource = resources[freeResources[index] ?? -1];
    return { time, startsAt: '', available, staffed: available || full.includes(time), ...(resource && { resource }) };
  });
  return { ...day, slots };
}
