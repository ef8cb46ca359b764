// @vitest-environment happy-dom
/** A day without free times: the waitlist. */
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { nativeAction } from '@hospital/form/native';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { TIMES } from './calendar.ts';
import { FORM, days } from './fixtures.ts';
import { bookingForm } from './form.ts';
import { SECRET, aPageForEachCase, acted, api, field, fillPatient, open, problem, serve, type } from './opened.tsx';

aPageForEachCase();

const ENTRY = { reference: 'WL-7K3M-9QXD', date: '2026-11-23', department: 'cardiology', secret: SECRET };
const FULL = TIMES.map((time) => `2026-11-23 ${time}`);

describe('a day without free times', () => {
  const chooseFullDay = async () => {
    api.taken = FULL;
    await act(async () => type('department', 'Cardiology'));
    fireEvent.click(await screen.findByRole('radio', { name: /^Mon 23 Nov Full/ }));
  };
  const join = () =>
    act(async () => fireEvent.click(screen.getByRole('button', { name: 'Tell me if a time becomes free' })));

  it('offers the waitlist with typed values, and confirms the entry', async () => {
    api.answers = [{ status: 201, body: ENTRY }];
    const main = await open();
    fillPatient();
    await chooseFullDay();
    expect(screen.getByRole('status').textContent).toContain('All times on Monday 23 November 2026 are taken');
    expect(screen.queryByRole('button', { name: 'Book Appointment' })).toBeNull();
    expect(await brokenRules(main)).toEqual([]);
    await join();
    const heading = await screen.findByRole('heading', { name: 'You’re on the waiting list' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(document.title).toMatch(/^You’re on the waiting list/);
    expect(api.posts).toHaveLength(1);
    expect(api.posts[0]).toMatchObject({
      path: '/waitlist-entries',
      body: {
        patientName: 'Asha Rao', email: 'asha@example.com', phone: '98450 12345',
        department: 'Cardiology', doctorId: '', date: '2026-11-23',
      },
    }); // prettier-ignore
    expect(api.posts[0]?.key).not.toBe('');
    expect(main.textContent).toContain('WL-7K3M-9QXD');
    expect(screen.getByRole('link', { name: 'See or leave the waiting list' }).getAttribute('href')).toBe(
      `/appointment/manage#WL-7K3M-9QXD.${SECRET}`,
    );
    expect(sessionStorage.length).toBe(0);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('keeps everything that was typed', async () => {
    await open();
    fillPatient();
    await chooseFullDay();
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
    fireEvent.click(screen.getByRole('radio', { name: /^Tue 24 Nov/ }));
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveProperty('value', 'Check-up');
  });

  it('W12: confirms receipt if the response has no entry', async () => {
    api.answers = [{ status: 202, body: {} }];
    await open();
    fillPatient();
    await chooseFullDay();
    await join();
    expect((await screen.findByRole('alert')).textContent).toContain('We have your form');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alert')));
  });

  it('requires the person first', async () => {
    await open();
    await chooseFullDay();
    await join();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alert')));
    expect(field('phone').getAttribute('aria-invalid')).toBe('true');
    expect(api.posts).toEqual([]);
  });

  it('shows why joining failed, and retries under the same key', async () => {
    api.answers = [{ status: 500, body: {} }, problem('WAITLIST_MAX', 'You wait for four days already.')];
    await open();
    fillPatient();
    await chooseFullDay();
    await join();
    expect(screen.getByRole('alert').textContent).toContain(
      'We couldn’t add you to the waiting list. Please try again.',
    );
    await join();
    expect(screen.getByRole('alert').textContent).toContain('You wait for four days already.');
    expect(api.posts[1]).toEqual(api.posts[0]);
    expect(field('firstName').value).toBe('Asha');
  });

  it('shows a time that has become free since', async () => {
    api.answers = [problem('NOT_FULL', '')];
    await open();
    fillPatient();
    await chooseFullDay();
    api.taken = FULL.slice(1);
    await join();
    expect(await screen.findByRole('radio', { name: '9:00 AM' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Book Appointment' })).toBeTruthy();
  });

  it('is detected without script, and its waitlist is a button of the same form', async () => {
    const asked = acted(200, { days: days('2026-11-23', '2026-11-29', FULL) }, { intent: 'times' });
    const main = serve(asked);
    const button = main.querySelector<HTMLButtonElement>('button[value=waitlist]');
    expect(button?.textContent).toBe('Tell me if a time on Monday 23 November 2026 becomes free');
    expect([field('fullDay').value, field('date').value]).toEqual(['2026-11-23', '2026-11-24']);
    expect(await brokenRules(main)).toEqual([]);
    const post = { ...FORM, intent: 'waitlist', fullDay: '2026-11-23', date: '2026-11-24', time: '' };
    expect(inEngine(() => nativeAction(bookingForm)(posted(post), asked.now))).toMatchObject({
      method: 'POST',
      path: '/waitlist-entries',
      body: { date: '2026-11-23', patientName: 'Asha Rao' },
      receipt: { facts: { Reference: 'reference', Date: 'date' } },
    });
  });

  it('differs from a closed day', () => {
    const main = serve(acted(200, { days: days('2026-11-22', '2026-11-24') }, { intent: 'times' }));
    expect(main.textContent).toContain('Closed on Sundays. Choose a day from Monday to Saturday. This is the next day');
    expect([field('fullDay').value, field('date').value]).toEqual(['', '2026-11-23']);
    expect(main.textContent).not.toContain('are taken');
    expect(main.querySelector('button[value=waitlist]')).toBeNull();
  });

  it('handles native responses', async () => {
    const change = { intent: 'waitlist', fullDay: '2026-11-23', date: '2026-11-24' };
    await open(acted(201, ENTRY, change));
    expect(screen.getByRole('heading', { name: 'You’re on the waiting list' })).toBeTruthy();
    document.body.replaceChildren();
    serve(acted(204, null, { ...change, lastName: '' }));
    expect(screen.getByRole('link', { name: 'Enter the last name of the patient' })).toBeTruthy();
    expect(document.querySelector('button[value=waitlist]')).toBeTruthy();
    document.body.replaceChildren();
    serve(acted(503, null, change));
    expect(screen.getByRole('alert').textContent).toContain('We couldn’t add you to the waiting list.');
  });
});
