/** API requests of the desk's forms. */
import { describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { action as findAction } from '../staff-find.tsx';
import { action as dayAction } from '../staff-today.tsx';
import { ARRIVED, ASHA, CANCELLED, DONE, NOW, choice, pressed } from './fixtures.ts';
import { choiceOf, seenOf } from './choice.ts';

const find = (values: Record<string, string>) => inEngine(() => findAction(posted(values), NOW));

describe('a change', () => {
  it.each([
    ['arrived', ASHA, 'APPOINTMENT_STATUS_ARRIVED', '"1"'],
    ['no_show', ASHA, 'APPOINTMENT_STATUS_NO_SHOW', '"1"'],
    ['cancelled', ASHA, 'APPOINTMENT_STATUS_CANCELLED', '"1"'],
    ['completed', ARRIVED, 'APPOINTMENT_STATUS_COMPLETED', '"2"'],
  ])('sets %s, with the version that the person saw, on both pages', (to, appointment, status, etag) => {
    const form = pressed(appointment, to, { part: 'x' });
    for (const request of [inEngine(() => dayAction(form)), inEngine(() => findAction(form, NOW))]) {
      expect(request).toMatchObject({
        method: 'POST',
        path: `/appointments/${appointment.reference}:setStatus`,
        headers: { 'If-Match': etag },
        body: { status },
        receipt: { facts: { Reference: 'reference' } },
      });
    }
  });

  it.each([
    ['a step back', pressed(ARRIVED, 'booked')],
    ['a change of a completed visit', pressed(DONE, 'cancelled')],
    ['an unknown state', pressed(ASHA, 'asleep')],
    ['a member of every object', pressed(ASHA, 'constructor')],
    ['no form', {}],
    ['another path', pressed({ ...ASHA, reference: '../departments' }, 'arrived')],
    ['a header in the version', pressed({ ...ASHA, etag: '1"\r\nX-Other: 1' }, 'arrived')],
    ['a reference in place of a choice', posted({ choice: 'SH-7K3M-9QXD' })],
    ['a missing detail', posted({ choice: choice(ASHA, 'arrived').split('\t').slice(0, -1).join('\t') })],
    ['a long text', pressed({ ...ASHA, patientName: 'x'.repeat(1000) }, 'arrived')],
  ])('calls nothing for %s', (_, form) => {
    expect(inEngine(() => dayAction(form))).toBeNull();
  });

  it('is undone by another call, with the version after the change, on both pages', () => {
    const form = posted({ undo: choice(ARRIVED, 'booked') });
    for (const request of [inEngine(() => dayAction(form)), inEngine(() => findAction(form, NOW))]) {
      expect(request).toMatchObject({
        method: 'POST',
        path: `/appointments/${ARRIVED.reference}:undoStatus`,
        headers: { 'If-Match': '"2"' },
        body: {},
      });
    }
  });

  it.each([
    ['no step back', choice(ARRIVED, 'completed')],
    ['a cancellation', choice(CANCELLED, 'booked')],
    ['no text', 'x'],
  ])('calls nothing to undo %s', (_, undo) => {
    expect(inEngine(() => dayAction(posted({ undo })))).toBeNull();
  });

  it('carries what the person saw', () => {
    const seen = {
      reference: 'SH-7K3M-9QXD',
      etag: '1',
      state: 'booked',
      name: 'Asha Rao',
      phone: '+91 98450-12345',
      date: '2026-11-21',
      time: '9:30 AM',
      attendant: 'Dr. Nandini Iyengar',
    };
    expect(seenOf(ASHA)).toEqual(seen);
    expect(choiceOf(choice(ASHA, 'no_show'))).toEqual({ to: 'no_show', seen });
  });
});

describe('a search', () => {
  it.each([
    'SH-7K3M-9QXD', ' sh-7k3m-9qxd ', 'sh7k3m9qxd', 'SH 7K3M 9QXD',
  ])('reads one appointment for %s', (query) => {
    expect(find({ query })).toEqual({ method: 'GET', path: '/appointments/SH-7K3M-9QXD', body: null });
  }); // prettier-ignore

  it.each(['7K3M-9QXD', '7k3m 9qxd', ' 7k3m9qxd'])('leaves the first letters of %s to the service', (query) => {
    expect(find({ query })).toEqual({ method: 'GET', path: '/appointments/7K3M-9QXD', body: null });
  });

  it('takes a reference of any hospital', () => {
    expect(find({ query: 'be 7k3m 9qxd' })?.path).toBe('/appointments/BE-7K3M-9QXD');
  });

  it('takes a reference of digits with its letters only', () => {
    expect(find({ query: 'SH-2345-6789' })?.path).toBe('/appointments/SH-2345-6789');
    expect(find({ query: '2345-6789' })?.path).toBe('/appointments?phone=2345-6789&pageSize=50');
  });

  it('lists by phone number or e-mail address', () => {
    expect(find({ query: ' +91 98450 12345' })).toEqual({
      method: 'GET',
      path: '/appointments?phone=%2B91%2098450%2012345&pageSize=50',
      body: null,
    });
    expect(find({ query: 'Asha+1@example.com ' })?.path).toBe('/appointments?email=Asha%2B1%40example.com&pageSize=50');
  });

  it.each([
    '',
    ' ',
    'Asha Rao',
    '98450',
    'asha@',
    'WL-7K3M-9QXD',
    'vc 7k3m 9qxd',
    'SH-7K3M',
    '../departments',
    '1'.repeat(16),
  ])('calls nothing for "%s"', (query) => {
    expect(find({ query })).toBeNull();
  });
});
