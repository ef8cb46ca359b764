import { describe, expect, it } from 'vitest';
import { nativeAction } from '@hospital/form/native';
import { outcomeOfAction, outcomeOfProblem, statusOf } from '@hospital/form/outcome';
import { inEngine, posted } from '@hospital/form/testing';
import type { Problem } from '@hospital/page';
import { bookingForm, takenTime, timesIn } from './form.ts';

const native: ReturnType<typeof nativeAction> = (...post) => inEngine(() => nativeAction(bookingForm)(...post));

const now = '2026-11-21T09:30:00Z';
const form = {
  firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com', phone: '98450 12345',
  department: 'General Medicine', doctor: '', picked: '', fullDay: '', date: '2026-11-23', time: '9:00 AM', message: '', requestId: '',
}; // prettier-ignore

describe('a native post', () => {
  it('books, with a receipt in case the page cannot be rendered', () => {
    expect(native(posted(form), now)).toEqual({
      method: 'POST',
      path: '/appointments',
      body: {
        patientName: 'Asha Rao', email: 'asha@example.com', phone: '98450 12345', date: '2026-11-23', time: '9:00 AM',
        reason: '', doctorId: '', notes: 'General Medicine',
      }, // prettier-ignore
      receipt: {
        title: 'Your appointment is booked',
        text: expect.stringContaining('front desk'),
        facts: { Reference: 'reference', Date: 'date', Time: 'time' },
      },
    });
  });

  it('requests free times without personal data in the path', () => {
    expect(native(posted({ ...form, intent: 'times' }), now)).toEqual({
      method: 'GET',
      path: '/availability?department=General%20Medicine&from=2026-11-23&to=2026-11-29',
      body: null,
    });
    expect(native(posted({ ...form, intent: 'times', date: 'soon' }), now)?.path).toContain('from=2026-11-21&');
  });

  it.each([
    { intent: 'prefill' },
    { intent: 'times', department: '' },
    { intent: 'times', department: 'Emergency' },
    { department: 'Emergency' },
    { lastName: '' },
  ])('shows the form again for %o', (change) => {
    const again = native(posted({ ...form, ...(change as object) }), now);
    expect(again).toBeNull();
  });
});

describe('its outcome', () => {
  const answered = (status: number, body: unknown, change = {}) => ({
    form: posted({ ...form, ...change }),
    result: { status, body },
  });
  const booked = { reference: 'SH-7K3M-9QXD', date: '2026-11-23', time: '9:00 AM', notes: 'General Medicine' };
  const day = (date: string, available: boolean) => ({
    date,
    closedReason: '',
    slots: [{ time: '9:00 AM', available }],
  });

  it.each([
    ['confirmed', answered(201, booked), 'success', 200],
    ['taken', answered(409, { reason: 'SLOT_TAKEN' }), 'failed', 409],
    ['refused', answered(400, { fields: [{ field: 'email', message: 'no' }] }), 'refused', 400],
    ['down', answered(503, null), 'failed', 503],
    ['prefilled', answered(200, { departments: [] }, { intent: 'prefill' }), 'none', 200],
    ['prefilled while down', answered(503, null, { intent: 'prefill' }), 'none', 200],
    ['emergency', answered(200, { departments: [] }, { department: 'Emergency' }), 'refused', 400],
    ['confirmed when its day is over', answered(201, booked, { date: '2026-11-20' }), 'success', 200],
    ['without a last name', answered(200, { departments: [] }, { lastName: '' }), 'refused', 400],
    ['without a last name while down', answered(503, null, { lastName: '' }), 'refused', 400],
    ['times without a department', answered(200, {}, { intent: 'times', department: '' }), 'refused', 400],
    ['times', answered(200, { days: [day('2026-11-23', true)] }, { intent: 'times' }), 'answered', 200],
  ])('%s', (_, action, kind, status) => {
    const outcome = outcomeOfAction(bookingForm, action, { now });
    expect(outcome.kind).toBe(kind);
    expect(statusOf(outcome, action)).toBe(status);
    expect(takenTime(outcome)).toEqual(status === 409 ? { date: form.date, time: form.time } : null);
  });

  it('shows violations of the rules at their fields', () => {
    const outcome = outcomeOfAction(bookingForm, answered(200, {}, { lastName: '' }), { now });
    expect(outcome).toMatchObject({ kind: 'refused', unsent: true, violations: [{ field: 'lastName' }] });
  });

  it('offers the next free day if the chosen one is full', () => {
    const days = [day('2026-11-23', false), day('2026-11-24', true)];
    const outcome = outcomeOfAction(bookingForm, answered(200, { days }, { intent: 'times' }), { now });
    expect(timesIn(outcome)).toEqual({ asked: '2026-11-23', closed: '', day: days[1] });
  });

  it('explains a limit and a reused key', () => {
    const sent = { method: 'POST', template: '/appointments' } as const;
    const of = (status: number, problem: Partial<Problem> | null) =>
      outcomeOfProblem(bookingForm, sent, status, problem);
    expect(of(429, null)).toMatchObject({
      kind: 'failed',
      reason: '',
      detail: 'Rate limit exceeded. Please try again later.',
    });
    expect(of(422, { reason: 'REQUEST_ID_REUSED' })).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('call before sending it again'),
    });
    const fields = [{ field: 'channel', message: 'Choose one of web, desk' }];
    expect(of(400, { fields }), 'no field fills it').toMatchObject({
      kind: 'failed',
      detail: 'We couldn’t accept this: channel: Choose one of web, desk',
    });
    expect(of(500, { fields: [{ field: 'requestId', message: 'internal' }] })).toMatchObject({
      kind: 'failed',
      reason: '',
      detail: 'This isn’t working right now. Everything you typed is still here.',
    });
  });
});
