// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import type { Failure } from '@hospital/api/telemetry';
import contract from '@hospital/page/contract.json';

const recorded: Failure[] = [];
const hydrated: string[] = [];
let reports = 0;
vi.mock('@hospital/api/telemetry', () => ({
  recordFailure: (failure: Failure) => recorded.push(failure),
  recordPageLoad: () => {},
}));
vi.mock('../src/client/vitals.ts', () => ({ reportVitals: () => (reports += 1) }));
vi.mock('../src/client/host.ts', () => ({ createHost: () => ({}) }));
vi.mock('../src/client/hydrate.ts', () => ({
  hydrateFragment: async (_host: unknown, { id }: { id: string }) => void hydrated.push(id),
}));

function open(contractNumber: number) {
  const data = { contract: contractNumber, remotes: [], fragments: [{ id: 'f0', hydrate: 'load' }] };
  document.body.innerHTML =
    `<div data-fragment="f0"></div><script type="application/json" id="page-data">${JSON.stringify(data)}</script>` +
    '<script type="text/plain" src="/remotes/shell/0.1.0-eaf31adc/shell.0a1b2c3d.js"></script>';
  return import('../src/client/start.ts');
}

beforeEach(() => {
  vi.resetModules();
  recorded.length = 0;
  hydrated.length = 0;
  reports = 0;
  Reflect.deleteProperty(globalThis, Symbol.for('hospital.shell.measured'));
});

it.each([
  [0.1, 0],
  [0.099, 1],
])('loads the script of Web Vitals for a tenth of the page loads', async (chance, expected) => {
  vi.spyOn(Math, 'random').mockReturnValue(chance);
  vi.stubGlobal('requestIdleCallback', (task: () => void) => task());
  await open(contract.version);
  dispatchEvent(new Event('load'));
  await vi.dynamicImportSettled();
  expect(reports).toBe(expected);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('hydrates page data of its own contract version', async () => {
  await open(contract.version);
  expect(hydrated).toEqual(['f0']);
  expect(recorded).toEqual([]);
});

it('keeps the HTML of another contract version, and reports it', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  await open(contract.version + 1);
  expect(hydrated).toEqual([]);
  expect(errors).toHaveBeenCalledOnce();
  expect(recorded).toEqual([{ team: 'shell', version: '0.1.0-eaf31adc', module: 'shell', kind: 'script' }]);
  errors.mockRestore();
});
