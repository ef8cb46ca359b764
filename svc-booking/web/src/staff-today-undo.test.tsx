// @vitest-environment happy-dom
/** Undoing a change of the day's list. */
import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { ASHA, acted, choice, dayProps, listed, pressed, problem } from './desk/fixtures.ts';
import StaffToday, { head } from './staff-today.tsx';

afterEach(() => document.body.replaceChildren());

function serve(given = dayProps()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffToday {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const result = () => document.getElementById('result') as HTMLElement;
const WITH_ASHA = (change: object) => ({
  departments: dayProps().data.departments,
  list: listed([{ ...ASHA, ...change }]),
});

describe('a change', () => {
  it('can be undone by the button in its notice', async () => {
    const changed = { ...ASHA, status: 'APPOINTMENT_STATUS_ARRIVED', etag: '2' } as const;
    const answer = { ...changed, undoExpireTime: '2026-11-21T09:30:30Z' };
    const main = serve(dayProps({ action: acted(pressed(ASHA, 'arrived'), 200, answer), data: WITH_ASHA(changed) }));
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Undo: Asha Rao' });
    expect(result().contains(button)).toBe(true);
    expect([button.name, button.value, button.getAttribute('form')]).toEqual([
      'undo',
      choice(changed, 'booked'),
      'change',
    ]);
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    ['a cancellation', 'cancelled', { status: 'APPOINTMENT_STATUS_CANCELLED', etag: '2' }],
    ['a change by an older service', 'arrived', { status: 'APPOINTMENT_STATUS_ARRIVED', etag: '2' }],
  ] as const)('has no undo: %s', (_, to, after) => {
    const changed = { ...ASHA, ...after };
    serve(dayProps({ action: acted(pressed(ASHA, to), 200, changed), data: WITH_ASHA(changed) }));
    expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
  });

  const UNDONE = { ...ASHA, etag: '3' };
  const undo = posted({ undo: choice({ ...ASHA, status: 'APPOINTMENT_STATUS_ARRIVED', etag: '2' }, 'booked') });

  it.each([
    ['by this press', 200, UNDONE],
    ['by an earlier press', 412, problem(412, 'ETAG_MISMATCH')],
  ])('is undone: %s', (_, code, body) => {
    const given = dayProps({ action: acted(undo, code, body), data: WITH_ASHA({ etag: '3' }) });
    serve(given);
    expect(within(result()).getByRole('status').textContent).toContain(
      'Asha Rao is booked again. “Arrived” is undone.',
    );
    expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
    expect(head(given).title).toMatch(/^Saved: /);
  });

  it('leads back from the doctor to the waiting room', () => {
    const waits = { ...ASHA, status: 'APPOINTMENT_STATUS_ARRIVED', etag: '2' } as const;
    const inside = { ...waits, etag: '3', consultationTime: '2026-11-21T09:30:00Z' };
    const answer = { ...inside, undoExpireTime: '2026-11-21T09:30:30Z' };
    serve(dayProps({ action: acted(pressed(waits, 'in_consultation'), 200, answer), data: WITH_ASHA(inside) }));
    const { value } = screen.getByRole<HTMLButtonElement>('button', { name: 'Undo: Asha Rao' });
    expect(value).toBe(choice(inside, 'arrived'));
    document.body.replaceChildren();
    const undone = { ...waits, etag: '4' };
    serve(dayProps({ action: acted(posted({ undo: value }), 200, undone), data: WITH_ASHA(undone) }));
    expect(within(result()).getByRole('status').textContent).toContain(
      'Asha Rao is marked as arrived again. “With the doctor” is undone.',
    );
  });

  it('is kept if the undo comes too late, and says so', async () => {
    const late = { ...problem(400, 'UNDO_TOO_LATE'), detail: 'The change was made more than 30 seconds ago' };
    const data = WITH_ASHA({ status: 'APPOINTMENT_STATUS_ARRIVED', etag: '2' });
    const given = dayProps({ action: acted(undo, 400, late), data });
    const main = serve(given);
    const alert = within(result()).getByRole('alert');
    expect(alert.textContent).toContain('Asha Rao, 9:30 AM: “Arrived” was not undone');
    expect(alert.textContent).toContain('more than 30 seconds ago');
    expect(head(given).title).toMatch(/^Error: /);
    expect(await brokenRules(main)).toEqual([]);
  });
});
