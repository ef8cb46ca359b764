// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import type { LeaveRequest } from '@hospital/api/types';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { DOCTOR, NOW, acted, problem } from './desk/fixtures.ts';
import { DATA, MANAGER, UNCOVERED, down, ok, weekProps } from './roster/fixtures.ts';
import type { RosterProps } from './roster/roster.ts';
import StaffLeave, * as own from './staff-leave.tsx';
import StaffLeaveRequests, * as all from './staff-leave-requests.tsx';

afterEach(() => document.body.replaceChildren());

const WAITING: LeaveRequest = {
  id: '0198a000-0000-7000-8000-000000000001', doctorId: 'doc-06', from: '2026-12-01', until: '2026-12-03',
  reason: 'A wedding in Mysuru', state: 'LEAVE_REQUEST_STATE_WAITING', answer: '', etag: '1',
  createTime: '2026-11-20T19:00:00Z', uncovers: 2, leaveDeleted: false,
}; // prettier-ignore
const DECLINED: LeaveRequest = {
  ...WAITING, id: '0198a000-0000-7000-8000-000000000002', state: 'LEAVE_REQUEST_STATE_DECLINED', etag: '2',
  answer: 'No cover', uncovers: 0, reason: '',
}; // prettier-ignore
const GRANTED: LeaveRequest = { ...DECLINED, id: 'g', state: 'LEAVE_REQUEST_STATE_GRANTED', answer: '' };
const DELETED: LeaveRequest = { ...GRANTED, id: 'd', leaveDeleted: true };

const listed = (leaveRequests: LeaveRequest[], nextPageToken = '') => ok({ leaveRequests, nextPageToken });
const ownProps = (change: Partial<RosterProps> = {}) =>
  weekProps({
    query: {},
    data: { requests: listed([WAITING, DECLINED, GRANTED, DELETED]) },
    path: '/staff/leave',
    part: 'booking:/staff/leave',
    staff: { ...DOCTOR, scopes: ['leaves:request'] },
    ...change,
  });
const allProps = (change: Partial<RosterProps> = {}) =>
  weekProps({
    query: {},
    data: { departments: DATA.departments, doctors: DATA.doctors, requests: listed([WAITING]) },
    path: '/staff/leave-requests',
    part: 'booking:/staff/leave-requests',
    staff: MANAGER,
    ...change,
  });

function serve(Page: (props: RosterProps) => React.ReactNode, given: RosterProps): HTMLElement {
  document.body.replaceChildren();
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<Page {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const called = (values: Record<string, string>) => inEngine(() => own.action(posted(values), NOW));
const result = () => document.getElementById('result') as HTMLElement;
const press = (name: string) => {
  const button = screen.getByText(name, { selector: 'button' }) as HTMLButtonElement;
  return { [button.name]: button.value };
};
const ASK = { act: 'ask', at: NOW, leaveFrom: '2026-12-01', leaveUntil: '2026-12-03', reason: ' Conference ' };

it('shows a doctor the own requests with their states', async () => {
  const main = serve(StaffLeave, ownProps());
  expect([own.status(ownProps()), own.head(ownProps()).title]).toEqual([200, 'Your leave']);
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent ?? '');
  expect(rows[0]).toContain('Waiting1 December 2026 to 3 December 2026A wedding in MysuruAsked on 21 November 2026');
  expect(rows[1]).toContain('Answer: No cover');
  expect(rows[2]).not.toContain('deleted');
  expect(rows[3]).toContain('The leave was deleted from the roster since.');
  expect(main.querySelectorAll('details')).toHaveLength(1);
  expect(await brokenRules(main)).toEqual([]);
});

it('asks for leave of the signed-in doctor only', () => {
  const forged = {
    ...ASK,
    doctorId: 'doc-01',
    doctor: 'doc-01',
    resource: 'doctor:doc-01',
    'leave_request.doctor_id': 'doc-01',
  };
  const call = called(forged);
  expect(call).toMatchObject({ method: 'POST', path: '/leave-requests' });
  expect(call?.body).toEqual({ from: '2026-12-01', until: '2026-12-03', reason: 'Conference' });
  serve(StaffLeave, ownProps({ action: acted(posted(ASK), 200, WAITING) }));
  expect(result().textContent).toContain('You have asked for leave: 1 December 2026 to 3 December 2026.');
});

it.each([
  ['a past day', { leaveFrom: '2026-11-20' }, 'Enter a day from today on'],
  ['an end before the start', { leaveUntil: '2026-11-30' }, 'Enter a day that is not before the first day'],
  ['more than a year', { leaveUntil: '2027-12-02' }, 'Leave can have 366 days at most'],
  ['a long reason', { reason: 'x'.repeat(301) }, 'Shorten this to 300 characters'],
])('refuses %s and keeps what was typed', async (_, wrong, message) => {
  const form = { ...ASK, ...wrong };
  expect(called(form)).toBeNull();
  const given = ownProps({ action: acted(posted(form), 204) });
  const main = serve(StaffLeave, given);
  expect([own.status(given), own.head(given).title]).toEqual([400, 'Error: Your leave']);
  expect(within(screen.getByRole('alert')).getByRole('link').textContent).toBe(message);
  const kept = main.querySelector<HTMLInputElement>('[name=reason]')?.value;
  expect(kept).toBe(form.reason);
  expect(await brokenRules(main)).toEqual([]);
});

it('shows refusals of the API at their field, and those of the whole', () => {
  const overlap = {
    ...problem(400, 'INVALID_ARGUMENT'),
    fields: [{ field: 'from', reason: '', message: 'You have leave on some of these days already' }],
  };
  serve(StaffLeave, ownProps({ action: acted(posted(ASK), 400, overlap) }));
  const link = within(screen.getByRole('alert')).getByRole('link');
  expect([link.textContent, link.getAttribute('href')]).toEqual([overlap.fields[0]?.message, '#leaveFrom']);
  const full = { ...problem(400, 'LEAVE_REQUESTS_MAX'), detail: '20 requests of yours are waiting.' };
  serve(StaffLeave, ownProps({ action: acted(posted(ASK), 400, full) }));
  expect(screen.getByRole('alert').textContent).toContain('20 requests of yours are waiting.');
});

it('withdraws a request once it was asked, and says why not', () => {
  serve(StaffLeave, ownProps());
  const pressed = press('Withdraw the request');
  expect(called(pressed)).toMatchObject({
    method: 'POST',
    path: `/leave-requests/${WAITING.id}:withdraw`,
    headers: { 'If-Match': '"1"' },
  });
  const decided = { ...problem(412, 'ETAG_MISMATCH'), detail: 'The request has been granted by now.' };
  serve(StaffLeave, ownProps({ action: acted(posted(pressed), 412, decided) }));
  expect(result().textContent).toBe('Your request was not withdrawnThe request has been granted by now.');
  serve(StaffLeave, ownProps({ action: acted(posted(pressed), 200, DECLINED) }));
  expect(result().textContent).toContain('Your request for leave is withdrawn: 1 December 2026 to 3 December 2026.');
  for (const rule of [
    '',
    'grant',
    'erase\ta\t1\tb\tc',
    'grant\t../x\t1\tb\tc',
    'grant\ta\t"1"\tb\tc',
    'x'.repeat(1001),
  ])
    expect(called({ rule })).toBeNull();
});

it('explains an account without a doctor, an empty list and a service that is down', async () => {
  const stranger = ownProps({ staff: { name: 'Meera Nair', scopes: ['leaves:request'] } });
  let main = serve(StaffLeave, stranger);
  expect(own.status(stranger)).toBe(403);
  expect(main.querySelector('form')).toBeNull();
  expect(main.textContent).toContain('Your account belongs to no doctor of the roster');
  expect(await brokenRules(main)).toEqual([]);
  main = serve(StaffLeave, ownProps({ data: { requests: listed([]) } }));
  expect(main.textContent).toContain('You have not asked for leave.');
  const away = ownProps({ data: { requests: down } });
  main = serve(StaffLeave, away);
  expect(own.status(away)).toBe(503);
  expect(screen.getByRole('form', { name: 'Ask for leave' })).toBeDefined();
  expect(await brokenRules(main)).toEqual([]);
  serve(StaffLeave, ownProps({ data: { requests: listed([WAITING], 't') }, query: { pageToken: 's' } }));
  expect(screen.getByRole('link', { name: 'Earlier requests' }).getAttribute('href')).toBe('/staff/leave?pageToken=t');
});

it('shows what waits, whom it uncovers, and asks before it is granted', async () => {
  const none = {
    ...WAITING,
    id: 'n',
    doctorId: 'doc-99',
    uncovers: 0,
    createTime: 'example-time',
    from: 'example-from',
  };
  const main = serve(StaffLeaveRequests, allProps({ data: { ...allProps().data, requests: listed([WAITING, none]) } }));
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent ?? '');
  expect(rows[0]).toContain('Dr. Nandini Iyengar: 1 December 2026 to 3 December 2026');
  expect(rows[0]).toContain('Leaves 2 booked appointments uncovered');
  expect(rows[1]).toContain('Doctor doc-99: example-from to');
  expect(rows[1]).toContain('No booked appointment is affected');
  const questions = main.querySelectorAll('details');
  expect([...questions].map(({ open }) => open)).toEqual([false, false, false, false]);
  expect(questions[0]?.textContent).toContain('This enters leave of Dr. Nandini Iyengar: 1 December 2026');
  expect(await brokenRules(main)).toEqual([]);
});

it('grants, and shows whom it uncovered with one offer for all', async () => {
  serve(StaffLeaveRequests, allProps());
  const pressed = press('Grant the leave');
  expect(called(pressed)).toMatchObject({
    path: `/leave-requests/${WAITING.id}:grant`,
    headers: { 'If-Match': '"1"' },
  });
  const body = { leaveRequest: GRANTED, affected: UNCOVERED, affectedTotal: 2 };
  const main = serve(
    StaffLeaveRequests,
    allProps({ action: acted(posted(pressed), 200, body), data: { requests: listed([]) } }),
  );
  expect(within(result()).getByRole('status').textContent).toContain('Leave of Dr. Nandini Iyengar is granted');
  expect(within(result()).getAllByRole('listitem')).toHaveLength(2);
  expect(main.textContent).toContain('No request for leave waits for a decision.');
  expect(await brokenRules(main)).toEqual([]);
  const over = { ...problem(400, 'LEAVE_OVER'), detail: 'The last day of this leave is past.' };
  serve(StaffLeaveRequests, allProps({ action: acted(posted(pressed), 400, over) }));
  expect(result().textContent).toContain('was not grantedThe last day of this leave is past.');
});

it('declines with a reason, and keeps a refused one open', async () => {
  const form = {
    act: 'decline',
    at: NOW,
    request: WAITING.id,
    etag: '1',
    whose: 'Dr. Nandini Iyengar',
    seen: '1 December',
    answer: 'No cover',
  };
  expect(called(form)).toMatchObject({
    method: 'POST',
    path: `/leave-requests/${WAITING.id}:decline`,
    headers: { 'If-Match': '"1"' },
    body: { answer: 'No cover' },
  });
  serve(StaffLeaveRequests, allProps({ action: acted(posted(form), 200, DECLINED) }));
  expect(result().textContent).toContain('The request of Dr. Nandini Iyengar is declined: 1 December.');
  const empty = { ...form, answer: ' ' };
  expect(called(empty)).toBeNull();
  const other = { ...WAITING, id: 'other' };
  const given = allProps({
    action: acted(posted(empty), 204),
    data: { ...allProps().data, requests: listed([WAITING, other]) },
  });
  const main = serve(StaffLeaveRequests, given);
  expect([all.status(given), all.head(given).title]).toEqual([400, 'Error: Leave requests']);
  expect([...main.querySelectorAll('details')].filter(({ open }) => open)).toHaveLength(1);
  expect(main.querySelectorAll('#answer')).toHaveLength(1);
  expect(main.querySelector('[data-live]'), 'an update would lose what was typed').toBeNull();
  expect(await brokenRules(main)).toEqual([]);
  const decided = { ...problem(412, 'ETAG_MISMATCH'), detail: 'The doctor has withdrawn the request by now.' };
  serve(StaffLeaveRequests, allProps({ action: acted(posted(form), 412, decided) }));
  expect(result().textContent).toContain('The doctor has withdrawn the request by now.');
});
