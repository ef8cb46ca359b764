// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { ASHA, acted, problem } from './desk/fixtures.ts';
import {
  CLINIC,
  DATA,
  IYENGAR,
  LEAVE,
  LEAVE_FORM,
  MANAGER,
  READER,
  SESSION_FORM,
  UNCOVERED,
  down,
  ok,
  resourceProps,
} from './roster/fixtures.ts';
import { sessionText, weekdaysText } from './roster/words.ts';
import StaffRoster, { action, head, status } from './staff-roster.tsx';

afterEach(() => document.body.replaceChildren());

function serve(given = resourceProps()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffRoster {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const { now } = resourceProps();
const result = () => document.getElementById('result') as HTMLElement;
const rowsOf = (name: string) => within(screen.getByRole('region', { name })).getAllByRole('listitem');
const button = (name: string) => screen.getByRole('button', { name, hidden: true }) as HTMLButtonElement;
const called = (values: Record<string, string | string[]>) => inEngine(() => action(posted(values), now));
const form = (name: string) => screen.getByRole('form', { name }) as HTMLFormElement;
const hidden = (element: HTMLElement, name: string) =>
  element.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '';

it('puts days and hours into words', () => {
  expect([['Mon'], ['Mon', 'Wed', 'Fri'], CLINIC.weekdays].map(weekdaysText)).toEqual([
    'Mon', 'Mon, Wed and Fri', 'Mon to Sat',
  ]); // prettier-ignore
  expect(sessionText({ ...IYENGAR, validFrom: '2026-12-01', validUntil: '2026-12-31' })).toBe(
    'Mon, Wed and Fri, 10:00 AM to 1:00 PM, from 1 December 2026 until 31 December 2026',
  );
});

describe('the page of a doctor', () => {
  it('shows sessions and leave, and asks before each deletion what and whose it is', async () => {
    const main = serve();
    expect([status(resourceProps()), head(resourceProps()).title]).toEqual([
      200, 'Dr. Nandini Iyengar, sessions and leave',
    ]); // prettier-ignore
    const [session] = rowsOf('Sessions');
    expect(session?.textContent).toContain('Mon, Wed and Fri, 10:00 AM to 1:00 PM');
    expect(session?.textContent).toContain('Cardiology, Outpatient block, first floor, 1 patient each half hour');
    const change = screen.getByRole('link', { name: 'Change: Mon, Wed and Fri, 10:00 AM to 1:00 PM' });
    expect(change.getAttribute('href')).toBe('/staff/rosters/doctor:doc-06?session=s-1#change');
    const question = button('Delete the session').closest('details') as HTMLDetailsElement;
    expect(question.open).toBe(false);
    expect(question.textContent).toContain(
      'This deletes the session of Dr. Nandini Iyengar: Mon, Wed and Fri, 10:00 AM to 1:00 PM. It can’t be undone.',
    );
    const [leave] = rowsOf('Leave');
    expect(leave?.textContent).toContain('25 November 2026 to 26 November 2026 Conference');
    expect(leave?.textContent).toContain('This deletes leave of Dr. Nandini Iyengar: 25 November 2026 to');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('says what empty lists mean', () => {
    const empty = { sessions: ok({ sessions: [], nextPageToken: '' }), leaves: ok({ leaves: [], nextPageToken: '' }) };
    const main = serve(resourceProps({ data: { ...DATA, ...empty } }));
    expect(main.textContent).toContain('Dr. Nandini Iyengar has no sessions, so nobody can book.');
    expect(main.textContent).toContain('Dr. Nandini Iyengar has no leave: all sessions take place.');
    expect(form('New session').closest('details')?.textContent).toContain('Add a session of Dr. Nandini Iyengar…');
  });

  it('asks for the name, fee and place of a doctor without sessions, filled in from the profile', async () => {
    const empty = { sessions: ok({ sessions: [], nextPageToken: '' }) };
    const query = { name: 'Dr. Asha Rao', department: 'cardiology' };
    const given = resourceProps({ params: { resource: 'doctor:doc-17' }, query, data: { ...DATA, ...empty } });
    const main = serve(given);
    const fields = form('New session');
    expect(fields.closest('details')?.open).toBe(true);
    expect(['doctorId', 'name', 'feeRupees', 'place'].map((name) => hidden(fields, name))).toEqual([
      'doc-17', 'Dr. Asha Rao', '', '',
    ]); // prettier-ignore
    expect(within(fields).getByLabelText('Name of the doctor').getAttribute('type')).not.toBe('hidden');
    expect(fields.querySelector<HTMLOptionElement>('[name=department] [selected]')?.value).toBe('cardiology');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('has no form without the scope', async () => {
    const main = serve(resourceProps({ staff: READER }));
    expect(main.querySelector('form, details')).toBeNull();
    expect(main.textContent).toContain('You can see sessions and leave but not change them.');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('keeps the rest while the service is down', async () => {
    const given = resourceProps({ data: { ...DATA, sessions: down, leaves: down } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([503, 'Error: Dr. Nandini Iyengar, sessions and leave']);
    expect(screen.getAllByRole('alert').map((one) => one.textContent)).toEqual([
      expect.stringContaining('The sessions can’t be shown right now'),
      expect.stringContaining('The leave can’t be shown right now'),
    ]);
    expect(main.textContent).not.toContain('has no leave');
    expect(form('New leave')).toBeDefined();
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each(['doc-06', 'doctor:', 'doctor:../x', 'ward:1'])('knows no other address: %s', async (resource) => {
    const given = resourceProps({ params: { resource } });
    const main = serve(given);
    expect(status(given)).toBe(404);
    expect(screen.getByRole('alert').textContent).toContain('There is no such doctor or clinic');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('shows a clinic, which has one session only', () => {
    serve(resourceProps({ params: { resource: 'clinic:cardiology-opd' }, query: { session: 'cardiology-opd' } }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Cardiology clinic, ECG and follow-up');
    expect(rowsOf('Sessions')).toHaveLength(1);
    expect(screen.queryByRole('form', { name: 'New session' })).toBeNull();
    expect(hidden(form('Change a session'), 'feeRupees')).toBe('600');
  });
});

describe('a change of a session', () => {
  const CHANGE = { ...SESSION_FORM, act: 'change', session: 's-1', etag: '3' };
  const open = (change: Parameters<typeof resourceProps>[0] = {}) =>
    resourceProps({ query: { session: 's-1' }, ...change });

  it('starts from what is stored', async () => {
    const main = serve(open());
    const shown = form('Change a session');
    expect(shown.getAttribute('action')).toBe('/staff/rosters/doctor:doc-06?session=s-1#result');
    const values = ['act', 'session', 'etag', 'doctorId', 'from', 'until', 'seats'].map((name) => hidden(shown, name));
    expect(values).toEqual(['change', 's-1', '3', 'doc-06', '10:00', '13:00', '1']);
    const checked = [...shown.querySelectorAll<HTMLInputElement>('input[checked]')].map(({ value }) => value);
    expect(checked).toEqual(['Mon', 'Wed', 'Fri']);
    expect(screen.queryByRole('form', { name: 'New session' })).toBeNull();
    expect(await brokenRules(main)).toEqual([]);
  });

  it('replaces the version that the person saw', () => {
    expect(called(CHANGE)).toMatchObject({ method: 'PUT', path: '/sessions/s-1', headers: { 'If-Match': '"3"' } });
    expect(called({ ...CHANGE, etag: '3"\r\nX-Other: 1' })).toBeNull();
    expect(called({ ...CHANGE, session: '../leaves' })).toBeNull();
  });

  it('shows whom it uncovers, and closes the form', () => {
    const body = { session: IYENGAR, affected: UNCOVERED, affectedTotal: 2 };
    serve(open({ action: acted(posted(CHANGE), 200, body) }));
    expect(result().textContent).toContain('The session of Dr. Nandini Iyengar is changed.');
    expect(screen.getByRole('heading', { name: '2 appointments are uncovered' })).toBeDefined();
    expect(screen.queryByRole('form', { name: 'Change a session' })).toBeNull();
  });

  it('shows what another person has stored, and keeps what was entered with the present version', async () => {
    const sessions = ok({ sessions: [{ ...IYENGAR, seats: 4, etag: '4' }], nextPageToken: '' });
    const form412 = { ...CHANGE, weekdays: IYENGAR.weekdays, from: '10:00', until: '13:00', seats: '2' };
    const given = open({
      data: { ...DATA, sessions },
      action: acted(posted(form412), 412, problem(412, 'ETAG_MISMATCH')),
    });
    const main = serve(given);
    expect(status(given)).toBe(412);
    expect(within(result()).getByRole('alert').textContent).toContain('Another person has changed this session');
    expect(result().querySelector('dl')?.textContent).toBe('Patients in each half hour2 4');
    const shown = form('Change a session');
    expect([hidden(shown, 'etag'), hidden(shown, 'seats')]).toEqual(['4', '2']);
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('a deletion', () => {
  it('carries the version and what was seen', () => {
    serve();
    const { name, value } = button('Delete the session');
    expect(called({ [name]: value })).toMatchObject({
      method: 'DELETE', path: '/sessions/s-1', headers: { 'If-Match': '"3"' }, body: null,
    }); // prettier-ignore
    expect(called({ remove: button('Delete the leave').value })).toMatchObject({
      method: 'DELETE', path: `/leaves/${LEAVE.id}`,
    }); // prettier-ignore
    for (const wrong of ['session', value.replace('s-1', '../x'), value.replace('session', 'doctor'), `${value}\tx`])
      expect(called({ remove: wrong })).toBeNull();
  });

  it('names what is gone, and whom it uncovers', () => {
    serve();
    const { value } = button('Delete the session');
    document.body.replaceChildren();
    const body = { affected: [UNCOVERED[0]], affectedTotal: 1 };
    serve(resourceProps({ action: acted(posted({ remove: value }), 200, body) }));
    expect(result().textContent).toContain(
      'The session of Dr. Nandini Iyengar is deleted: Mon, Wed and Fri, 10:00 AM to 1:00 PM.',
    );
    expect(result().textContent).toContain('1 appointment is uncovered');
  });

  it('is refused after another person’s change, which the page shows', () => {
    serve();
    const { value } = button('Delete the session');
    document.body.replaceChildren();
    const sessions = ok({ sessions: [{ ...IYENGAR, weekdays: ['Mon'], etag: '4' }], nextPageToken: '' });
    const data = { ...DATA, sessions };
    serve(resourceProps({ data, action: acted(posted({ remove: value }), 412, problem(412, 'ETAG_MISMATCH')) }));
    expect(result().textContent).toContain('was not deleted');
    expect(result().querySelector('ins')?.textContent).toBe('Mon, 10:00 AM to 1:00 PM');
    expect(button('Delete the session').value).toContain('\t4\t');
  });

  it.each([
    [404, 'The leave of Dr. Nandini Iyengar was not deleted', 'This leave no longer exists'],
    [503, 'The leave of Dr. Nandini Iyengar may not have been deleted', 'Look at the leave'],
  ])('explains a failure with status %d', (code, title, text) => {
    serve();
    const { value } = button('Delete the leave');
    document.body.replaceChildren();
    const given = resourceProps({ action: acted(posted({ remove: value }), code, problem(code, 'X')) });
    serve(given);
    expect(status(given)).toBe(code);
    expect(result().textContent).toContain(title);
    expect(result().textContent).toContain(text);
  });
});

describe('leave', () => {
  const entered = (affected: object[], affectedTotal = affected.length, staff = MANAGER) =>
    resourceProps({ staff, action: acted(posted(LEAVE_FORM), 201, { leave: LEAVE, affected, affectedTotal }) });

  it('is sent for the doctor of the page', () => {
    expect(called(LEAVE_FORM)).toMatchObject({
      method: 'POST',
      path: '/leaves',
      body: { resource: 'doctor:doc-06', from: '2026-11-25', until: '2026-11-26', reason: 'Conference' },
    });
    expect(called({ ...LEAVE_FORM, resource: 'department:x' })).toBeNull();
  });

  it.each([
    [{ leaveFrom: '', leaveUntil: '' }, ['Enter a day such as 2026-11-23', 'Enter a day such as 2026-11-23']],
    [{ leaveUntil: '2026-11-24' }, ['Enter a day that is not before the first day']],
    [{ leaveUntil: '2029-12-01' }, ['Enter a day at most 1000 days after the first day']],
    [{ reason: 'x'.repeat(201) }, ['Shorten this to 200 characters']],
  ])('is refused with its limit, and keeps what was typed: %j', async (change, messages) => {
    const values = { ...LEAVE_FORM, ...change };
    expect(called(values)).toBeNull();
    const given = resourceProps({ action: acted(posted(values), 204) });
    const main = serve(given);
    expect(status(given)).toBe(400);
    expect(
      within(screen.getByRole('alert'))
        .getAllByRole('link')
        .map((one) => one.textContent),
    ).toEqual(messages);
    expect(hidden(form('New leave'), 'reason')).toBe(values.reason);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('shows whom it uncovers, and asks once with their number before it writes', async () => {
    const main = serve(entered(UNCOVERED));
    expect(within(result()).getByRole('status').textContent).toBe(
      'Leave of Dr. Nandini Iyengar is added: 25 November 2026 to 26 November 2026.',
    );
    const people = within(result()).getAllByRole('listitem');
    expect(people.map((one) => one.textContent)).toEqual([
      'Asha RaoWednesday 25 November 2026, 9:30 AM+91 98450-12345SH-7K3M-9QXD',
      'Erased patientSaturday 21 November 2026, 2:00 PMSH-8888-9999No e-mail address',
    ]);
    const question = button('Write to 1 person').closest('details') as HTMLDetailsElement;
    expect(question.open).toBe(false);
    expect(question.textContent).toContain(
      'This mails 1 person a link to choose another time. A sent mail can’t be taken back. ' +
        '1 person without an e-mail address can only be called.',
    );
    expect(await brokenRules(main)).toEqual([]);
  });

  it('uncovers nobody, too', () => {
    serve(entered([]));
    expect(result().textContent).not.toContain('uncovered');
    expect(result().querySelector('form')).toBeNull();
  });

  it('leads to the others of many', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ ...ASHA, reference: `SH-0000-${1000 + index}` }));
    serve(entered(many, 120));
    expect(screen.getByRole('heading', { name: '120 appointments are uncovered' })).toBeDefined();
    expect(within(result()).getAllByRole('listitem')).toHaveLength(40);
    expect(button('Write to 40 people')).toBeDefined();
    expect(within(result()).getByRole('link', { name: 'Uncovered' }).getAttribute('href')).toBe('/staff/uncovered');
  });

  it('offers nothing where nobody can be mailed, or the role can’t', () => {
    serve(entered([UNCOVERED[1] as object]));
    expect(result().textContent).toContain('Please call them.');
    document.body.replaceChildren();
    serve(entered(UNCOVERED, 2, { ...MANAGER, scopes: ['rosters:read', 'rosters:write'] }));
    expect(result().querySelector('form')).toBeNull();
    expect(result().textContent).toContain('Your role can’t write to patients.');
  });
});
