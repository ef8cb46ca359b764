// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "handleDisabledFileLoadingAsSuccess": true } }
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { measureSome } from '../src/client/measure-some.ts';

const SCRIPT = '/remotes/shell/1/measure.js';
let idle: (() => void)[] = [];

beforeEach(() => {
  idle = [];
  vi.stubGlobal('requestIdleCallback', (task: () => void) => idle.push(task));
  document.body.dataset.measure = SCRIPT;
  Object.defineProperty(document, 'readyState', { value: 'complete', configurable: true });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
  delete document.body.dataset.measure;
  Reflect.deleteProperty(document, 'readyState');
  Reflect.deleteProperty(navigator, 'connection');
});

/** Returns the addresses of the scripts that are loaded when the browser is idle. */
function loaded(chance: number): (string | null)[] {
  vi.spyOn(Math, 'random').mockReturnValue(chance);
  measureSome();
  expect(document.querySelectorAll('script')).toHaveLength(0);
  idle.splice(0).forEach((task) => task());
  return [...document.querySelectorAll('script')].map((script) => script.getAttribute('src'));
}

it('measures a tenth of the page loads', () => {
  expect(loaded(0.1)).toEqual([]);
  expect(loaded(0.099)).toEqual([SCRIPT]);
});

it('measures nothing with reduced data', () => {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
  expect(loaded(0)).toEqual([]);
});

it('ignores a document that measures itself, or whose gateway names no script', () => {
  delete document.body.dataset.measure;
  expect(loaded(0)).toEqual([]);
});
