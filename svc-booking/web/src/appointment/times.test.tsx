// @vitest-environment happy-dom
/** Days and free times, with script. */
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
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

describe('free times', () => {
  it('requests a span once and shows full times', async () => {
    api.taken = ['2026-11-23 9:00 AM'];
    const main = await open();
    await act(async () => type('department', 'Cardiology'));
    const full = await screen.findByRole('radio', { name: '9:00 AM' }).catch(() => null);
    expect(full).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: /^Mon 23 Nov 17 free/ }));
    expect(screen.getByRole('radio', { name: '9:00 AM Full' })).toHaveProperty('disabled', true);
    expect(screen.getByRole('status').textContent).toBe(
      '17 free times on Monday 23 November 2026, Indian Standard Time (IST)',
    );
    expect(api.reads).toEqual(['/free-times?from=2026-11-21&to=2026-12-04']);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('distinguishes a taken time from one without a session', async () => {
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => {
        const day = { date: '2026-11-23', closedReason: '', free: ['9:00 AM'], full: ['9:30 AM'] };
        const departments = [{ department: 'cardiology', days: [day] }];
        return answer({ status: 200, body: { departments, timeZone: 'Asia/Kolkata' } });
      }),
    );
    await open();
    await act(async () => type('department', 'Cardiology'));
    expect(await screen.findByRole('radio', { name: '9:00 AM' })).toHaveProperty('disabled', false);
    expect(screen.getByRole('radio', { name: '9:30 AM Full' })).toHaveProperty('disabled', true);
    expect(screen.getAllByRole('radio', { name: /M Not open$/ })).toHaveLength(16);
  });

  it('explains why a day is closed', async () => {
    const main = await open();
    await act(async () => type('department', 'Cardiology'));
    fireEvent.click(await screen.findByRole('radio', { name: /^Sun 22 Nov Closed/ }));
    expect(screen.getByRole('status').textContent).toBe(
      'Sunday 22 November 2026: Closed on Sundays. Choose a day from Monday to Saturday.',
    );
    expect(document.querySelectorAll('input[name=time]')).toHaveLength(0);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('requests a doctor by id, only if a suggestion was picked', async () => {
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await act(async () => type('doctor', 'Dr. Nand'));
    expect(api.reads).toHaveLength(1);
    await act(async () => type('doctor', 'dr. nandini iyengar'));
    await waitFor(() =>
      expect(api.reads.at(-1)).toBe('/availability?department=cardiology&doctor=doc-06&from=2026-11-21&to=2026-12-04'),
    );
    expect(document.querySelectorAll('#doctor-names option')).toHaveLength(2);
    await screen.findByRole('radio', { name: '9:30 AM' });
    await book();
    expect(api.posts[0]?.body).toMatchObject({
      doctorId: 'doc-06',
      notes: 'Cardiology | Preferred: dr. nandini iyengar',
    });
  });

  it('follows another doctor to the first free day, unless the visitor chose the day', async () => {
    await open();
    await act(async () => type('department', 'Cardiology'));
    await waitFor(() => expect(field('date').value).not.toBe(''));
    const first = field('date').value;
    const next = '2026-11-24';
    vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
      const whole = await respond(input, init);
      if (!input.includes('/availability')) return whole;
      const body = (await whole.json()) as { days: { date: string; slots: { available: boolean }[] }[] };
      for (const { date, slots } of body.days) if (date < next) for (const slot of slots) slot.available = false;
      return answer({ status: 200, body });
    });
    const iyengar = () => fireEvent.click(screen.getByRole('radio', { name: /Iyengar/ }));
    iyengar();
    await waitFor(() => expect(field('date').value).toBe(next));
    fireEvent.click(screen.getByRole('radio', { name: /^First free/ }));
    await waitFor(() => expect(field('date').value).toBe(first));
    await act(async () => type('date', '2026-11-23'));
    iyengar();
    await waitFor(() => expect(screen.getByRole('status').textContent).not.toContain('Looking'));
    expect(field('date').value).toBe('2026-11-23');
  });

  it('moves to later days and back', async () => {
    await open();
    await act(async () => type('department', 'Cardiology'));
    fireEvent.click(await screen.findByRole('button', { name: 'Later days' }));
    await screen.findByRole('radio', { name: /^Sat 5 Dec/ });
    await waitFor(() => expect(field('date').value).toBe('2026-12-05'));
    fireEvent.click(screen.getByRole('button', { name: 'Earlier days' }));
    await screen.findByRole('radio', { name: /^Mon 23 Nov/ });
    expect(api.reads).toHaveLength(2);
  });

  it('requests the times of a typed day once it is complete', async () => {
    await open();
    await act(async () => type('department', 'Cardiology'));
    await screen.findByRole('radio', { name: /^Mon 23 Nov/ });
    field('date').focus();
    // 23 November is chosen; month, day and year are typed over it.
    for (const day of [
      '2027-01-23',
      '2026-12-23',
      '2026-12-02',
      '2026-12-20',
      '0002-12-20',
      '0202-12-20',
      '2026-12-20',
    ]) {
      await act(async () => type('date', day));
    }
    expect(screen.getByRole('status').textContent).toBe('Looking for free times…');
    await screen.findByRole('radio', { name: /^Sun 20 Dec/ });
    expect(api.reads).toEqual([
      '/free-times?from=2026-11-21&to=2026-12-04',
      '/free-times?from=2026-12-19&to=2027-01-01',
    ]);
    expect(field('date').value).toBe('2026-12-20');
  });

  it('offers the remaining times if the time was taken, under a new key', async () => {
    api.answers = [
      { status: 409, body: { status: 409, title: 'Taken', reason: 'SLOT_TAKEN' } },
      { status: 201, body: BOOKED },
    ];
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    api.taken = ['2026-11-23 9:30 AM'];
    await book();
    expect(screen.getByRole('alert').textContent).toContain('just taken');
    expect(await screen.findByRole('radio', { name: '9:30 AM Full' })).toHaveProperty('disabled', true);
    expect([field('firstName').value, field('date').value, chosenTime()]).toEqual(['Asha', '2026-11-23', '']);
    fireEvent.click(screen.getByRole('radio', { name: '10:00 AM' }));
    await book();
    expect(await screen.findByText('SH-7K3M-9QXD')).toBeTruthy();
    expect(api.posts[1]?.key).not.toBe(api.posts[0]?.key);
  });

  it('reports a time that was taken since', async () => {
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await leave();

    api.taken = ['2026-11-23 9:30 AM'];
    await open();
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toMatch(/^9:30 AM is no longer free. 17 free times/),
    );
    expect([field('date').value, chosenTime()]).toEqual(['2026-11-23', '']);
  });

  it('offers the plain list of times while free ones load, and keeps its choice', async () => {
    let release = () => {};
    const waiting = new Promise<void>((done) => (release = done));
    vi.stubGlobal(
      'fetch',
      vi.fn((input: string, init?: RequestInit) => waiting.then(() => respond(input, init))),
    );
    await open();
    await act(async () => type('department', 'Cardiology'));
    await act(async () => type('date', '2026-11-24'));
    expect(screen.getByRole('status').textContent).toBe('Looking for free times…');
    const select = screen.getByRole('combobox', { name: /^Time/ });
    await act(async () => select.focus());
    await act(async () => fireEvent.change(select, { target: { value: '10:00 AM' } }));
    await act(async () => release());
    // A list with focus is not replaced.
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/^18 free times on Tuesday/));
    expect(document.activeElement).toBe(select);
    await act(async () => select.blur());
    expect(screen.getByRole('radio', { name: '10:00 AM', checked: true })).toBeTruthy();
  });

  it('has days and times as named radio groups with their errors', async () => {
    const main = await open();
    fillPatient();
    await act(async () => type('department', 'Cardiology'));
    const times = await screen.findByRole('radiogroup', { name: 'Time' });
    expect(screen.getByRole('radiogroup', { name: 'Day' })).toBeTruthy();
    await book();
    expect(times.id).toBe('time');
    expect(times.getAttribute('aria-invalid')).toBe('true');
    const description = (times.getAttribute('aria-describedby') ?? '').split(' ');
    const said = description.map((id) => document.getElementById(id)?.textContent).join(' ');
    expect(said).toMatch(/Indian Standard Time \(IST\).*Choose a free time/);
    fireEvent.click(screen.getByRole('link', { name: 'Choose a free time' }));
    expect(document.activeElement).toBe(times);
    expect(await brokenRules(main)).toEqual([]);
  });

  describe('the cache of free times', () => {
    const visible = (state: string) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    const turnTo = (department: string) => act(async () => type('department', department));
    beforeEach(
      () => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true }),
    );
    afterEach(() => {
      vi.useRealTimers();
      delete (document as { visibilityState?: unknown }).visibilityState;
    });

    it('keeps each department for a minute, and then reloads', async () => {
      await open();
      await turnTo('Cardiology');
      await screen.findByRole('radiogroup', { name: 'Time' });
      await turnTo('General Medicine');
      await turnTo('Cardiology');
      expect(api.reads).toHaveLength(1);
      api.taken = ['2026-11-23 9:00 AM'];
      await act(() => vi.advanceTimersByTimeAsync(60_000));
      expect(api.reads).toHaveLength(1);
      await turnTo('General Medicine');
      expect(await screen.findByRole('radio', { name: /^Mon 23 Nov 17 free/ })).toBeTruthy();
      expect(api.reads).toHaveLength(2);
      await act(() => vi.advanceTimersByTimeAsync(300_000));
      await waitFor(() => expect(api.reads).toHaveLength(3));
    });

    it('W12: reloads after a missing response', async () => {
      await open();
      await turnTo('Cardiology');
      await screen.findByRole('radiogroup', { name: 'Time' });
      let failed = 0;
      vi.stubGlobal('fetch', vi.fn(async () => ((failed += 1), answer({ status: 500, body: {} })))); // prettier-ignore
      await act(() => vi.advanceTimersByTimeAsync(300_000));
      await waitFor(() => expect(failed).toBe(1));
      vi.stubGlobal('fetch', vi.fn(respond));
      api.taken = ['2026-11-23 9:00 AM'];
      await act(() => vi.advanceTimersByTimeAsync(300_000));
      expect(await screen.findByRole('radio', { name: /^Mon 23 Nov 17 free/ })).toBeTruthy();
    });

    it('reloads when the tab becomes visible, and shows the old times until then', async () => {
      await open();
      await turnTo('Cardiology');
      await screen.findByRole('radio', { name: /^Mon 23 Nov 18 free/ });
      visible('hidden');
      visible('visible');
      expect(api.reads).toHaveLength(1);
      visible('hidden');
      await act(() => vi.advanceTimersByTimeAsync(400_000));
      expect(api.reads).toHaveLength(1);
      api.taken = ['2026-11-23 9:00 AM'];
      visible('visible');
      expect(screen.getByRole('radio', { name: /^Mon 23 Nov 18 free/ })).toBeTruthy();
      expect(await screen.findByRole('radio', { name: /^Mon 23 Nov 17 free/ })).toBeTruthy();
      expect(api.reads).toHaveLength(2);
    });
  });

  it('offers the plain list of times if free ones cannot be loaded', async () => {
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => answer({ status: 500, body: { title: 'Internal', status: 500 } })),
    );
    await open();
    await act(async () => type('department', 'Cardiology'));
    expect((await screen.findByRole('alert')).textContent).toContain('We couldn’t load the free times');
    expect(field('time').tagName).toBe('SELECT');
    vi.stubGlobal('fetch', vi.fn(respond));
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('radio', { name: /^Mon 23 Nov/ })).toBeTruthy();
  });

  it('W14: offers any time while free ones load', async () => {
    vi.stubGlobal(
      'fetch',
      vi.fn(() => new Promise<Response>(() => undefined)),
    );
    const main = await open();
    await act(async () => type('department', 'Cardiology'));
    expect(screen.getByRole('status').textContent).toBe('Looking for free times…');
    const select = screen.getByRole('combobox', { name: /^Time/ });
    const hint = document.getElementById(select.getAttribute('aria-describedby') ?? '');
    expect(hint?.textContent).toContain('You can choose any time now');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('requests no times for an emergency', async () => {
    await open();
    await act(async () => type('department', 'Emergency'));
    expect(api.reads).toEqual([]);
    expect(document.querySelector('input[data-call]')?.getAttribute('value')).toBe('Emergency');
    expect(screen.getByText(/Don’t book for an emergency/)).toBeTruthy();
  });
});
