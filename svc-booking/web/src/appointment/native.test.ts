import { describe, expect, it } from 'vitest';
import { action } from './native.ts';
import { outcomeOfAction, outcomeOfProblem, statusOfAction } from './outcome.ts';

const now = '2026-11-21T09:30:00Z';
const form = {
  firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com', phone: '98450 12345',
  department: 'General Medicine', doctor: '', date: '2026-11-23', time: '9:00 AM', message: '', requestId: '',
}; // prettier-ignore

describe('a native post', () => {
  it('books', () => {
    expect(action(form, now)).toEqual({
      method: 'POST',
      path: '/appointments',
      body: {
        patientName: 'Asha Rao', email: 'asha@example.com', phone: '98450 12345', date: '2026-11-23', time: '9:00 AM',
        reason: '', doctorId: '', notes: 'General Medicine',
      }, // prettier-ignore
    });
  });

  it('asks for free times without a personal word in the path', () => {
    expect(action({ ...form, intent: 'times' }, now)).toEqual({
      method: 'GET',
      path: '/availability?department=General%20Medicine&from=2026-11-23&to=2026-11-29',
      body: null,
    });
    expect(action({ ...form, intent: 'times', date: 'soon' }, now).path).toContain('from=2026-11-21&');
  });

  it.each([{ intent: 'prefill' }, { intent: 'times', department: '' }, { department: 'Emergency' }])(
    'shows the form again for %o',
    (change) => {
      expect(action({ ...form, ...(change as Record<string, string>) }, now)).toEqual({
        method: 'GET',
        path: '/departments',
        body: null,
      });
    },
  );
});

describe('its answer', () => {
  const answered = (status: number, body: unknown, change = {}) => ({
    form: { ...form, ...change },
    result: { status, body },
  });
  const booked = { reference: 'SH-7K3M-9QXD', date: '2026-11-23', time: '9:00 AM', notes: 'General Medicine' };
  const day = (date: string, available: boolean) => ({
    date,
    closedReason: '',
    slots: [{ time: '9:00 AM', available }],
  });

  it.each([
    ['confirmed', answered(201, booked), 'booked', 200],
    ['taken', answered(409, { reason: 'SLOT_TAKEN' }), 'taken', 409],
    ['refused', answered(400, { fields: [{ field: 'email', message: 'no' }] }), 'refused', 400],
    ['down', answered(503, null), 'failed', 503],
    ['prefilled', answered(200, { departments: [] }, { intent: 'prefill' }), 'none', 200],
    ['prefilled while down', answered(503, null, { intent: 'prefill' }), 'none', 200],
    ['emergency', answered(200, { departments: [] }, { department: 'Emergency' }), 'none', 200],
    ['times without a department', answered(200, {}, { intent: 'times', department: '' }), 'asked', 400],
    ['times', answered(200, { days: [day('2026-11-23', true)] }, { intent: 'times' }), 'times', 200],
  ])('%s', (_, action, kind, status) => {
    expect(outcomeOfAction(action).kind).toBe(kind);
    expect(statusOfAction(action)).toBe(status);
  });

  it('offers the next free day when the chosen one is full', () => {
    const days = [day('2026-11-23', false), day('2026-11-24', true)];
    expect(outcomeOfAction(answered(200, { days }, { intent: 'times' }))).toEqual({
      kind: 'times',
      asked: '2026-11-23',
      day: days[1],
    });
  });

  it('says what a limit or a reused key means', () => {
    expect(outcomeOfProblem(429, null)).toEqual({
      kind: 'failed',
      detail: 'Rate limit exceeded. Please try again later.',
    });
    expect(outcomeOfProblem(422, { reason: 'REQUEST_ID_REUSED' })).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('call us'),
    });
    expect(outcomeOfProblem(500, { fields: [{ field: 'requestId', message: 'internal' }] })).toEqual({
      kind: 'failed',
    });
  });
});
