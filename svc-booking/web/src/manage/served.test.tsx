// @vitest-environment happy-dom
/** The page as served, and as the response to native posts. */
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { reply } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { days } from '../appointment/fixtures.ts';
import { head, status } from '../manage.tsx';
import { APPOINTMENT, CANCELLED, ENTRY, MOVED, NEW_SECRET, OFFERED, SECRET } from './fixtures.ts';
import {
  type Props,
  CARRIED,
  KNOWN,
  LINK,
  PERSON,
  START,
  TITLE,
  aPageForEachCase,
  acted,
  form,
  hidden,
  open,
  props,
  serve,
  server,
} from './testing.tsx';

aPageForEachCase();

describe('as served', () => {
  const pages: [string, Props][] = [
    ['plain', props()],
    ['without data', props({ data: { departments: { ok: false, status: 503, body: null }, site: { ok: false, status: 503, body: null } } })],
    ['wrong', acted('find', 204, null, { reference: 'x', secret: '' })],
    ['unknown', acted('find', 404, { reason: 'NOT_FOUND' })],
    ['replaced', acted('find', 400, { reason: 'LINK_REPLACED' })],
    ['new link sent', acted('link', 200, {})],
    ['new link not sent', acted('link', 503, null)],
    ['code sent', acted('code', 200, {}, KNOWN)],
    ['another code sent', acted('code', 200, {}, { ...KNOWN, again: 'yes' })],
    ['code not sent', acted('code', 503, null, KNOWN)],
    ['code wrong', acted('open', 400, { reason: 'CODE_WRONG' }, { ...KNOWN, code: '123456' })],
    ['opened by a code', acted('open', 200, { ...APPOINTMENT, secret: NEW_SECRET }, { ...KNOWN, code: '123456' })],
    ['opened', acted('find', 200, APPOINTMENT)],
    ['opened, cancelled', acted('find', 200, CANCELLED)],
    ['free times', acted('move', 200, { days: days('2026-11-24', '2026-11-30') }, { ...CARRIED, intent: 'times', date: '2026-11-24' })],
    ['no free time', acted('move', 200, { days: days('2026-11-22', '2026-11-22') }, { ...CARRIED, intent: 'times', date: '2026-11-22' })],
    ['moved', acted('move', 200, MOVED, { ...CARRIED, date: '2026-11-23', time: '10:00 AM' })],
    ['time taken', acted('move', 409, { reason: 'SLOT_TAKEN' }, { ...CARRIED, date: '2026-11-23', time: '10:00 AM' })],
    ['changed', acted('change', 200, APPOINTMENT, { ...LINK, etag: 'v1', ...PERSON })],
    ['changed meanwhile', acted('change', 412, { reason: 'ETAG_MISMATCH' }, { ...LINK, etag: 'v1', ...PERSON })],
    ['cancelled', acted('cancel', 200, CANCELLED, { ...LINK, etag: 'v1' })],
    ['not cancelled', acted('cancel', 503, null, { ...LINK, etag: 'v1' })],
    ['waiting', acted('find', 200, ENTRY, { ...LINK, reference: ENTRY.reference })],
    ['offered', acted('find', 200, OFFERED, { ...LINK, reference: ENTRY.reference })],
    ['accepted', acted('accept', 200, { ...APPOINTMENT, secret: NEW_SECRET }, { ...LINK, reference: ENTRY.reference })],
    ['left', acted('leave', 200, { ...ENTRY, state: 'WAITLIST_STATE_ENDED' }, { ...LINK, reference: ENTRY.reference })],
  ]; // prettier-ignore

  it.each(pages)('%s: breaks no accessibility rule and hydrates without a mismatch', async (_, given) => {
    server.answer = () => reply.json(200, { days: days('2026-11-21', '2026-12-04'), departments: [] });
    const main = serve(given);
    expect(await brokenRules(main)).toEqual([]);
    main.remove();
    const live = await open(given);
    expect(await brokenRules(live)).toEqual([]);
  });

  it('is a native form, and is not indexed', () => {
    serve(props());
    const fields = (task: string) =>
      [...form(task).elements].map((element) => element.getAttribute('name')).filter(Boolean);
    // U7: nobody has to type a secret; a link is pasted as a whole.
    expect(fields('code')).toEqual(['reference', 'phone', 'task', 'requestId', 'part']);
    expect(fields('find')).toEqual(['link', 'task', 'requestId', 'part']);
    expect(form('find').closest('details')?.open).toBe(false);
    for (const task of ['code', 'find']) {
      expect([form(task).method, form(task).getAttribute('action')]).toEqual(['post', '/appointment/manage']);
    }
    expect(head(props())).toMatchObject({ robots: 'noindex', referrer: 'same-origin' });
  });

  it('shows the same for a wrong and an unknown link, without personal data', () => {
    const main = serve(acted('find', 404, { reason: 'NOT_FOUND' }));
    expect(screen.getByRole('alert').textContent).toContain('We couldn’t find an appointment with this link.');
    expect(main.textContent).not.toContain('Asha');
    expect(status(acted('find', 404, { reason: 'NOT_FOUND' }))).toBe(404);
  });

  it.each(['find', 'cancel'])('U7: tells that it was moved, and offers to mail the new link: %s', (task) => {
    const given = acted(task, 400, { reason: 'LINK_REPLACED' });
    serve(given);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('This appointment was moved');
    expect(form('link').querySelector('button')?.textContent).toBe('Send me the new link');
    expect(hidden('link')).toMatchObject(LINK);
    expect(form('code')).toBeTruthy();
    expect(status(given)).toBe(400);
    document.body.replaceChildren();
    serve(acted('link', 200, {}));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('We’ve sent you the new link');
  });

  it('U7: leads from reference and phone number by the code to the appointment', () => {
    serve(acted('code', 200, {}, KNOWN));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Enter the code from our e-mail');
    expect(hidden('open')).toMatchObject(KNOWN);
    expect(hidden('code')).toMatchObject({ ...KNOWN, again: 'yes' });
    document.body.replaceChildren();
    serve(acted('open', 400, { reason: 'CODE_WRONG' }, { ...KNOWN, code: '123456' }));
    expect(screen.getByRole('alert').textContent).toContain('This code doesn’t match this reference');
    expect(hidden('open')).toMatchObject(KNOWN);
    document.body.replaceChildren();
    const main = serve(acted('open', 200, { ...APPOINTMENT, secret: NEW_SECRET }, { ...KNOWN, code: '123456' }));
    expect(main.textContent).toContain('Monday 23 November 2026');
    expect(hidden('cancel')).toMatchObject({ secret: NEW_SECRET });
    expect(screen.getByRole('link', { name: 'Open this link' })).toBeTruthy();
  });

  it('shows the booking, with every task as a native form', () => {
    const main = serve(acted('find', 200, APPOINTMENT));
    for (const words of [
      'Booked', 'PatientAsha Rao', 'DoctorDr. Nandini Iyengar', 'Consultation fee₹800', 'WhereOutpatient block, first floor, Sampige', 'SH-7K3M-9QXD', 'Monday 23 November 2026', '9:30 AM IST', 'Cardiology', 'Dr. Nandini Iyengar', '1 Main Road',
    ]) expect(main.textContent).toContain(words); // prettier-ignore
    expect(screen.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')).toBe(
      'data:text/calendar;charset=utf-8,BEGIN%3AVCALENDAR%0D%0AEND%3AVCALENDAR%0D%0A',
    );
    expect(hidden('move')).toMatchObject(CARRIED);
    expect(hidden('change')).toMatchObject({
      ...LINK,
      etag: 'v1',
      date: '2026-11-23',
      time: '9:30 AM',
      doctorId: 'doc-06',
    });
    expect(hidden('cancel')).toMatchObject({ ...LINK, etag: 'v1' });
    // The confirming button is inside a closed disclosure.
    expect(form('cancel').closest('details')?.open).toBe(false);
    expect(form('cancel').querySelector('button')?.textContent).toBe('Yes, cancel it');
    for (const link of main.querySelectorAll('a')) expect(link.href).not.toContain(SECRET);
  });

  it.each([
    ['cancelled', CANCELLED, 'Cancelled'],
    ['over', { ...APPOINTMENT, startsAt: '2026-11-21T09:00:00Z' }, 'Over'],
    ['missed', { ...APPOINTMENT, status: 'APPOINTMENT_STATUS_NO_SHOW' }, 'Missed'],
  ])('only shows one that is %s', (_, appointment, words) => {
    const main = serve(acted('find', 200, appointment));
    expect(main.textContent).toContain(words);
    expect(document.querySelector('form')).toBeNull();
  });

  it('moves by day: free times first, then the new link', () => {
    const free = { days: days('2026-11-24', '2026-11-30', ['2026-11-24 9:00 AM']) };
    serve(acted('move', 200, free, { ...CARRIED, intent: 'times', date: '2026-11-24' }));
    expect(document.body.textContent).toContain('Booked now: Monday 23 November 2026, 9:30 AM IST');
    const times = [...form('move').querySelectorAll<HTMLInputElement>('input[type=radio]')];
    // The free times come first.
    expect([times.length, times[0]?.disabled, times.at(-1)?.disabled]).toEqual([18, false, true]);
    expect(hidden('move')).toMatchObject(CARRIED);
    expect((form('move').elements.namedItem('date') as HTMLInputElement).value).toBe('2026-11-24');
    document.body.replaceChildren();

    const main = serve(acted('move', 200, MOVED, { ...CARRIED, date: '2026-11-23', time: '10:00 AM' }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your appointment was moved');
    expect(main.textContent).toContain('Your old link no longer works.');
    expect(main.textContent).toContain(`http://127.0.0.1:8080/appointment/manage#SH-7K3M-9QXD.${NEW_SECRET}`);
    expect(screen.getByRole('link', { name: 'Open this link' }).getAttribute('href')).toBe(
      `/appointment/manage#SH-7K3M-9QXD.${NEW_SECRET}`,
    );
    expect(hidden('cancel')).toMatchObject({ secret: NEW_SECRET, etag: 'v2' });
  });

  it('keeps what was typed after a concurrent change, and leads back', () => {
    const given = acted(
      'change',
      412,
      { reason: 'ETAG_MISMATCH' },
      { ...LINK, etag: 'v1', notes: 'Cardiology', ...PERSON },
    );
    serve(given);
    expect(screen.getByRole('alert').textContent).toContain('This has changed since you opened it');
    expect((form('change').elements.namedItem('reason') as HTMLTextAreaElement).value).toBe('Pain');
    expect(hidden('find')).toMatchObject(LINK);
    expect(status(given)).toBe(412);
  });

  it('W11: has a title with the outcome', () => {
    const titleOf = (...given: Parameters<typeof acted>) => head(acted(...given)).title;
    expect(head(props()).title).toBe(START);
    expect(titleOf('find', 200, APPOINTMENT)).toBe(TITLE);
    expect(titleOf('find', 404, { reason: 'NOT_FOUND' })).toBe(`Error: ${START}`);
    expect(titleOf('find', 400, { reason: 'LINK_REPLACED' })).toBe('This appointment was moved | Sampige Hospital');
    expect(titleOf('code', 200, {}, KNOWN)).toBe('Enter the code from our e-mail | Sampige Hospital');
    expect(titleOf('open', 400, { reason: 'CODE_WRONG' }, { ...KNOWN, code: '123456' })).toMatch(
      /^Error: Enter the code/,
    );
    const link = { ...LINK, etag: 'v1' };
    expect(titleOf('cancel', 200, CANCELLED, link)).toBe('Your appointment is cancelled | Sampige Hospital');
  });

  it('offers a time with its deadline', () => {
    const main = serve(acted('find', 200, OFFERED, { ...LINK, reference: ENTRY.reference }));
    expect(main.textContent).toContain('We’re holding this time for you until 3:20 PM IST');
    expect(main.textContent).toContain('Cardiology clinic, ECG and follow-up. ₹600, Outpatient block, first floor.');
    expect(hidden('accept')).toMatchObject({ reference: ENTRY.reference, secret: SECRET });
    expect(form('leave').closest('details')?.open).toBe(false);
  });
});
