/** API requests of posts without script. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type AnyForm, valuesFrom } from '@hospital/form/declaration';
import { inEngine, posted } from '@hospital/form/testing';
import { action } from '../manage.tsx';
import { SECRET } from './fixtures.ts';
import { TASKS } from './forms.ts';
import { linkIn } from './link.ts';

const NOW = '2026-11-21T09:30:00Z';
const LINK = { reference: 'SH-7K3M-9QXD', secret: SECRET };
const native = (values: Record<string, string>) => inEngine(() => action(posted({ part: 'x', ...values }), NOW));

describe('opening', () => {
  const read = { method: 'GET', path: '/appointments/SH-7K3M-9QXD', body: null };

  it.each([
    ['what the page carries', LINK],
    ['a whole link', { link: `https://hospital.example/appointment/manage#SH-7K3M-9QXD.${SECRET}` }],
    ['its end, in small letters and with spaces', { link: ` sh-7k3m-9qxd.${SECRET}\n` }],
    ['a link in place of an older one', { ...LINK, secret: 'x'.repeat(43), link: `#SH-7K3M-9QXD.${SECRET}` }],
  ])('%s', (_, values: Record<string, string>) => {
    expect(native({ task: 'find', ...values })).toEqual({ ...read, headers: { 'X-Appointment-Secret': SECRET } });
    // Also without the field `task`.
    expect(native(values)).toEqual({ ...read, headers: { 'X-Appointment-Secret': SECRET } });
  });

  it('sends the secret of a waitlist entry in another header', () => {
    expect(native({ task: 'find', ...LINK, reference: 'WL-7K3M-9QXD' })).toEqual({
      method: 'GET',
      path: '/waitlist-entries/WL-7K3M-9QXD',
      body: null,
      headers: { 'X-Waitlist-Secret': SECRET },
    });
  });

  it.each<Record<string, string>>([
    { reference: '', secret: SECRET },
    { reference: 'SH-7K3M', secret: SECRET },
    { reference: '../departments', secret: SECRET },
    { reference: 'SH-7K3M-9QXD', secret: '' },
    { reference: 'SH-7K3M-9QXD', secret: SECRET.slice(1) },
    { reference: 'SH-7K3M-9QXD', secret: `${SECRET}\r\nX-Other: 1` },
    { link: `#SH-7K3M-9QXD.${SECRET.slice(1)}` },
  ])('calls nothing for %o', (values) => {
    expect(native({ task: 'find', ...values })).toBeNull();
  });
});

describe('U7: without the link', () => {
  const known = { reference: ' sh-7k3m-9qxd', phone: ' 98450 12345 ' };
  const body = { reference: 'SH-7K3M-9QXD', phone: '98450 12345' };

  it('requests a code with reference and phone number', () => {
    expect(native({ task: 'code', ...known })).toMatchObject({
      method: 'POST',
      path: '/appointments:requestCode',
      body,
    });
    expect(native({ task: 'code', ...known, phone: '12' })).toBeNull();
    expect(native({ task: 'code', ...known, reference: 'SH-7K3M' })).toBeNull();
    expect(native({ task: 'code', ...known, reference: 'WL-7K3M-9QXD' })).toBeNull();
  });

  it('opens it with the code', () => {
    expect(native({ task: 'open', ...known, code: ' 123 456 ' })).toMatchObject({
      method: 'POST',
      path: '/appointments:openWithCode',
      body: { ...body, code: '123456' },
    });
    for (const code of ['', '12345', '1234567', 'abcdef']) expect(native({ task: 'open', ...known, code })).toBeNull();
  });

  it('has the new link mailed with the old one', () => {
    expect(native({ task: 'link', ...LINK })).toMatchObject({
      method: 'POST',
      path: '/appointments/SH-7K3M-9QXD:sendLink',
      body: {},
      headers: { 'X-Appointment-Secret': SECRET },
    });
  });
});

describe('changing', () => {
  const carried = {
    ...LINK, etag: 'v1', department: 'cardiology', doctorId: 'doc-06', bookedDate: '2026-11-23', bookedTime: '9:30 AM',
  }; // prettier-ignore
  const headers = { 'X-Appointment-Secret': SECRET, 'If-Match': '"v1"' };

  it('requests the free times of a week without personal data in the path', () => {
    expect(native({ task: 'move', intent: 'times', ...carried, date: '2026-11-24' })).toEqual({
      method: 'GET',
      path: '/availability?department=cardiology&doctor=doc-06&from=2026-11-24&to=2026-11-30',
      body: null,
    });
    expect(native({ task: 'move', intent: 'times', ...carried, date: '' })).toBeNull();
    expect(native({ task: 'move', intent: 'times', ...carried, date: '2026-11-20' })).toBeNull();
  });

  it('moves with the version that was read and the same doctor, without the secret in the receipt', () => {
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

  it('replaces only the person; time, doctor and department stay', () => {
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
  it('are accepted only if complete', () => {
    expect(linkIn(`#SH-7K3M-9QXD.${SECRET}`)).toEqual(LINK);
    // The letters of another hospital.
    expect(linkIn(`#BE-7K3M-9QXD.${SECRET}`)).toEqual({ ...LINK, reference: 'BE-7K3M-9QXD' });
    for (const text of ['', '#', '#find', `#SH-7K3M-9QXD.${SECRET}x`, `#SH-7K3M.${SECRET}`, `#X-7K3M-9QXD.${SECRET}`]) {
      expect(linkIn(text), text).toBeNull();
    }
  });
});

describe('with script', () => {
  const description = readFileSync(new URL('../../../../web-kit/api/openapi.json', import.meta.url), 'utf8');
  const { paths } = JSON.parse(description) as { paths: object };

  // The gateway records the span of any other template as `unknown`.
  it.each(Object.entries(TASKS))('the template of task %s is one of the API', (task, form: AnyForm) => {
    const reference = ['accept', 'leave'].includes(task) ? 'WL-7K3M-9QXD' : LINK.reference;
    const request = form.request(valuesFrom(form, posted({ ...LINK, reference })), { now: NOW });
    expect(Object.keys(paths)).toContain(request?.template);
  });
});
