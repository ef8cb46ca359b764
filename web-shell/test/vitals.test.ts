// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://127.0.0.1/appointment?name=asha" }
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

type Observer = (metric: { name: string; value: number; entries: object[] }) => void;

let observers: Record<string, Observer>;
let bodies: { vitals: { path: string; values: { name: string; value: number; team: string }[] } }[];
const observe = (name: string) => (observer: Observer) => {
  observers[name] = observer;
};
vi.mock('web-vitals', () => ({
  onCLS: observe('CLS'),
  onFCP: observe('FCP'),
  onINP: observe('INP'),
  onLCP: observe('LCP'),
  onTTFB: observe('TTFB'),
}));

beforeEach(async () => {
  observers = {};
  bodies = [];
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    bodies.push(JSON.parse(String(init.body)));
    return Promise.resolve(new Response(null, { status: 202 }));
  });
  document.body.innerHTML =
    '<h1>Sampige</h1><div data-module="booking/appointment"><p>Choose a day</p>' +
    '<div data-module="content/promos"><img alt=""></div></div>';
  vi.resetModules();
  (await import('../src/client/vitals.ts')).reportVitals();
});
afterEach(() => vi.unstubAllGlobals());

function element(selector: string): Element {
  return document.querySelector(selector)!;
}

it('takes the team from the innermost fragment of the decisive element', () => {
  observers.TTFB?.({ name: 'TTFB', value: 80, entries: [] });
  observers.LCP?.({ name: 'LCP', value: 1200, entries: [{ element: element('h1') }, { element: element('img') }] });
  const [small, large] = [element('h1'), element('p')].map((node) => ({ node: node.firstChild }));
  observers.CLS?.({
    name: 'CLS',
    value: 0.2,
    entries: [
      { value: 0.02, sources: [small] },
      { value: 0.18, sources: [{ node: null }, large] },
    ],
  });
  observers.INP?.({ name: 'INP', value: 90, entries: [{ target: null }, { target: element('p') }] });
  expect(bodies).toEqual([]);
  dispatchEvent(new Event('pagehide'));
  const [report] = bodies;
  expect(report?.vitals.path).toBe('/appointment');
  expect(report?.vitals.values.map(({ name, team }) => `${name} ${team}`)).toEqual([
    'TTFB shell',
    'LCP content',
    'CLS booking',
    'INP booking',
  ]);
  expect(JSON.stringify(bodies)).not.toContain('asha');
});

it('sends each once per page load, and nothing without values', () => {
  dispatchEvent(new Event('pagehide'));
  expect(bodies).toEqual([]);
  observers.LCP?.({ name: 'LCP', value: 1200, entries: [] });
  dispatchEvent(new Event('pagehide'));
  observers.LCP?.({ name: 'LCP', value: 9000, entries: [] });
  dispatchEvent(new Event('pagehide'));
  expect(bodies.map(({ vitals }) => vitals.values)).toEqual([[{ name: 'LCP', value: 1200, team: 'shell' }]]);
});
