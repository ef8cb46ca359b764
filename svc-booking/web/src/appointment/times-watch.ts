/** Reads free times and keeps them current while they are visible. */
import { listAvailability } from '@hospital/api/list-availability';
import { listFreeTimes } from '@hospital/api/list-free-times';
import { ApiProblem } from '@hospital/api/problem';
import type { AvailabilityDay, DepartmentFreeTimes, FreeDay } from '@hospital/api/types';
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

/** All departments of a span, or one doctor. */
export interface TimesQuery {
  /** YYYY-MM-DD, both inclusive. */
  from: string;
  to: string;
  doctor?: {
    /** Department id. */
    department: string;
    /** Doctor id. */
    doctor: string;
  };
}

/** Days by department id. */
export type TimesByDepartment = Readonly<Record<string, AvailabilityDay[]>>;

interface CachedTimes {
  times: TimesByDepartment;
  /** When they were read, in milliseconds since 1970. */
  at: number;
}

/** Cached responses by query, as JSON. */
export type TimesCache = Map<string, CachedTimes>;

/** Reads the times of one query until it is stopped. Reads them again once they expire and the page is visible. */
export class TimesWatch {
  readonly #query: TimesQuery;
  readonly #key: string;
  readonly #cache: TimesCache;
  readonly #onTimes: (times: TimesByDepartment | null) => void;
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReading = false;

  /** `onTimes`: times were read; null if they could not be read and none are visible. */
  constructor(query: TimesQuery, cache: TimesCache, onTimes: (times: TimesByDepartment | null) => void) {
    this.#query = query;
    this.#key = JSON.stringify(query);
    this.#cache = cache;
    this.#onTimes = onTimes;
    const cached = cache.get(this.#key);
    if (cached && !this.#isOld()) this.#show(cached);
    else if (isDayTyped()) this.#refreshIn(TYPED_MS);
    else void this.#read();
    document.addEventListener('visibilitychange', this.refresh);
  }

  stop(): void {
    this.#abort.abort();
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.refresh);
  }

  /** Reads the times again if they are old. */
  readonly refresh = (): void => {
    if (!this.#isReading && this.#isOld() && document.visibilityState !== 'hidden') void this.#read();
  };

  #isOld(): boolean {
    return Date.now() - (this.#cache.get(this.#key)?.at ?? 0) >= KEPT_MS;
  }

  #refreshIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.refresh, ms);
  }

  #show({ times, at }: CachedTimes): void {
    this.#onTimes(times);
    this.#refreshIn(at + SHOWN_MS - Date.now());
  }

  async #read(): Promise<void> {
    const { signal } = this.#abort;
    this.#isReading = true;
    try {
      const times = await timesFor(this.#query, signal);
      if (signal.aborted) return;
      const cached = { times, at: Date.now() };
      if (this.#cache.size >= ANSWERS_MAX) this.#cache.clear();
      this.#cache.set(this.#key, cached);
      this.#show(cached);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiProblem)) reportError(error);
      if (this.#cache.has(this.#key)) this.#refreshIn(SHOWN_MS);
      else this.#onTimes(null);
    } finally {
      this.#isReading = false;
    }
  }
}

/** Returns whether the day field has focus: the next key may change the day. */
function isDayTyped(): boolean {
  const focused = document.activeElement;
  return focused instanceof HTMLInputElement && focused.type === 'date';
}

async function timesFor({ from, to, doctor }: TimesQuery, signal: AbortSignal): Promise<TimesByDepartment> {
  if (doctor) {
    const { days } = await listAvailability({ ...doctor, from, to }, { signal });
    return { [doctor.department]: days };
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
