// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://127.0.0.1/" }
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Failure } from '../src/telemetry.ts';

let bodies: { spans: unknown[]; failures?: Failure[]; token?: string }[];
let telemetry: typeof import('../src/telemetry.ts');

const failure = (module: string): Failure => ({ team: 'booking', version: '0.1.0-abcd', module, kind: 'load' });

/** Simulates a document that the gateway sent with this token. */
function sent(token: string | undefined): void {
  const serverTiming = token === undefined ? [] : [{ name: 'document', description: token, duration: 0 }];
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
    { serverTiming },
  ] as unknown as PerformanceNavigationTiming[]);
}

beforeEach(async () => {
  bodies = [];
  vi.useFakeTimers();
  sent('a-token');
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    bodies.push(JSON.parse(String(init.body)));
    return Promise.resolve(new Response(null, { status: 202 }));
  });
  // Simulates a new page load: drops the state of the previous one.
  delete (globalThis as Record<symbol, unknown>)[Symbol.for('hospital.api.failures')];
  vi.resetModules();
  telemetry = await import('../src/telemetry.ts');
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('sends concurrent failures in one beacon, with the spans', () => {
  telemetry.recordFailure(failure('a'));
  telemetry.recordFailure(failure('b'));
  telemetry.startSpan('x', {}).end(false);
  expect(bodies).toEqual([]);
  vi.advanceTimersByTime(500);
  expect(bodies).toHaveLength(1);
  expect(bodies[0]?.failures).toEqual([failure('a'), failure('b')]);
  expect(bodies[0]?.spans).toHaveLength(1);
  expect(bodies[0]?.token).toBe('a-token');
});

it('X3: sends failures only with the token of their document', () => {
  sent(undefined);
  telemetry.recordFailure(failure('a'));
  vi.advanceTimersByTime(500);
  expect(bodies).toEqual([]);
  telemetry.startSpan('x', {}).end(false);
  telemetry.sendSpans();
  expect(Object.keys(bodies[0] ?? {})).toEqual(['spans']);
});

it('X3: does not report failures of an hour-old document', () => {
  vi.spyOn(performance, 'now').mockReturnValue(3_600_000);
  telemetry.recordFailure(failure('a'));
  vi.advanceTimersByTime(500);
  expect(bodies).toEqual([]);
});

it('does not report failures of unpublished files', () => {
  telemetry.recordFailure({ team: 'unknown', version: 'unknown', module: 'unknown', kind: 'script' });
  vi.advanceTimersByTime(500);
  expect(bodies).toEqual([]);
});

it('sends failures immediately when the page is left', () => {
  telemetry.recordFailure(failure('a'));
  dispatchEvent(new Event('pagehide'));
  expect(bodies.map(({ failures }) => failures)).toEqual([[failure('a')]]);
  vi.advanceTimersByTime(500);
  expect(bodies).toHaveLength(1);
});

it('reports the same failure once per page load, and at most 8 different ones', () => {
  for (let time = 0; time < 3; time += 1) {
    for (let number = 0; number < 20; number += 1) telemetry.recordFailure(failure(`m${number}`));
    vi.advanceTimersByTime(500);
  }
  expect(bodies.flatMap(({ failures }) => failures)).toEqual(
    Array.from({ length: 8 }, (_, number) => failure(`m${number}`)),
  );
});

it('sends only the four fields', () => {
  telemetry.recordFailure({ ...failure('a'), message: 'name of a patient' } as Failure);
  vi.advanceTimersByTime(500);
  expect(JSON.stringify(bodies)).not.toContain('patient');
});

it('copies of the client in several remotes share the limit', async () => {
  telemetry.recordFailure(failure('a'));
  vi.resetModules();
  const copy = await import('../src/telemetry.ts');
  copy.recordFailure(failure('a'));
  copy.recordFailure(failure('b'));
  vi.advanceTimersByTime(500);
  expect(bodies.flatMap(({ failures }) => failures)).toEqual([failure('a'), failure('b')]);
});

it('sends spans alone if there are no failures', () => {
  telemetry.startSpan('x', {}).end(false);
  telemetry.sendSpans();
  expect(Object.keys(bodies[0] ?? {})).toEqual(['spans']);
});
