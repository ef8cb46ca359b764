// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { brokenRules } from './accessibility.tsx';
import { showToast } from './toast.tsx';

function stack(): HTMLElement {
  return document.querySelector('section') as HTMLElement;
}

function visible(): string[] {
  return [...stack().children]
    .filter((item) => !item.hasAttribute('hidden'))
    .map((item) => item.querySelector('p')?.textContent ?? '');
}

function pointer(item: Element, type: string, clientX: number) {
  item.dispatchEvent(new PointerEvent(type, { clientX, bubbles: true, pointerId: 1 }));
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  stack().replaceChildren();
  vi.useRealTimers();
});

describe('toasts', () => {
  it('shows three at most, newest last, and brings the older back', async () => {
    for (const title of ['one', 'two', 'three', 'four']) await showToast({ title });
    expect(visible()).toEqual(['two', 'three', 'four']);
    (stack().lastElementChild as Element).querySelector('button')?.click();
    expect(visible()).toEqual(['one', 'two', 'three']);
  });

  it('stays 4 s, errors 5 s, and as long as somebody points at it', async () => {
    await showToast({ title: 'Assessment saved!' });
    await showToast({ title: 'Error', tone: 'error' });
    vi.advanceTimersByTime(3999);
    expect(visible()).toEqual(['Assessment saved!', 'Error']);
    vi.advanceTimersByTime(1);
    expect(visible()).toEqual(['Error']);
    (stack().firstElementChild as Element).dispatchEvent(new PointerEvent('pointerenter'));
    vi.advanceTimersByTime(60_000);
    expect(visible()).toEqual(['Error']);
    (stack().firstElementChild as Element).dispatchEvent(new PointerEvent('pointerleave'));
    vi.advanceTimersByTime(5000);
    expect(visible()).toEqual([]);
  });

  it('goes with a swipe of 50 px, not of 49', async () => {
    await showToast({ title: 'Saved' });
    const item = stack().firstElementChild as Element;
    for (const [end, left] of [
      [149, 1],
      [150, 0],
    ] as const) {
      pointer(item, 'pointerdown', 100);
      pointer(item, 'pointermove', end);
      pointer(item, 'pointerup', end);
      expect(stack().childElementCount).toBe(left);
    }
  });

  it('is reached with Alt+T and breaks no rule', async () => {
    await showToast({
      title: 'Error',
      description: 'Could not save assessment. Please try again later.',
      tone: 'error',
    });
    document.dispatchEvent(new KeyboardEvent('keydown', { altKey: true, code: 'KeyT' }));
    expect(document.activeElement).toBe(stack());
    vi.useRealTimers();
    expect(await brokenRules(stack())).toEqual([]);
  });
});
