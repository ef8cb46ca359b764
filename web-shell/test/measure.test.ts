// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';

const recordPageLoad = vi.fn();
const reportVitals = vi.fn();
vi.mock('@hospital/api/telemetry', () => ({ recordPageLoad, recordFailure: () => {} }));
vi.mock('../src/client/vitals.ts', () => ({ reportVitals }));
vi.mock('../src/client/host.ts', () => ({ createHost: () => ({}) }));

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
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
