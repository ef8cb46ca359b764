// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import StaffFind from '../staff-find.tsx';
import StaffToday from '../staff-today.tsx';
import { ASHA, acted, dayProps, findProps, listed, pressed } from './fixtures.ts';
import addKeys from './keys.script.ts';

/** Names and values of the sent forms. */
let sent: (string | undefined)[] = [];

function start(given = dayProps()) {
  const { container } = render(<StaffToday {...given} />);
  // The document shows its outcome without React.
  addKeys(container);
  container.addEventListener('submit', (event) => {
    const { submitter } = event as SubmitEvent;
    if (!event.defaultPrevented) sent.push((submitter as HTMLButtonElement | null)?.value.split('\t')[0]);
    event.preventDefault();
  });
  return container;
}

const row = (name: string) => screen.getByRole('heading', { name }).closest('[data-row]') as HTMLElement;
const press = (key: string, more = {}) => fireEvent.keyDown(document.activeElement as Element, { key, ...more });

beforeEach(() => {
  sent = [];
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('keys', () => {
  it('are named once they work', () => {
    const container = start();
    expect(container.querySelector<HTMLElement>('[data-keys]')?.hidden).toBe(false);
  });

  it('move between rows, and from the list into it', () => {
    start();
    document.getElementById('list')?.focus();
    expect(press('ArrowDown')).toBe(false);
    expect(document.activeElement).toBe(row('Bhavana "B" <Gowda>'));
    press('ArrowDown');
    expect(document.activeElement).toBe(row('Asha Rao'));
    press('ArrowUp');
    press('ArrowUp');
    expect(document.activeElement).toBe(row('Bhavana "B" <Gowda>'));
  });

  it('choose a change of the focused row', () => {
    start();
    row('Asha Rao').focus();
    press('A');
    expect(sent).toEqual(['arrived']);
  });

  it('choose the two next steps of a patient who waits', () => {
    start();
    row('Bhavana "B" <Gowda>').focus();
    press('d');
    row('Asha Rao').focus();
    expect(press('d')).toBe(true);
    expect(sent).toEqual(['in_consultation']);
  });

  it('ask before a no-show and a cancellation, which a second press does not confirm', () => {
    start();
    row('Asha Rao').focus();
    const question = row('Asha Rao').querySelector('details') as HTMLDetailsElement;
    for (const [key, name] of [
      ['n', 'Mark as no-show: Asha Rao'],
      ['x', 'Cancel the appointment: Asha Rao'],
    ] as const) {
      row('Asha Rao').focus();
      press(key);
      press(key);
      expect([document.activeElement?.getAttribute('aria-label'), question.open]).toEqual([name, true]);
      press('Escape');
      expect([document.activeElement?.tagName, question.open]).toEqual(['SUMMARY', false]);
    }
    expect(sent).toEqual([]);
  });

  it('do nothing elsewhere, with another key, or where the change is not allowed', () => {
    start();
    (screen.getByLabelText(/Department/) as HTMLElement).focus();
    expect(press('a')).toBe(true);
    expect(press('ArrowDown')).toBe(true);
    row('Asha Rao').focus();
    expect(press('a', { ctrlKey: true })).toBe(true);
    expect(press('q')).toBe(true);
    expect(press('c')).toBe(true);
    row('Chetan').focus();
    expect(press('a')).toBe(true);
    expect(press('Escape')).toBe(true);
    expect(sent).toEqual([]);
  });
});

describe('a page', () => {
  it('begins at the outcome of a change', () => {
    const changed = { ...ASHA, status: 'APPOINTMENT_STATUS_ARRIVED' as const, etag: '2' };
    start(dayProps({ action: acted(pressed(ASHA, 'arrived'), 200, changed), data: { list: listed([changed]) } }));
    expect(document.activeElement).toBe(row('Asha Rao'));
  });

  it('begins at the search field', () => {
    const { container } = render(<StaffFind {...findProps()} />);
    addKeys(container);
    expect(document.activeElement).toBe(screen.getByRole('textbox'));
  });

  it('sends a form once, and again after a way back or a stop', () => {
    vi.useFakeTimers();
    start();
    const button = screen.getByRole('button', { name: 'Arrived: Asha Rao' });
    fireEvent.click(button);
    fireEvent.click(button);
    expect(sent).toEqual(['arrived']);
    fireEvent(window, new Event('pageshow'));
    fireEvent.click(button);
    expect(sent).toHaveLength(2);
    vi.advanceTimersByTime(8_000);
    fireEvent.click(button);
    expect(sent).toHaveLength(3);
  });
});
