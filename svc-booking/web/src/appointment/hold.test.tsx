// @vitest-environment happy-dom
/**
 * The chosen time is held while the form is filled in. A visitor who loses it is notified at once and loses no other
 * input.
 */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { TIMES } from './calendar.ts';
import { FORM, pageProps } from './fixtures.ts';
import {
  BOOKED,
  aPageForEachCase,
  answer,
  api,
  book,
  chooseTime,
  chosenTime,
  field,
  fillPatient,
  leave,
  open,
  respond,
  type,
} from './opened.tsx';

aPageForEachCase();
beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true }),
);
afterEach(() => {
  vi.useRealTimers();
  delete (document as { visibilityState?: unknown }).visibilityState;
});

const TAKEN = {
  status: 409,
  body: {
    status: 409, title: 'Conflict', reason: 'SLOT_TAKEN',
    metadata: { alternatives: '2026-11-23 10:00 AM, 2026-12-08 9:30 AM' },
  },
}; // prettier-ignore
const HELD = { department: 'cardiology', doctorId: '', date: '2026-11-23' };

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const pick = (name: string) => fireEvent.click(screen.getByRole('radio', { name }));
const visible = (state: string) => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
  document.dispatchEvent(new Event('visibilitychange'));
};

describe('a hold', () => {
  it('is made once for the last choice, and the next one names the hold it replaces', async () => {
    await open();
    await chooseTime('9:30 AM');
    pick('10:00 AM');
    pick('10:30 AM');
    expect(api.holds).toEqual([]);
    await pass(400);
    expect(api.holds).toEqual([{ ...HELD, time: '10:30 AM' }]);
    pick('11:00 AM');
    await pass(400);
    expect(api.holds.at(-1)).toEqual({ ...HELD, time: '11:00 AM', replaces: 'H-1' });
    expect(await screen.findByText(/We’re holding this time/)).toBeTruthy();
  });

  it('is sent with the booking, is not in the draft, and is not released once consumed', async () => {
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await pass(400);
    await screen.findByText(/We’re holding this time/);
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('H-1');
    await book();
    await screen.findByText('SH-7K3M-9QXD');
    expect(api.posts[0]?.body).toMatchObject({ holdId: 'H-1', time: '9:30 AM' });
    expect(api.givenBack).toEqual([]);
  });

  it('in flight is awaited by the booking, which would find its time taken by it', async () => {
    await open();
    fillPatient();
    let grant = () => {};
    const granted = new Promise<void>((resolve) => (grant = resolve));
    vi.mocked(fetch).mockImplementation(async (input, init) => {
      if (String(input).endsWith('/api/holds')) await granted;
      return respond(String(input), init);
    });
    await chooseTime('9:30 AM');
    await pass(400);
    await book();
    await pass(1000);
    fireEvent.click(screen.getByRole('button', { name: 'Processing...' }));
    expect(api.posts).toEqual([]);
    grant();
    await screen.findByText('SH-7K3M-9QXD');
    expect(api.posts.map(({ body }) => body)).toMatchObject([{ holdId: 'H-1', time: '9:30 AM' }]);
  });

  it('in flight is awaited until its request times out', async () => {
    await open();
    fillPatient();
    vi.mocked(fetch).mockImplementation((input, init) => {
      if (!String(input).endsWith('/api/holds')) return respond(String(input), init);
      return new Promise((_, fail) => init?.signal?.addEventListener('abort', () => fail(new TypeError('abort'))));
    });
    await chooseTime('9:30 AM');
    await pass(400);
    await book();
    await pass(7900);
    expect(api.posts).toEqual([]);
    await pass(200);
    await screen.findByText('SH-7K3M-9QXD');
  });

  it('is not requested while the booking is being sent', async () => {
    await open();
    fillPatient();
    let answered = () => {};
    const sent = new Promise<void>((resolve) => (answered = resolve));
    vi.mocked(fetch).mockImplementation(async (input, init) => {
      if (String(input).endsWith('/api/appointments')) await sent;
      return respond(String(input), init);
    });
    await chooseTime('9:30 AM');
    await book();
    await pass(1000);
    expect(api.holds).toEqual([]);
    answered();
    await screen.findByText('SH-7K3M-9QXD');
    expect(api.holds).toEqual([]);
  });

  it('of another time is not sent with the booking', async () => {
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await pass(400);
    await screen.findByText(/We’re holding this time/);
    pick('10:00 AM');
    await book();
    await screen.findByText('SH-7K3M-9QXD');
    expect(api.posts[0]?.body).not.toHaveProperty('holdId');
  });

  it('stays within ten calls a minute', async () => {
    await open();
    fillPatient();
    await chooseTime('9:00 AM');
    for (const time of ['9:30 AM', '10:00 AM', '10:30 AM', '11:00 AM', '11:30 AM', '12:00 PM', '9:00 AM']) {
      pick(time);
      await pass(500);
    }
    for (const department of ['General Medicine', 'Emergency', 'Cardiology']) {
      await act(async () => type('department', department));
    }
    await book();
    await screen.findByText('SH-7K3M-9QXD');
    expect(api.holds.length + api.reads.length + api.posts.length).toBeLessThanOrEqual(8);
    expect(api.holds).toHaveLength(5);
  });

  it('keeps its time free for the visitor when free times are reloaded', async () => {
    await open();
    await chooseTime('9:30 AM');
    await pass(400);
    api.taken = ['2026-11-23 9:30 AM'];
    await pass(60_000);
    visible('visible');
    await waitFor(() => expect(api.reads).toHaveLength(2));
    expect(screen.getByRole('radio', { name: '9:30 AM', checked: true })).toBeTruthy();
  });

  it('of the last time does not make the day full for the visitor', async () => {
    api.taken = TIMES.slice(1).map((time) => `2026-11-23 ${time}`);
    await open();
    await chooseTime('9:00 AM');
    await pass(400);
    api.taken = TIMES.map((time) => `2026-11-23 ${time}`);
    await pass(60_000);
    visible('visible');
    await waitFor(() => expect(api.reads).toHaveLength(2));
    expect(screen.getByRole('radio', { name: '9:00 AM', checked: true })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Book Appointment' })).toBeTruthy();
  });

  it('is renewed once, and not in a hidden tab', async () => {
    await open();
    await chooseTime('9:30 AM');
    await pass(400);
    await pass(260_000);
    visible('hidden');
    await pass(15_000);
    expect(api.holds).toHaveLength(1);
    visible('visible');
    await waitFor(() => expect(api.holds).toHaveLength(2));
    expect(api.holds[1]).toEqual({ ...HELD, time: '9:30 AM', replaces: 'H-1' });
    await pass(300_000);
    expect(api.holds).toHaveLength(2);
    expect(screen.queryByText(/We’re holding this time/)).toBeNull();
    expect(chosenTime()).toBe('9:30 AM');
  });

  it('of another time is renewed once too', async () => {
    await open();
    await chooseTime('9:30 AM');
    await pass(400);
    await pass(285_000);
    await waitFor(() => expect(api.holds).toHaveLength(2));
    pick('10:00 AM');
    await pass(400);
    await waitFor(() => expect(api.holds).toHaveLength(3));
    await pass(285_000);
    await waitFor(() => expect(api.holds).toHaveLength(4));
    expect(api.holds[3]).toMatchObject({ ...HELD, time: '10:00 AM' });
  });

  it('is released when the page is left, and made again when the page is restored', async () => {
    await open();
    await chooseTime('9:30 AM');
    await pass(400);
    await act(async () => dispatchEvent(new Event('pagehide')));
    expect(api.givenBack).toEqual(['H-1']);
    await act(async () => dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
    await pass(400);
    expect(api.holds).toHaveLength(2);
    await leave();
    expect(api.givenBack).toEqual(['H-1', 'H-2']);
  });

  it('that fails for another reason than a taken time is not reported', async () => {
    api.holdAnswers = [{ status: 429, body: { status: 429, title: 'x', reason: 'HOLDS_MAX' } }];
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await pass(400);
    expect(screen.queryByRole('alert')).toBeNull();
    await book();
    expect(await screen.findByText('SH-7K3M-9QXD')).toBeTruthy();
  });

  it('that failed is requested once more when it would be renewed', async () => {
    api.holdAnswers = [{ status: 429, body: { status: 429, title: 'x', reason: 'HOLDS_MAX' } }];
    await open();
    await chooseTime('9:30 AM');
    await pass(400);
    await pass(269_000);
    expect(api.holds).toHaveLength(1);
    await pass(2_000);
    expect(api.holds).toEqual([
      { ...HELD, time: '9:30 AM' },
      { ...HELD, time: '9:30 AM' },
    ]);
    await leave();
    expect(api.givenBack).toEqual(['H-2']);
  });

  it('of another time that failed leaves the first one until its end', async () => {
    await open();
    await chooseTime('9:30 AM');
    await pass(400);
    api.holdAnswers = [429, 429].map((status) => ({ status, body: { status, title: 'x', reason: 'HOLDS_MAX' } }));
    pick('10:00 AM');
    await pass(400);
    await pass(271_000);
    expect(api.holds.slice(1)).toEqual(Array(2).fill({ ...HELD, time: '10:00 AM', replaces: 'H-1' }));
    await pass(300_000);
    expect(api.holds).toHaveLength(3);
    await leave();
    expect(api.givenBack).toEqual([]);
  });

  it.each([
    ['an address', { query: { doctor: 'doc-06', date: '2026-11-24', time: '2:30 PM' } }],
    [
      'the form of the home page',
      {
        action: {
          form: posted({
            ...FORM,
            doctor: 'Dr. Nandini Iyengar',
            date: '2026-11-24',
            time: '2:30 PM',
            intent: 'prefill',
          }),
          result: { status: 204, body: null },
        },
      },
    ],
  ])('U1: is not made for values from %s, only for a choice on this page', async (_, change) => {
    await open(pageProps(change));
    await screen.findByRole('radio', { name: '2:30 PM', checked: true });
    await pass(1000);
    expect(api.holds).toEqual([]);
    pick('3:00 PM');
    await pass(400);
    expect(api.holds).toEqual([{ ...HELD, doctorId: 'doc-06', date: '2026-11-24', time: '3:00 PM' }]);
  });

  it('U1: is not made for values from an older draft of the tab', async () => {
    await open();
    await chooseTime('9:30 AM');
    await leave();
    await open();
    await screen.findByRole('radio', { name: '9:30 AM', checked: true });
    await pass(1000);
    expect(api.holds).toEqual([]);
  });

  it('W7: shows when it expires, and that it has expired', async () => {
    vi.setSystemTime('2026-11-21T09:30:00Z');
    await open();
    await chooseTime('9:30 AM');
    await pass(400);
    expect(await screen.findByText(/^We’re holding this time until 3:05 PM IST/)).toBeTruthy();
    await pass(271_000);
    expect(await screen.findByText(/^We’re holding this time until 3:09 PM IST/)).toBeTruthy();
    await pass(300_000);
    const over = await screen.findByText(/^We held this time until 3:09 PM IST\. It may still be free/);
    expect(over.getAttribute('aria-live')).toBe('polite');
    expect(chosenTime()).toBe('9:30 AM');
    pick('10:00 AM');
    await pass(400);
    expect(await screen.findByText(/^We’re holding this time/)).toBeTruthy();
    expect(screen.queryByText(/^We held this time/)).toBeNull();
  });

  it('W6: leaves a call for the booking', async () => {
    vi.stubGlobal('fetch', vi.fn((path: string, init?: RequestInit) => path.startsWith('/api/free-times') ? Promise.reject(new TypeError('down')) : respond(path, init))); // prettier-ignore
    await open();
    fillPatient();
    await act(async () => type('department', 'Cardiology'));
    await pass(8_000);
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await pass(8_000);
    await act(async () => type('date', '2026-11-23'));
    await act(async () => type('time', '9:30 AM'));
    await pass(400);
    await book();
    expect(await screen.findByText('SH-7K3M-9QXD')).toBeTruthy();
  });
});

describe('W2: a time chosen while another one is being sent', () => {
  let release = (_: Response) => {};
  const sendAndChoose = async () => {
    vi.stubGlobal('fetch', vi.fn((path: string, init?: RequestInit) => path === '/api/appointments' ? new Promise<Response>((done) => (release = done)) : respond(path, init))); // prettier-ignore
    await open();
    fillPatient();
    await chooseTime('9:00 AM');
    await pass(400);
    await book();
    pick('9:30 AM');
    await pass(400);
    expect(api.holds.at(-1)).toMatchObject({ time: '9:30 AM' });
  };

  it('is not reported as taken with the other one, and keeps its hold', async () => {
    await sendAndChoose();
    api.taken = ['2026-11-23 9:00 AM'];
    await act(async () => release(answer(TAKEN)));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('9:00 AM on Monday 23 November 2026 was just taken');
    expect(alert.textContent).toContain('You’ve since chosen 9:30 AM');
    expect(await screen.findByRole('radio', { name: '9:00 AM Full' })).toHaveProperty('disabled', true);
    expect(screen.getByRole('radio', { name: '9:30 AM' })).toHaveProperty('disabled', false);
    expect(chosenTime()).toBe('9:30 AM');
    await leave();
    expect(api.givenBack).toEqual(['H-2']);
  });

  it('is released when the other one is booked', async () => {
    await sendAndChoose();
    await act(async () => release(answer({ status: 201, body: BOOKED })));
    await screen.findByText('SH-7K3M-9QXD');
    expect(api.givenBack).toEqual(['H-2']);
  });
});

describe('a time taken by someone else', () => {
  it('is reported beside the times with alternatives, and everything else stays', async () => {
    api.holdAnswers = [TAKEN];
    const main = await open();
    fillPatient();
    await chooseTime('9:30 AM');
    field('email').focus();
    await pass(400);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('9:30 AM on Monday 23 November 2026 was just taken');
    await waitFor(() => expect(document.activeElement).toBe(field('email')));
    expect([field('firstName').value, chosenTime()]).toEqual(['Asha', '']);
    expect(screen.getByRole('radio', { name: '9:30 AM Full' })).toHaveProperty('disabled', true);
    expect(screen.getByRole('link', { name: 'Choose another time' }).getAttribute('href')).toBe('#time');
    expect(await brokenRules(main)).toEqual([]);

    fireEvent.click(within(alert).getByRole('button', { name: 'Mon 23 Nov, 10:00 AM' }));
    expect(chosenTime()).toBe('10:00 AM');
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: '10:00 AM' }));
    expect(screen.queryByRole('alert')).toBeNull();
    await pass(400);
    expect(api.holds).toHaveLength(2);
  });

  it('may have an alternative in another span of days, without losing the focus', async () => {
    api.holdAnswers = [TAKEN];
    await open();
    await chooseTime('9:30 AM');
    await pass(400);
    fireEvent.click(await screen.findByRole('button', { name: 'Tue 8 Dec, 9:30 AM' }));
    const time = await screen.findByRole('radio', { name: '9:30 AM', checked: true });
    expect(field('date').value).toBe('2026-12-08');
    await waitFor(() => expect(document.activeElement).toBe(time));
  });

  it('is reported when the hold cannot be renewed', async () => {
    api.holdAnswers = [];
    await open();
    await chooseTime('9:30 AM');
    await pass(400);
    api.holdAnswers = [TAKEN];
    api.taken = ['2026-11-23 9:30 AM'];
    await pass(270_000);
    expect((await screen.findByRole('alert')).textContent).toContain('just taken');
    await leave();
    expect(api.givenBack).toEqual([]);
  });

  it('is reported when the booking fails', async () => {
    api.answers = [
      TAKEN,
      { status: 201, body: { reference: 'SH-1', date: '2026-11-23', time: '10:00 AM', department: 'cardiology' } },
    ];
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await pass(400);
    await book();
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain('Failed to book appointment. Please try again.');
    expect(document.activeElement).toBe(alert);
    expect(screen.getByRole('radio', { name: '9:30 AM Full' })).toHaveProperty('disabled', true);
    fireEvent.click(within(alert).getByRole('button', { name: 'Mon 23 Nov, 10:00 AM' }));
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: '10:00 AM' }));
    await book();
    expect(await screen.findByText('SH-1')).toBeTruthy();
    expect(api.posts[1]?.key).not.toBe(api.posts[0]?.key);
  });
});
