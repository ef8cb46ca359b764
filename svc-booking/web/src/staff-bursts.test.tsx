// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { Burst } from '@hospital/api/types';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { type BurstProps, spanText } from './desk/bursts.ts';
import { DESK, NOW, READER, acted, down, problem } from './desk/fixtures.ts';
import StaffBursts, { action, head, status } from './staff-bursts.tsx';

afterEach(() => document.body.replaceChildren());

const BURST: Burst = {
  network: '0123456789abcdef', bookings: 14, open: 12,
  firstTime: '2026-11-21T04:00:00.123456Z', lastTime: '2026-11-21T04:12:00Z',
}; // prettier-ignore
const SPAN = { burst: '0123456789abcdef\t2026-11-21T04:00:00.123456Z\t2026-11-21T04:12:01.000Z' };
const REFERENCES = ['SH-7K3M-9QXD', 'SH-2222-3333'];
const listed = (bursts: Burst[]) => ({ ok: true as const, status: 200, body: { bursts } });

function props(change: Partial<BurstProps> = {}): BurstProps {
  return {
    params: {}, query: {}, data: { list: listed([BURST]) }, action: null, now: NOW, path: '/staff/bursts',
    part: 'booking:/staff/bursts', staff: DESK, ...change,
  };
} // prettier-ignore

function serve(given = props()): HTMLElement {
  document.body.replaceChildren();
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffBursts {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const run = (form: ReturnType<typeof posted>) => inEngine(() => action(form));
const sent = (form: Record<string, string | string[]>, code: number, body: unknown = null) =>
  props({ action: acted(posted(form as Record<string, string>), code, body) });

describe('the list', () => {
  it('shows each network with its period, and a look before anything is cancelled', async () => {
    const main = serve();
    const row = main.querySelector('[data-row]') as HTMLElement;
    expect(row.textContent).toContain('14 bookings, 12 still open');
    expect(row.textContent).toContain('21 November 2026, 9:30 AM to 9:42 AM');
    const buttons = within(row).getAllByRole('button');
    expect(buttons.map((one) => [one.textContent, one.getAttribute('value')])).toEqual([['Look closer', SPAN.burst]]);
    expect([status(props()), head(props()).title]).toEqual([200, 'Booking bursts']);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('says what an empty list means', async () => {
    const main = serve(props({ data: { list: listed([]) } }));
    expect(main.textContent).toContain('No network has made that many bookings in this period.');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('offers no look without the scope, or without open bookings', () => {
    serve(props({ staff: READER }));
    expect(screen.queryByRole('button', { name: /Look/ })).toBeNull();
    serve(props({ data: { list: listed([{ ...BURST, open: 0 }]) } }));
    expect(screen.queryByRole('button', { name: /Look/ })).toBeNull();
  });

  it.each([
    [503, 503, 'The bursts can’t be shown right now'],
    [400, 400, 'Give a period of at most 30 days, and 2 to 1,000 bookings.'],
    [403, 403, 'Your role doesn’t include bursts'],
  ])('explains %s', async (code, expected, text) => {
    const given = props({ data: { list: { ...down, status: code } as unknown as typeof down } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([expected, 'Error: Booking bursts']);
    expect(screen.getByRole('alert').textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('keeps within the engine’s time, and survives sample data', () => {
    const many = Array.from({ length: 100 }, (_, number) => ({ ...BURST, network: String(number).padStart(16, '0') }));
    expect(serve(props({ data: { list: listed(many) } })).querySelectorAll('[data-row]')).toHaveLength(40);
    const sample = { network: 'example-network', bookings: 1, open: 1, firstTime: 'example', lastTime: 'example' };
    expect(() => serve(props({ data: { list: listed([sample]) } }))).not.toThrow();
  });
});

describe('a look', () => {
  it('is a dry run of the period of the row', () => {
    expect(spanText(BURST)).toBe(SPAN.burst);
    expect(run(posted(SPAN))).toMatchObject({
      method: 'POST',
      path: '/booking-bursts:cancel',
      body: {
        network: BURST.network,
        fromTime: BURST.firstTime,
        untilTime: '2026-11-21T04:12:01.000Z',
        dryRun: true,
        notify: false,
        keep: [],
      },
    });
  });

  it('names how many and which, changes nothing, and asks before the cancellation', async () => {
    const given = sent(SPAN, 200, { references: REFERENCES, more: true });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Booking bursts']);
    const result = document.getElementById('result') as HTMLElement;
    expect(result.textContent).toContain('2 appointments would be cancelled');
    expect(result.textContent).toContain('Nothing is changed yet.');
    expect(result.textContent).toContain('There are more');
    expect(screen.getAllByRole('checkbox').map((one) => one.getAttribute('value'))).toEqual([
      ...REFERENCES,
      'E-mail each address once that it’s cancelled',
    ]);
    const question = main.querySelector('details') as HTMLDetailsElement;
    expect(question.open).toBe(false);
    expect(question.textContent).toContain('Cancel 2 appointments except those kept');
    expect(main.querySelectorAll('[data-row]')).toHaveLength(0);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('of the largest cancellation names every appointment', () => {
    const references = Array.from({ length: 500 }, (_, number) => `SH-0000-${String(number).padStart(4, '0')}`);
    const main = serve(sent(SPAN, 200, { references, more: false }));
    expect(screen.getAllByRole('checkbox')).toHaveLength(101);
    for (const reference of references) expect(main.textContent).toContain(reference);
  });

  it('without open bookings offers no cancellation', () => {
    const main = serve(sent(SPAN, 200, { references: [], more: false }));
    expect(main.textContent).toContain('No open appointment is left');
    expect(main.querySelector('details')).toBeNull();
  });
});

describe('the cancellation', () => {
  const CANCEL = { ...SPAN, cancel: 'yes', notify: 'yes', keep: [REFERENCES[1] ?? '', 'SH-1\r\n'] };

  it('keeps the ticked appointments', () => {
    expect(run(posted(CANCEL as unknown as Record<string, string>))).toMatchObject({
      body: { dryRun: false, notify: true, keep: [REFERENCES[1]] },
    });
    expect(run(posted({ ...SPAN, cancel: 'yes' }))).toMatchObject({ body: { dryRun: false, notify: false } });
  });

  it.each([
    ['no network', '\t2026-11-21T04:00:00Z\t2026-11-21T04:12:01.000Z'],
    ['no time', '0123456789abcdef\tyesterday\ttoday'],
    ['an unended period', '0123456789abcdef\t2026-11-21T04:00:00Z\t'],
    ['too many members', `${SPAN.burst}\tx`],
  ])('calls nothing with %s', (_, burst) => {
    expect(run(posted({ burst, cancel: 'yes' }))).toBeNull();
    const given = sent({ burst, cancel: 'yes' }, 204);
    expect(serve(given).textContent).toContain('Nothing was changed');
    expect(status(given)).toBe(400);
  });

  it('that is done names the appointments and who is notified', async () => {
    const given = sent(CANCEL, 200, { references: REFERENCES, more: true });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Saved: Booking bursts']);
    const result = document.getElementById('result') as HTMLElement;
    for (const text of ['2 appointments cancelled', ...REFERENCES, 'Kept: ', 'gets one mail', 'There are more'])
      expect(result.textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
    serve(sent({ ...SPAN, cancel: 'yes' }, 200, { references: [], more: false }));
    expect(document.body.textContent).toContain('No appointment was left to cancel');
  });

  it.each([
    [504, null, 'may have been cancelled in part'],
    [403, problem(403, 'SCOPE_MISSING'), 'Your role doesn’t include changes of appointments'],
    [429, null, 'Wait a minute'],
  ])('that fails leads to another look: %s', async (code, body, text) => {
    const given = sent(CANCEL, code, body);
    const main = serve(given);
    expect(status(given)).toBe(code);
    expect(screen.getByRole('alert').textContent).toContain(text);
    const again = within(screen.getByRole('alert')).getByRole('button', { name: 'Look again' });
    expect(again.closest('form')?.querySelector<HTMLInputElement>('[name=burst]')?.value).toBe(SPAN.burst);
    expect(await brokenRules(main)).toEqual([]);
  });
});
