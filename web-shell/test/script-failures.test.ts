// @vitest-environment happy-dom
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Failure } from '@hospital/api/telemetry';
import { placeOf } from '../src/client/place.ts';
import { reportScriptFailures } from '../src/client/script-failures.ts';

vi.mock('@hospital/api/telemetry', () => ({ recordFailure: (failure: Failure) => recorded.push(failure) }));
const recorded: Failure[] = [];

beforeAll(() => reportScriptFailures());
beforeEach(() => void (recorded.length = 0));

const FILE = '/remotes/booking/0.1.0-dde68c7b/appointment.1a2b3c4d.js';
const UNKNOWN = { team: 'unknown', version: 'unknown', module: 'unknown' };

function rejected(reason: unknown) {
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
}

it('finds the owner of a file by address or stack', () => {
  const place = { team: 'booking', version: '0.1.0-dde68c7b', module: 'appointment' };
  expect(placeOf(`https://hospital.example${FILE}`)).toEqual(place);
  expect(placeOf(`Error: x\n    at f (https://hospital.example${FILE}:1:22)`)).toEqual(place);
  const named = (file: string) => placeOf(`https://hospital.example/remotes/booking/1/${file}`).module;
  expect(named('__federation_expose_virtual_consultation.c1584386.js')).toBe('virtual-consultation');
  expect(named('remoteEntry.206b80b7.js')).toBe('remoteEntry');
  expect(placeOf('/remotes/../x.js')).toEqual(UNKNOWN);
  expect(placeOf('')).toEqual(UNKNOWN);
});

it('reports errors of site files with their position, of inline scripts without, and no others', () => {
  for (const filename of [`${location.origin}${FILE}`, location.href, 'chrome-extension://abc/x.js', ''])
    window.dispatchEvent(new ErrorEvent('error', { filename, message: 'name of a patient' }));
  expect(recorded).toEqual([
    { ...placeOf(FILE), kind: 'script' },
    { ...UNKNOWN, kind: 'script' },
  ]);
});

it('reports unhandled rejections of the site', () => {
  rejected(Object.assign(new Error('x'), { stack: `Error: x\n at ${location.origin}${FILE}:1:1` }));
  rejected('x');
  rejected(undefined);
  expect(recorded).toEqual([{ ...placeOf(FILE), kind: 'script' }]);
});

it('reports a shell script that fails to load, and no picture', () => {
  for (const [tag, src] of [
    ['script', '/remotes/shell/0.1.0-eaf31adc/shell.0a1b2c3d.js'],
    ['script', FILE],
    ['img', '/remotes/shell/0.1.0-eaf31adc/x.js'],
  ] as const) {
    const element = document.createElement(tag);
    element.setAttribute('src', src);
    // A type that keeps the test from fetching the script.
    if (tag === 'script') element.setAttribute('type', 'text/plain');
    document.body.append(element);
    element.dispatchEvent(new Event('error'));
  }
  expect(recorded).toEqual([{ team: 'shell', version: '0.1.0-eaf31adc', module: 'shell', kind: 'load' }]);
});
