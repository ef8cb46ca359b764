// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { brokenRules } from './accessibility.tsx';
import { showToast } from './toast.tsx';

// Regions that the module created on import, before any message.
const regions = { polite: find('[role=status]'), assertive: find('[role=alert]'), stack: find('section') };
const { stack } = regions;
const wereEmpty = Object.values(regions).map((region) => region.textContent);

function find(selector: string): HTMLElement {
  return document.querySelector(selector) as HTMLElement;
}

function toast(title: string): HTMLElement {
  return [...stack.children].find((item) => item.querySelector('p')?.textContent === title) as HTMLElement;
}

const close = (title: string) => toast(title).querySelector('button') as HTMLElement;

function visible(): string[] {
  return [...stack.children]
    .filter((item) => !item.hasAttribute('hidden'))
    .map((item) => item.querySelector('p')?.textContent ?? '');
}

function pointer(item: Element, type: string, clientX: number) {
  item.dispatchEvent(new PointerEvent(type, { clientX, bubbles: true, pointerId: 1 }));
}

function altT() {
  document.dispatchEvent(new KeyboardEvent('keydown', { altKey: true, code: 'KeyT' }));
}

let field: HTMLInputElement;
beforeEach(() => {
  vi.useFakeTimers();
  field = document.createElement('input');
  field.setAttribute('aria-label', 'Name');
  document.body.prepend(field);
});
afterEach(() => {
  for (const button of stack.querySelectorAll('button')) button.click();
  (document.activeElement as HTMLElement | null)?.blur();
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  field.remove();
});

describe('toasts', () => {
  it('show at most three, newest last, and restore older ones', () => {
    for (const title of ['one', 'two', 'three', 'four']) showToast({ title });
    expect(visible()).toEqual(['two', 'three', 'four']);
    close('four').click();
    expect(visible()).toEqual(['one', 'two', 'three']);
  });

  it('stay for 4 s, errors for 5 s, and longer under the pointer', () => {
    showToast({ title: 'Assessment saved!' });
    showToast({ title: 'Error', tone: 'error' });
    vi.advanceTimersByTime(3999);
    expect(visible()).toEqual(['Assessment saved!', 'Error']);
    vi.advanceTimersByTime(1);
    expect(visible()).toEqual(['Error']);
    stack.dispatchEvent(new PointerEvent('pointerenter'));
    vi.advanceTimersByTime(60_000);
    expect(visible()).toEqual(['Error']);
    stack.dispatchEvent(new PointerEvent('pointerleave'));
    vi.advanceTimersByTime(4999);
    expect(visible()).toEqual(['Error']);
    vi.advanceTimersByTime(1);
    expect(visible()).toEqual([]);
    expect(stack.hidden).toBe(true);
  });

  it('disappear in time after an earlier one was closed under the pointer', () => {
    showToast({ title: 'closed' });
    stack.dispatchEvent(new PointerEvent('pointerenter'));
    close('closed').click();
    showToast({ title: 'next' });
    vi.advanceTimersByTime(4000);
    expect(visible()).toEqual([]);
  });

  it('pause while the tab is hidden', () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    showToast({ title: 'Saved' });
    vi.advanceTimersByTime(60_000);
    expect(visible()).toEqual(['Saved']);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event('visibilitychange'));
    vi.advanceTimersByTime(4000);
    expect(visible()).toEqual([]);
    hidden.mockRestore();
  });

  it('are limited in number while the timer is paused', () => {
    stack.dispatchEvent(new PointerEvent('pointerenter'));
    for (let number = 1; number <= 30; number += 1) showToast({ title: `${number}` });
    expect(stack.childElementCount).toBe(20);
    expect(stack.firstElementChild?.querySelector('p')?.textContent).toBe('11');
    stack.dispatchEvent(new PointerEvent('pointerleave'));
  });

  it.each([1, -1])('are dismissed by a swipe of 50 px, not of 49 (direction %i)', (direction) => {
    showToast({ title: 'Saved' });
    const item = toast('Saved');
    for (const [distance, left] of [
      [49, 1],
      [50, 0],
    ] as const) {
      pointer(item, 'pointerdown', 100);
      pointer(item, 'pointermove', 100 + direction * distance);
      pointer(item, 'pointerup', 100 + direction * distance);
      expect(stack.childElementCount).toBe(left);
    }
  });
});

describe('for screen readers', () => {
  it('live regions exist before the first message', () => {
    expect(wereEmpty).toEqual(['', '', '']);
    expect(stack.getAttribute('aria-label')).toBe('Notifications');
  });

  it('announces errors immediately and other messages in turn, each once', () => {
    showToast({ title: 'Assessment saved!', description: 'Your health assessment has been saved.' });
    showToast({ title: 'Error', description: 'Could not save assessment. Please try again later.', tone: 'error' });
    expect(regions.polite.textContent).toBe('Assessment saved!: Your health assessment has been saved.');
    expect(regions.assertive.textContent).toBe('Error: Could not save assessment. Please try again later.');
    expect(stack.querySelector('[role=status],[role=alert],[aria-live]')).toBeNull();
    vi.advanceTimersByTime(5000);
    expect([regions.polite.textContent, regions.assertive.textContent]).toEqual(['', '']);
  });

  it('has no accessibility violation', async () => {
    showToast({ title: 'Error', description: 'Could not save assessment.', tone: 'error' });
    vi.useRealTimers();
    field.remove();
    const broken = await brokenRules(document.body);
    vi.useFakeTimers();
    expect(broken).toEqual([]);
  });
});

it('renders on a server', async () => {
  vi.resetModules();
  vi.stubGlobal('document', undefined);
  const onServer = await import('./toast.tsx');
  expect(() => onServer.showToast({ title: 'Saved' })).not.toThrow();
  vi.unstubAllGlobals();
  expect(visible()).toEqual([]);
});

it('every copy of the module uses the one stack of the document', async () => {
  vi.resetModules();
  const copy = await import('./toast.tsx');
  copy.showToast({ title: 'Saved' });
  expect(copy.showToast).not.toBe(showToast);
  expect(visible()).toEqual(['Saved']);
  expect(document.querySelectorAll('section')).toHaveLength(1);
});

describe('the focus', () => {
  it('comes with Alt+T, stops the clock and goes back with Escape', () => {
    field.focus();
    altT();
    expect(document.activeElement).toBe(field);
    showToast({ title: 'Saved' });
    expect(document.activeElement).toBe(field);
    altT();
    expect(document.activeElement).toBe(stack);
    vi.advanceTimersByTime(60_000);
    expect(visible()).toEqual(['Saved']);
    stack.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    expect(document.activeElement).toBe(field);
  });

  it('stays in the stack when a passing pointer leaves it', () => {
    showToast({ title: 'Saved' });
    close('Saved').focus();
    stack.dispatchEvent(new PointerEvent('pointerenter'));
    stack.dispatchEvent(new PointerEvent('pointerleave'));
    vi.advanceTimersByTime(60_000);
    expect(document.activeElement).toBe(close('Saved'));
  });

  it('moves to the next toast when its own disappears, then to the previous one, then back', () => {
    field.focus();
    for (const title of ['one', 'two', 'three']) showToast({ title });
    altT();
    close('two').focus();
    close('two').click();
    expect(document.activeElement).toBe(close('three'));
    close('three').click();
    expect(document.activeElement).toBe(close('one'));
    close('one').click();
    expect(document.activeElement).toBe(field);
  });

  it('moves on from a toast that newer ones displace', () => {
    showToast({ title: 'one' });
    close('one').focus();
    for (const title of ['two', 'three', 'four']) showToast({ title });
    expect(document.activeElement).toBe(close('two'));
  });
});
