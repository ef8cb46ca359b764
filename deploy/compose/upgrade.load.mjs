/** Visitors who browse and book at a pace of people, each from a network of its own, and what they saw. */
import { setMaxListeners } from 'node:events';
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { dayFromToday, payload, person } from '../../e2e/booking.mjs';

const PAGES = ['/', '/doctors', '/appointment', '/emergency', '/contact'];
const DEPARTMENTS = [
  'General Medicine',
  'Cardiology',
  'Orthopedics',
  'Gynecology',
  'Pediatrics',
  'Dermatology',
  'ENT',
  'Ophthalmology',
  'Neurology',
  'Urology',
  'Psychiatry',
];
/** Time between two requests of a visitor, in milliseconds. */
const THINKING_MS = { min: 4_000, max: 12_000 };
/** Share of the visits that book. */
const BOOKING_SHARE = 0.05;
const ANSWER_MS_MAX = 30_000;
/** How often a visitor repeats a booking that failed, with the same key, and how long it waits before. */
const REPEATS_MAX = 6;
const REPEAT_MS = 5_000;
const LATER_DAYS = 21;

export class Load {
  phase = 'start';
  /** One entry for each request: phase, kind, status (0: none), milliseconds and what was wrong. */
  requests = [];
  /** Reference by key of every acknowledged booking. */
  booked = new Map();
  /** Keys of bookings that were never acknowledged: each may or may not be stored. */
  unknown = new Set();
  #ended = new AbortController();
  #visitors;

  constructor(origin, count) {
    this.origin = origin;
    setMaxListeners(count + 1, this.#ended.signal);
    this.#visitors = Array.from({ length: count }, (_, index) => this.#visit(index));
  }

  /** Lets every visitor finish its request. */
  async end() {
    this.#ended.abort();
    await Promise.all(this.#visitors);
  }

  /** Returns one line for each phase. */
  table() {
    const phases = [...new Set(this.requests.map(({ phase }) => phase))];
    return phases.map((phase) => {
      const all = this.requests.filter((one) => one.phase === phase);
      const times = all.map(({ ms }) => ms).sort((a, b) => a - b);
      const failed = all.filter(isFailed);
      return {
        phase,
        requests: all.length,
        failed: failed.length,
        'p95 ms': Math.round(times[Math.floor(times.length * 0.95)] ?? 0),
        booked: all.filter(({ kind, status }) => kind === 'book' && status === 201).length,
        seen: counts(failed.map(({ kind, status, problem }) => `${kind} ${status || problem}`)),
      };
    });
  }

  failures() {
    return this.requests.filter(isFailed);
  }

  async #visit(index) {
    while (!this.#ended.signal.aborted) {
      await pause(randomInt(THINKING_MS.min, THINKING_MS.max), null, { signal: this.#ended.signal }).catch(() => {});
      if (this.#ended.signal.aborted) return;
      // 198.18.0.0/15 is reserved for measurements.
      const from = `198.${18 + (index % 2)}.${index}.${randomInt(1, 255)}`;
      if (Math.random() < BOOKING_SHARE) await this.#book(from);
      else await this.#request('page', from, PAGES[randomInt(PAGES.length)]);
    }
  }

  async #book(from) {
    const department = DEPARTMENTS[randomInt(DEPARTMENTS.length)];
    const query = new URLSearchParams({ department, from: dayFromToday(7), to: dayFromToday(7 + LATER_DAYS) });
    const found = await this.#request('times', from, `/api/availability?${query}`);
    if (found?.status !== 200) return;
    const free = JSON.parse(found.text).days.flatMap(({ date, slots }) =>
      slots.filter(({ available }) => available).map(({ time }) => ({ department, date, time })),
    );
    // A long run may fill a department.
    if (!free.length) return;
    const key = randomUUID();
    const body = JSON.stringify(payload(person(), free[randomInt(free.length)]));
    for (let repeat = 0; repeat <= REPEATS_MAX; repeat += 1) {
      const init = { method: 'POST', body, headers: { 'Idempotency-Key': key } };
      const answer = await this.#request('book', from, '/api/appointments', init);
      if (answer?.status === 201) {
        this.unknown.delete(key);
        this.booked.set(key, JSON.parse(answer.text).reference);
        return;
      }
      // Another visitor was faster.
      if (answer?.status === 409) return;
      this.unknown.add(key);
      await pause(REPEAT_MS);
    }
  }

  async #request(kind, from, path, { headers = {}, ...init } = {}) {
    const own = { 'X-Client-Id': randomUUID(), 'X-Requested-With': 'XMLHttpRequest' };
    const entry = { phase: this.phase, kind, status: 0, ms: 0, problem: '' };
    const started = performance.now();
    try {
      const answer = await fetch(`${this.origin}${path}`, {
        ...init,
        headers: {
          'X-Forwarded-For': from,
          ...(kind === 'page' ? {} : own),
          ...(init.body ? { 'Content-Type': 'application/json' } : {}),
          ...headers,
        },
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      });
      const text = await answer.text();
      entry.status = answer.status;
      entry.problem = answer.ok ? '' : text.slice(0, 200);
      return { status: answer.status, text };
    } catch (error) {
      entry.problem = error.cause?.code ?? error.name;
      return undefined;
    } finally {
      entry.ms = performance.now() - started;
      this.requests.push(entry);
    }
  }
}

/** A conflict is an answer: another visitor has the time. */
const isFailed = ({ status }) => status === 0 || (status >= 400 && status !== 409);

function counts(words) {
  const found = new Map();
  for (const word of words) found.set(word, (found.get(word) ?? 0) + 1);
  return [...found].map(([word, count]) => `${count}× ${word}`).join(', ');
}
