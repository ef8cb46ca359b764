// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { trustOwnScripts } from '../src/client/trusted-types.ts';

afterEach(() => vi.unstubAllGlobals());

it('accepts only published files of this site as scripts', () => {
  const createPolicy = vi.fn();
  vi.stubGlobal('trustedTypes', { createPolicy });
  trustOwnScripts();
  const [name, rules] = createPolicy.mock.calls[0] as [string, Record<string, (address: string) => string>];
  expect([name, Object.keys(rules)]).toEqual(['default', ['createScriptURL']]);
  const take = rules.createScriptURL!;
  for (const own of [
    '/remotes/booking/1.0.0/a.js',
    `${location.origin}/remotes/shell/1/b.js`,
    '/languages.js',
    '/sw.js',
  ])
    expect(take(own)).toBe(own);
  for (const foreign of [
    'https://evil.example/remotes/a.js',
    '//evil.example/remotes/a.js',
    'data:text/javascript,1',
    '/api/x',
    '/sw.js/x',
    'https://evil.example/sw.js',
    '/remotes/../a.js',
  ])
    expect(() => take(foreign)).toThrow(TypeError);
});

it('does nothing in a browser without Trusted Types', () => {
  vi.stubGlobal('trustedTypes', undefined);
  expect(trustOwnScripts).not.toThrow();
});
