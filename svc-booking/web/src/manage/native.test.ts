/** What posts without script stand for. */
import { describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { action } from '../manage.tsx';
import { SECRET } from './fixtures.ts';
import { linkIn, linkOf } from './link.ts';

const NOW = '2026-11-21T09:30:00Z';
const LINK = { reference: 'SH-7K3M-9QXD', secret: SECRET };
const native = (values: Record<string, string>) => inEngine(() => action(posted({ part: 'x', ...values }), NOW));

describe('opening', () => {
  const read = { method: 'GET', path: '/appointments/SH-7K3M-9QXD', body: null };

  it.each([
    ['both fields', LINK],
    ['spaces and small letters', { reference: ' sh-7k3m-9qxd ', secret: ` ${SECRET}\n` }],
    ['a whole link', { reference: `https://hospital.example/appointment/manage#SH-7K3M-9QXD.${SECRET}`, secret: '' }],
    [
      'a whole link in the other field',
      { reference: 'SH-7K3M-9QXD', secret: `/appointment/manage#SH-7K3M-9QXD.${SECRET}` },
    ],
  ])('%s', (_, values) => {
    expect(native({ task: 'find', ...values })).toEqual({ ...read, headers: { 'X-Appointment-Secret': SECRET } });
    // Without the field that names the task, too.
    expect(native(values)).toEqual({ ...read, headers: { 'X-Appointment-Secret': SECRET } });
  });

  it('an entry of the waitlist has another secret', () => {
    expect(native({ task: 'find', ...LINK, reference: 'WL-7K3M-9QXD' })).toEqual({
      method: 'GET',
      path: '/waitlist-entries/WL-7K3M-9QXD',
      body: null,
      headers: { 'X-Waitlist-Secret': SECRET },
    });
  });

  it.each([
    { reference: '', secret: SECRET },
    { reference: 'SH-7K3M', secret: SECRET },
    { reference: '../departments', secret: SECRET },
    { reference: 'SH-7K3M-9QXD', secret: '' },
    { reference: 'SH-7K3M-9QXD', secret: SECRET.slice(1) },
    { reference: 'SH-7K3M-9QXD', secret: `${SECRET}\r\nX-Other: 1` },
  ])('asks nothing for %o', (values) => {
    expect(native({ task: 'find', ...values })).toBeNull();
  });
});

describe('changing', () => {
  const carried = {
    ...LINK, etag: 'v1', department: 'cardiology', doctorId: 'doc-06', bookedDate: '2026-11-23', bookedTime: '9:30 AM',
  }; // prettier-ignore
  const headers = { 'X-Appointment-Secret': SECRET, 'If-Match': '"v1"' };

  it('shows the free times of a week without a personal word in the path', () => {
    expect(native({ task: 'move', intent: 'times', ...carried, date: '2026-11-24' })).toEqual({
      method: 'GET',
      path: '/availability?department=cardiology&doctor=doc-06&from=2026-11-24&to=2026-11-30',
      body: null,
    });
    expect(native({ task: 'move', intent: 'times', ...carried, date: '' })).toBeNull();
    expect(native({ task: 'move', intent: 'times', ...carried, date: '2026-11-20' })).toBeNull();
  });

  it('moves with the version that was read, keeping the doctor; a receipt never holds the secret', () => {
    const request = native({ task: 'move', ...carried, date: '2026-11-24', time: '10:00 AM' });
    expect(request).toMatchObject({
      method: 'POST',
      path: '/appointments/SH-7K3M-9QXD:move',
      body: { date: '2026-11-24', time: '10:00 AM', doctorId: 'doc-06' },
      headers,
    });
    expect(JSON.stringify(request?.receipt)).not.toMatch(/secret/i);
    expect(native({ task: 'move', ...carried, date: '2026-11-24', time: '' })).toBeNull();
  });

  it('replaces the person alone: time, doctor and department go back as they were', () => {
    const person = { patientName: ' Asha R. ', email: 'a@example.com', phone: '98450 12346', reason: '' };
    const kept = { date: '2026-11-23', time: '9:30 AM', doctorId: 'doc-06', notes: 'Cardiology' };
    expect(native({ task: 'change', ...LINK, etag: 'v1', ...kept, ...person })).toMatchObject({
      method: 'PUT',
      path: '/appointments/SH-7K3M-9QXD',
      body: { ...kept, ...person, patientName: 'Asha R.' },
      headers,
    });
    expect(native({ task: 'change', ...LINK, etag: 'v1', ...kept, ...person, email: 'a' })).toBeNull();
  });

  it.each([
    ['cancel', LINK.reference, '/appointments/SH-7K3M-9QXD:cancel', headers],
    ['accept', 'WL-7K3M-9QXD', '/waitlist-entries/WL-7K3M-9QXD:accept', { 'X-Waitlist-Secret': SECRET }],
    ['leave', 'WL-7K3M-9QXD', '/waitlist-entries/WL-7K3M-9QXD:leave', { 'X-Waitlist-Secret': SECRET }],
  ])('%s', (task, reference, path, sent) => {
    const etag: Record<string, string> = task === 'cancel' ? { etag: 'v1' } : {};
    expect(native({ task, ...LINK, reference, ...etag })).toMatchObject({
      method: 'POST',
      path,
      body: {},
      headers: sent,
    });
  });
});

describe('links', () => {
  it('are read whole or not at all', () => {
    expect(linkIn(`#SH-7K3M-9QXD.${SECRET}`)).toEqual(LINK);
    for (const text of [
      '',
      '#',
      '#find',
      `#SH-7K3M-9QXD.${SECRET}x`,
      `#SH-7K3M.${SECRET}`,
      `#XX-7K3M-9QXD.${SECRET}`,
    ]) {
      expect(linkIn(text), text).toBeNull();
    }
    expect(linkOf({ reference: 'wl-7k3m-9qxd', secret: 'x' })).toEqual({ reference: 'WL-7K3M-9QXD', secret: 'x' });
  });
});
