// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { useState } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Failure } from '@hospital/api/telemetry';
import type { HydratedFragment, PageProps } from '@hospital/page';
import type { Host } from '../src/client/host.ts';
import { hydrateFragment } from '../src/client/hydrate.ts';
import { whenDue } from '../src/client/when-due.ts';

const props: PageProps = {
  params: {},
  query: {},
  data: {},
  part: 'team:/x',
  action: null,
  now: '2026-11-21T09:30:00Z',
  path: '/x',
};
const fragment: HydratedFragment = {
  id: 'f0',
  remote: 'team',
  module: 'form',
  hydrate: 'load',
  identifierPrefix: 'f0-',
  props,
};

/** A form as a team would write it. Throws when `broken` requests it. */
function Form({ path }: PageProps) {
  const [count, setCount] = useState(0);
  if (broken === 'at once' || (broken === 'on click' && count > 0)) throw new Error('broken');
  return (
    <form action={path}>
      <input name="name" />
      <select name="day">
        <option>Monday</option>
        <option>Tuesday</option>
      </select>
      <button type="button" onClick={() => setCount(count + 1)}>
        {count}
      </button>
    </form>
  );
}

vi.mock('@hospital/api/telemetry', () => ({ recordFailure: (failure: Failure) => recorded.push(failure) }));
const recorded: Failure[] = [];
const failed = (kind: Failure['kind']): Failure => ({ team: 'team', version: '1.0.0-abcd', module: 'form', kind });

let broken: 'no' | 'at once' | 'on click';
let element: HTMLElement;
let errors: ReturnType<typeof vi.spyOn>;

const hostOf = (loadRemote: () => Promise<unknown>) => ({ loadRemote }) as unknown as Host;
const hydrate = (host: Host) => act(() => hydrateFragment(host, fragment, element));

beforeEach(() => {
  broken = 'no';
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  recorded.length = 0;
  errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  element = document.createElement('div');
  element.setAttribute('data-version', '1.0.0-abcd');
  document.body.replaceChildren(element);
  element.innerHTML = renderToString(<Form {...props} />, { identifierPrefix: 'f0-' });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('hydration', () => {
  it('adds interactivity to the same nodes without an error', async () => {
    const html = element.innerHTML;
    const button = element.querySelector('button');
    await hydrate(hostOf(async () => ({ default: Form })));
    expect(element.innerHTML).toBe(html);
    await act(() => button?.click());
    expect(element.querySelector('button')).toBe(button);
    expect(button?.textContent).toBe('1');
    expect(errors).not.toHaveBeenCalled();
    expect(recorded).toEqual([]);
  });

  it('has the translations of the document when the script of the module loads', async () => {
    const messages = { team: { Monday: 'ಸೋಮವಾರ' } };
    const host = hostOf(async () => {
      expect(globalThis.hospitalMessages).toEqual(messages);
      return { default: Form };
    });
    await act(() => hydrateFragment(host, { ...fragment, messages }, element));
    expect(errors).not.toHaveBeenCalled();
    globalThis.hospitalMessages = undefined;
  });

  it.each([
    ['does not load', () => Promise.reject(new Error('RUNTIME-008'))],
    ['has no such module', () => Promise.resolve(null)],
  ])('keeps the HTML and reports it if the remote %s', async (_, loadRemote) => {
    const html = element.innerHTML;
    await hydrate(hostOf(loadRemote));
    expect(element.innerHTML).toBe(html);
    expect(errors).toHaveBeenCalledOnce();
    expect(recorded).toEqual([failed('load')]);
  });

  it('reports a hydration mismatch', async () => {
    element.querySelector('button')?.replaceChildren('7');
    await hydrate(hostOf(async () => ({ default: Form })));
    expect(recorded).toEqual([failed('hydrate')]);
  });

  it.each(['at once', 'on click'] as const)('keeps typed values when a component fails %s', async (moment) => {
    (element.querySelector('input') as HTMLInputElement).value = 'Asha';
    (element.querySelector('select') as HTMLSelectElement).value = 'Tuesday';
    broken = moment;
    await hydrate(hostOf(async () => ({ default: Form })));
    await act(() => element.querySelector('button')?.click());
    expect(element.querySelector('form')?.getAttribute('action')).toBe('/x');
    expect(element.querySelector('input')?.value).toBe('Asha');
    expect(element.querySelector('select')?.value).toBe('Tuesday');
    expect(recorded).toContainEqual(failed('render'));
    expect(errors.mock.calls.flat().map(String).join(' ')).toContain("the server's HTML stays");
  });
});

describe('the time of hydration', () => {
  it('is immediate for load, and never for none', () => {
    const task = vi.fn();
    whenDue('none', element, task);
    expect(task).not.toHaveBeenCalled();
    whenDue('load', element, task);
    expect(task).toHaveBeenCalledOnce();
  });

  it('is the first visibility for visible', () => {
    let seen: (entries: { isIntersecting: boolean }[]) => void = () => {};
    const disconnect = vi.fn();
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(callback: typeof seen) {
          seen = callback;
        }
        observe = vi.fn();
        disconnect = disconnect;
      },
    );
    const task = vi.fn();
    whenDue('visible', element, task);
    seen([{ isIntersecting: false }]);
    expect(task).not.toHaveBeenCalled();
    seen([{ isIntersecting: true }]);
    expect(task).toHaveBeenCalledOnce();
    expect(disconnect).toHaveBeenCalledOnce();
  });
});
