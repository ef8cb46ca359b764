// @vitest-environment happy-dom
/** With script: opened by its link, by a code; moved, changed, cancelled. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Reply, reply } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { days } from './appointment/fixtures.ts';
import { APPOINTMENT, CANCELLED, MOVED, NEW_SECRET, SECRET } from './manage/fixtures.ts';
import {
  KNOWN,
  START,
  TITLE,
  aPageForEachCase,
  alert,
  come,
  form,
  hidden,
  isSaid,
  open,
  press,
  server,
} from './manage/testing.tsx';

aPageForEachCase();

describe('with script', () => {
  it('opens the link without typing, and keeps it in the URL', async () => {
    const main = await come();
    expect(await screen.findByText('Monday 23 November 2026')).toBeTruthy();
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]).toMatchObject({ method: 'GET', path: '/appointments/SH-7K3M-9QXD' });
    expect(server.seen[0]?.headers['x-appointment-secret']).toBe(SECRET);
    expect(location.hash).toBe(`#SH-7K3M-9QXD.${SECRET}`);
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/a1B2c3|Asha/);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('opens a pasted link, and puts it into the URL', async () => {
    await open();
    const field = form('find').elements.namedItem('link') as HTMLInputElement;
    fireEvent.input(field, { target: { value: `https://hospital.example/appointment/manage#SH-7K3M-9QXD.${SECRET}` } });
    await press('Open');
    await screen.findByText('Monday 23 November 2026');
    expect(location.hash).toBe(`#SH-7K3M-9QXD.${SECRET}`);
  });

  it('explains what to do about an unknown link', async () => {
    server.answer = () => reply.json(404, { reason: 'NOT_FOUND' });
    const main = await come();
    expect((await alert()).textContent).toContain('We couldn’t find an appointment with this link');
    expect(main.textContent).not.toContain('Asha');
    expect(form('find').closest('details')?.open).toBe(true);
    await waitFor(() => expect(document.title).toBe(`Error: ${START}`));
  });

  it('U7: tells that the appointment was moved, and mails the new link', async () => {
    server.answer = ({ method }) =>
      method === 'POST' ? reply.json(200, {}) : reply.json(400, { reason: 'LINK_REPLACED' });
    const main = await come();
    await isSaid('This appointment was moved');
    expect(await brokenRules(main)).toEqual([]);
    await press('Send me the new link');
    await isSaid('We’ve sent you the new link');
    expect(server.seen[1]).toMatchObject({ method: 'POST', path: '/appointments/SH-7K3M-9QXD:sendLink', body: {} });
    expect(server.seen[1]?.headers['x-appointment-secret']).toBe(SECRET);
  });

  it('U7: opens by reference, phone number and mailed code', async () => {
    const main = await open();
    for (const [name, value] of Object.entries(KNOWN)) {
      fireEvent.input(form('code').elements.namedItem(name) as HTMLInputElement, { target: { value } });
    }
    server.answer = () => reply.json(200, {});
    await press('Send me a code');
    await isSaid('Enter the code from our e-mail');
    expect(server.seen[0]).toMatchObject({ path: '/appointments:requestCode', body: KNOWN });
    const code = () => form('open').elements.namedItem('code') as HTMLInputElement;
    expect(code().autocomplete).toBe('one-time-code');
    await press('Open my appointment');
    expect(document.getElementById('code-error')?.textContent).toContain('Enter the 6 digits of the code');
    fireEvent.input(code(), { target: { value: '000 000' } });
    server.answer = ({ path }) =>
      path.endsWith(':requestCode') ? reply.json(200, {}) : reply.json(400, { reason: 'CODE_WRONG' });
    await press('Open my appointment');
    expect((await alert()).textContent).toContain('This code doesn’t match this reference');
    await press('Send another code');
    expect(await screen.findByText(/Only the newest one works/)).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    fireEvent.input(code(), { target: { value: '123456' } });
    server.answer = () => reply.json(200, { ...APPOINTMENT, secret: NEW_SECRET });
    await press('Open my appointment');
    await isSaid('Your appointment');
    expect(server.seen.at(-1)).toMatchObject({
      path: '/appointments:openWithCode',
      body: { ...KNOWN, code: '123456' },
    });
    expect(location.hash).toBe(`#SH-7K3M-9QXD.${NEW_SECRET}`);
    expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/98450|123456|ZZZ/);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('only acts on a whole link', async () => {
    history.replaceState(null, '', '/appointment/manage#main');
    await open();
    expect(server.seen).toEqual([]);
  });

  async function chooseTime() {
    const item = screen.getByText('Choose another time').closest('details') as HTMLDetailsElement;
    await act(async () => {
      item.open = true;
      item.dispatchEvent(new Event('toggle'));
    });
    fireEvent.click(await screen.findByRole('radio', { name: /^Mon 23 Nov/ }));
    fireEvent.click(screen.getByRole('radio', { name: '10:00 AM' }));
  }

  function site(changes: Record<string, Reply>) {
    server.answer = ({ method, path }) => {
      if (/^\/(availability|free-times)/.test(path)) {
        const list = days('2026-11-21', '2026-12-04');
        const short = list.map(({ date, closedReason, slots }) => ({
          date, closedReason, free: slots.filter(({ available }) => available).map(({ time }) => time),
        })); // prettier-ignore
        return reply.json(200, { days: list, departments: [{ department: 'cardiology', days: short }] });
      }
      return changes[`${method} ${path}`] ?? reply.json(200, APPOINTMENT);
    };
  }

  it('moves to another time of the same doctor: the new link replaces the old one', async () => {
    site({ 'POST /appointments/SH-7K3M-9QXD:move': reply.json(200, MOVED) });
    const main = await come();
    await screen.findByText('Monday 23 November 2026');
    expect(server.seen).toHaveLength(1);
    await chooseTime();
    expect(server.seen[1]?.path).toMatch(/^\/availability\?department=cardiology&doctor=doc-06&from=2026-11-21/);
    await press('Move to this time');
    await isSaid('Your appointment was moved');
    const move = server.seen.find(({ method }) => method === 'POST');
    expect(move?.body).toEqual({ date: '2026-11-23', time: '10:00 AM', doctorId: 'doc-06' });
    expect([move?.headers['if-match'], move?.headers['x-appointment-secret']]).toEqual(['"v1"', SECRET]);
    expect(location.hash).toBe(`#SH-7K3M-9QXD.${NEW_SECRET}`);
    expect(main.textContent).toContain(`/appointment/manage#SH-7K3M-9QXD.${NEW_SECRET}`);
    expect(main.textContent).not.toContain(SECRET);
    expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/a1B2c3|ZZZ/);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('stays unchanged if the time was just taken', async () => {
    site({
      'POST /appointments/SH-7K3M-9QXD:move': reply.json(409, {
        reason: 'SLOT_TAKEN',
        metadata: { alternatives: '2026-11-24 9:30 AM' },
      }),
    });
    await come();
    await screen.findByText('Monday 23 November 2026');
    await chooseTime();
    await press('Move to this time');
    expect((await alert()).textContent).toContain('10:00 AM on Monday 23 November 2026 was just taken by someone else');
    expect(document.title).toBe(`Error: ${TITLE}`);
    await press('Tue 24 Nov, 9:30 AM');
    const time = await screen.findByRole('radio', { name: '9:30 AM', checked: true });
    await waitFor(() => expect(document.activeElement).toBe(time));
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Move to this time');
    await waitFor(() => expect(server.seen.at(-1)?.body).toMatchObject({ date: '2026-11-24', time: '9:30 AM' }));
    expect(location.hash).toBe(`#SH-7K3M-9QXD.${SECRET}`);
  });

  it('reloads it after a concurrent change, and keeps what was typed', async () => {
    const theirs = { ...APPOINTMENT, patientName: 'Asha R. Rao', etag: 'v2' };
    let now = APPOINTMENT;
    server.answer = ({ method }) => {
      if (method === 'GET') return reply.json(200, now);
      now = theirs;
      return reply.json(412, { reason: 'ETAG_MISMATCH' });
    };
    await come();
    await screen.findByText('Monday 23 November 2026');
    const reason = () => form('change').elements.namedItem('reason') as HTMLTextAreaElement;
    fireEvent.input(reason(), { target: { value: 'Pain' } });
    await press('Save changes');
    expect(await screen.findByText('This has changed since you opened it')).toBeTruthy();
    expect(reason().value).toBe('Pain');
    // The concurrent change is not overwritten by the form's old values.
    expect((form('change').elements.namedItem('patientName') as HTMLInputElement).value).toBe('Asha R. Rao');
    expect(hidden('change')).toMatchObject({ etag: 'v2' });
    server.answer = () => reply.json(200, { ...theirs, reason: 'Pain', etag: 'v3' });
    await press('Save changes');
    expect(await screen.findByText('We’ve saved your changes')).toBeTruthy();
    expect(server.seen.at(-1)?.body).toMatchObject({ reason: 'Pain', patientName: 'Asha R. Rao', date: '2026-11-23' });
  });

  it('cancels after a confirmation', async () => {
    server.answer = ({ method }) => reply.json(200, method === 'POST' ? CANCELLED : APPOINTMENT);
    await come();
    await screen.findByText('Monday 23 November 2026');
    await press('Cancel this appointment');
    const dialog = screen.getByRole('dialog', { name: 'Cancel this appointment?' });
    expect(server.seen).toHaveLength(1);
    fireEvent.click(within(dialog).getByRole('button', { name: 'No, go back' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await press('Cancel this appointment');
    await press('Yes, cancel it');
    await isSaid('Your appointment is cancelled');
    expect(server.seen[1]).toMatchObject({ path: '/appointments/SH-7K3M-9QXD:cancel', body: {} });
    expect(document.querySelector('form')).toBeNull();
    expect(screen.getByRole('link', { name: 'Remove from calendar' })).toBeTruthy();
  });
});
