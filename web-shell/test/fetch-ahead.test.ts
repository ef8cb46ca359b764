// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchAhead } from '../src/client/fetch-ahead.ts';

const SCRIPTS = ['/remotes/shell/1/shell.js', '/remotes/booking/1/remoteEntry.js'];
const fetched = vi.fn<(address: string, init?: RequestInit) => Promise<Response>>();
let idle: (() => void)[] = [];

function set(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true });
}

beforeEach(() => {
  idle = [];
  fetched.mockReset().mockImplementation(() => Promise.resolve(new Response('script')));
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('requestIdleCallback', (task: () => void) => idle.push(task));
  document.body.dataset.ahead = SCRIPTS.join(' ');
  set(document, 'readyState', 'complete');
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  delete document.body.dataset.ahead;
  for (const name of ['readyState', 'prerendering']) Reflect.deleteProperty(document, name);
  Reflect.deleteProperty(navigator, 'connection');
});

const addresses = () => fetched.mock.calls.map(([address]) => address);
const becomeIdle = () => idle.splice(0).forEach((task) => task());

it('fetches every script once when the browser is idle, and reads all of it', async () => {
  const answers = SCRIPTS.map(() => new Response('script'));
  fetched.mockReset().mockImplementation(() => Promise.resolve(answers[fetched.mock.calls.length - 1] as Response));
  fetchAhead();
  expect(addresses()).toEqual([]);
  becomeIdle();
  expect(addresses()).toEqual(SCRIPTS);
  expect(fetched.mock.calls[0]?.[1]).toEqual({ priority: 'low' });
  await vi.waitFor(() => expect(answers.map(({ bodyUsed }) => bodyUsed)).toEqual([true, true]));
  expect(document.querySelectorAll('script, link')).toHaveLength(0);
});

it('waits for the page', () => {
  set(document, 'readyState', 'interactive');
  fetchAhead();
  becomeIdle();
  expect(addresses()).toEqual([]);
  dispatchEvent(new Event('load'));
  becomeIdle();
  expect(addresses()).toEqual(SCRIPTS);
});

it('waits until a prerendered page is visible', () => {
  set(document, 'prerendering', true);
  fetchAhead();
  becomeIdle();
  dispatchEvent(new Event('load'));
  expect(addresses()).toEqual([]);
  document.dispatchEvent(new Event('prerenderingchange'));
  becomeIdle();
  expect(addresses()).toEqual(SCRIPTS);
});

it.each([{ saveData: true, effectiveType: '4g' }, { effectiveType: 'slow-2g' }, { effectiveType: '2g' }])(
  'fetches nothing with %o',
  (connection) => {
    set(navigator, 'connection', connection);
    fetchAhead();
    becomeIdle();
    expect(addresses()).toEqual([]);
  },
);

it.each([{ saveData: false, effectiveType: '4g' }, { effectiveType: '3g' }, {}])('fetches with %o', (connection) => {
  set(navigator, 'connection', connection);
  fetchAhead();
  becomeIdle();
  expect(addresses()).toEqual(SCRIPTS);
});

it('works without requestIdleCallback', () => {
  vi.stubGlobal('requestIdleCallback', undefined);
  vi.useFakeTimers();
  fetchAhead();
  vi.runAllTimers();
  expect(addresses()).toEqual(SCRIPTS);
});

it('does nothing if no page is named', () => {
  delete document.body.dataset.ahead;
  fetchAhead();
  expect(idle).toEqual([]);
});

it('ignores a script that fails to load', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  fetched.mockRejectedValue(new TypeError('offline'));
  fetchAhead();
  becomeIdle();
  expect(addresses()).toEqual(SCRIPTS);
  await new Promise((done) => setTimeout(done));
  expect(unhandled).not.toHaveBeenCalled();
  process.off('unhandledRejection', unhandled);
});
