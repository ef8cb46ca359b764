/** Props and API responses for the tests of the desk. */
import type { ActionOutcome, StaffMember } from '@hospital/page';
import { posted } from '@hospital/form/testing';
import { CLINIC, IYENGAR, pageProps } from '../appointment/fixtures.ts';
import type { Listed } from './appointment.ts';
import type { DayProps } from './day.ts';
import { choiceText, seenOf, seenText } from './choice.ts';
import type { State } from './states.ts';

/** 3 PM in India on Saturday 21 November 2026. */
export const NOW = '2026-11-21T09:30:00Z';
export const TODAY = '2026-11-21';
export const READER: StaffMember = { name: 'Meera Nair', scopes: ['appointments:read'] };
export const DOCTOR: StaffMember = { ...READER, name: 'Dr. Nandini Iyengar', doctor: 'doc-06' };
export const DESK: StaffMember = { name: 'Meera Nair', scopes: ['appointments:read', 'appointments:write'] };

export const ASHA: Listed = {
  id: '1', reference: 'SH-7K3M-9QXD', patientName: 'Asha Rao', email: 'asha@example.com', phone: '+91 98450-12345',
  date: TODAY, time: '9:30 AM', startsAt: '2026-11-21T04:00:00Z', department: 'cardiology', attendant: IYENGAR,
  status: 'APPOINTMENT_STATUS_BOOKED', etag: '1', preferredDoctor: '', uncovered: false, deskNote: '', language: '',
}; // prettier-ignore
export const ARRIVED: Listed = {
  ...ASHA, id: '2', reference: 'SH-2222-3333', patientName: 'Bhavana "B" <Gowda>', phone: '080 2222 3333', time: '9:00 AM',
  startsAt: '2026-11-21T03:30:00Z', attendant: CLINIC, status: 'APPOINTMENT_STATUS_ARRIVED', etag: '2',
}; // prettier-ignore
/** With the doctor since 2:40 PM. */
export const INSIDE: Listed = {
  ...ARRIVED, id: '6', reference: 'SH-3333-4444', patientName: 'Eshwar', etag: '3', consultationTime: '2026-11-21T09:10:00Z',
}; // prettier-ignore
export const DONE: Listed = {
  ...ASHA, id: '3', reference: 'SH-4444-5555', patientName: 'Chetan', time: '10:00 AM', startsAt: '2026-11-21T04:30:00Z',
  status: 'APPOINTMENT_STATUS_COMPLETED', etag: '3',
}; // prettier-ignore
export const CANCELLED: Listed = {
  ...ASHA, id: '4', reference: 'SH-6666-7777', patientName: 'Divya', time: '10:00 AM', startsAt: '2026-11-21T04:30:00Z',
  status: 'APPOINTMENT_STATUS_CANCELLED', etag: '2', attendant: undefined,
}; // prettier-ignore
export const LATE: Listed = {
  ...ASHA, id: '5', reference: 'SH-8888-9999', patientName: '', email: '', phone: '', time: '2:00 PM',
  startsAt: '2026-11-21T08:30:00Z', uncovered: true, preferredDoctor: 'Dr. Somebody',
}; // prettier-ignore
export const ALL = [ARRIVED, ASHA, DONE, CANCELLED, LATE];

export const down = { ok: false, status: 503, body: null } as const;
export const listed = (appointments: readonly Listed[], nextPageToken = '') => ({
  ok: true as const,
  status: 200,
  body: { appointments: [...appointments], nextPageToken },
});

const { departments } = pageProps().data;

export function dayProps(change: Partial<DayProps> = {}): DayProps {
  return {
    params: { date: TODAY },
    query: {},
    data: { departments, list: listed(ALL) },
    action: null,
    now: NOW,
    path: `/staff/today/${TODAY}`,
    part: 'booking:/staff/today/{date}',
    staff: DESK,
    ...change,
  };
}

export function findProps(change: Partial<DayProps> = {}): DayProps {
  return {
    params: {},
    query: {},
    data: { departments },
    action: null,
    now: NOW,
    path: '/staff/find',
    part: 'booking:/staff/find',
    staff: DESK,
    ...change,
  };
}

/** Value of a row's button. */
export const choice = (appointment: Listed, to: string) => choiceText(to as State, seenText(seenOf(appointment)));

/** Fields of the rows' form after a press of a button. */
export const pressed = (appointment: Listed, to: string, more: Record<string, string> = {}) =>
  posted({ choice: choice(appointment, to), ...more });

/** Outcome of a press, as the gateway passes it. */
export const acted = (form: ActionOutcome['form'], status: number, body: unknown = null): ActionOutcome => ({
  form,
  result: { status, body },
});

export const problem = (status: number, reason: string) => ({ title: 'Problem', status, reason });
