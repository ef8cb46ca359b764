// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';

const recordPageLoad = vi.fn();
const reportVitals = vi.fn();
const isSampled = vi.fn<() => boolean>();
vi.mock('@hospital/api/telemetry', () => ({ recordPageLoad, recordFailure: () => {} }));
vi.mock('../src/client/vitals.ts', () => ({ reportVitals }));
vi.mock('../src/client/measure-some.ts', () => ({ isSampled }));
vi.mock('../src/client/host.ts', () => ({ createHost: () => ({}) }));

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
  isSampled.mockReturnValue(true);
  (globalThis as Record<symbol, unknown>)[Symbol.for('hospital.shell.measured')] = undefined;
  vi.stubGlobal('requestIdleCallback', (task: () => void) => task());
  Object.defineProperty(document, 'readyState', { value: 'complete', configurable: true });
  document.body.innerHTML = '';
});

it.each([
  ['the start-up script', ['start']],
  ['the script of a page without scripts', ['measure']],
  ['both, as a touch brought the second', ['measure', 'start']],
])('%s measures a page load once', async (_, scripts) => {
  for (const script of scripts)
    await (script === 'start' ? import('../src/client/start.ts') : import('../src/client/measure.ts'));
  await vi.waitFor(() => expect(reportVitals).toHaveBeenCalledOnce());
  expect(recordPageLoad).toHaveBeenCalledOnce();
});

it('the start-up script measures no Web Vitals outside of the sample', async () => {
  isSampled.mockReturnValue(false);
  await import('../src/client/start.ts');
  expect(recordPageLoad).toHaveBeenCalledOnce();
  await vi.dynamicImportSettled();
  expect(reportVitals).not.toHaveBeenCalled();
});
