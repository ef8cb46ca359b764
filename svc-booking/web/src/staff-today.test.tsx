// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import type { DayProps } from './desk/day.ts';
import {
  ALL,
  ARRIVED,
  ASHA,
  DOCTOR,
  DONE,
  INSIDE,
  LATE,
  READER,
  TODAY,
  acted,
  choice,
  dayProps,
  down,
  listed,
  pressed,
  problem,
} from './desk/fixtures.ts';
import StaffToday, { head, location, status } from './staff-today.tsx';

afterEach(() => document.body.replaceChildren());

/** Serves the page as the gateway does: it has no script but the small one. */
function serve(given = dayProps()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffToday {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const rows = () => [...document.querySelectorAll<HTMLElement>('[data-row]')];
const rowOf = (name: string) => screen.getByRole('heading', { level: 3, name }).closest('[data-row]') as HTMLElement;
const namesOf = () => rows().map((row) => row.querySelector('h3')?.textContent);
const buttonsOf = (name: string) =>
  [...rowOf(name).querySelectorAll('button')].map(({ value }) => value.split('\t')[0]);
const result = () => document.getElementById('result') as HTMLElement;
const hrefOf = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href');

const INSIDE_ASHA = { ...INSIDE, patientName: 'Asha Rao', reference: ASHA.reference };
const WITH_ASHA = (change: object) => ({
  departments: dayProps().data.departments,
  list: listed([{ ...ASHA, ...change }]),
});

describe('the address without a day', () => {
  const at = (query: Record<string, string>): DayProps =>
    dayProps({ params: {}, query, data: {}, path: '/staff/today', part: 'booking:/staff/today' });

  it('leads to the present day in India, and not permanently', () => {
    expect([location(at({})), status(at({}))]).toEqual(['/staff/today/2026-11-21', 302]);
    const late = { ...at({}), now: '2026-11-21T18:30:00Z' };
    expect(location(late)).toBe('/staff/today/2026-11-22');
  });

  it('leads to the day and filters of the form', () => {
    const query = { date: '2026-11-23', department: 'cardiology', doctor: '', status: 'booked' };
    expect(location(at(query))).toBe('/staff/today/2026-11-23?department=cardiology&status=booked');
  });

  it('leads a doctor to the own day, unless the form names another', () => {
    const ofDoctor = (query: Record<string, string>) => location({ ...at(query), staff: DOCTOR });
    expect(ofDoctor({})).toBe('/staff/today/2026-11-21?doctor=doc-06');
    const everyone = { date: '2026-11-23', department: '', doctor: '' };
    expect(ofDoctor(everyone)).toBe('/staff/today/2026-11-23');
    expect(ofDoctor({ ...everyone, date: '' })).toBe('/staff/today/2026-11-21');
    expect(ofDoctor({ doctor: 'doc-01' })).toBe('/staff/today/2026-11-21?doctor=doc-01');
  });

  it.each(['23.11.2026', '2026-11-31', '../x', '9999-12-31'])('explains how to write a day: %s', async (date) => {
    const given = at({ date });
    expect([location(given), status(given)]).toEqual([null, 400]);
    const main = serve(given);
    expect(screen.getByRole('alert').textContent).toContain('YYYY-MM-DD, such as 2026-11-23');
    expect(head(given).title).toMatch(/^Error: /);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('explains it in the path, too', () => {
    const given = dayProps({ params: { date: 'monday' }, data: { list: down } });
    expect([location(given), status(given)]).toEqual([null, 400]);
    serve(given);
    expect(screen.getByRole('alert').textContent).toContain('There is no such day');
  });
});

describe('the list', () => {
  it('shows each appointment under its hour', async () => {
    const main = serve();
    expect(status(dayProps())).toBe(200);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Today, Saturday 21 November 2026');
    expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual([
      '9 AM',
      '10 AM',
      '2 PM',
    ]);
    expect(namesOf()).toEqual(['Bhavana "B" <Gowda>', 'Asha Rao', 'Chetan', 'Divya', 'Erased patient']);
    const row = rowOf('Asha Rao');
    expect(row.querySelector('time')?.getAttribute('datetime')).toBe('2026-11-21T04:00:00Z');
    for (const text of ['9:30 AM', 'Dr. Nandini Iyengar, Cardiology', 'SH-7K3M-9QXD', 'Booked'])
      expect(row.textContent).toContain(text);
    expect(within(row).getByRole('link', { name: '+91 98450-12345' }).getAttribute('href')).toBe('tel:+919845012345');
    expect(rowOf('Erased patient').textContent).toContain('No doctor or clinic works at this time any more.');
    expect(rowOf('Erased patient').textContent).toContain('Asked for Dr. Somebody');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('offers the allowed changes, and asks before those that are no usual step', () => {
    serve();
    expect(buttonsOf('Asha Rao')).toEqual(['arrived', 'no_show', 'cancelled']);
    expect(buttonsOf('Bhavana "B" <Gowda>')).toEqual(['in_consultation', 'completed']);
    expect(buttonsOf('Chetan')).toEqual([]);
    expect(buttonsOf('Divya')).toEqual([]);
    const form = document.getElementById('change') as HTMLFormElement;
    expect([form.method, form.getAttribute('action')]).toEqual(['post', '/staff/today/2026-11-21#result']);
    expect(form.querySelector<HTMLInputElement>('[name=part]')?.value).toBe('booking:/staff/today/{date}');
    const row = rowOf('Asha Rao');
    for (const button of row.querySelectorAll('button'))
      expect([button.getAttribute('form'), button.name]).toEqual(['change', 'choice']);
    expect(within(row).getByRole('button', { name: 'Arrived: Asha Rao' }).closest('details')).toBeNull();
    const question = row.querySelector('details') as HTMLDetailsElement;
    expect(question.open).toBe(false);
    expect(question.querySelector('summary')?.getAttribute('aria-label')).toBe('Not coming: Asha Rao');
    expect(question.textContent).toBe(
      'Not coming…Asha Rao, Saturday 21 November 2026, 9:30 AM. If you cancel, the time becomes free and we’ll e-mail the patient. That can’t be undone.Mark as no-showCancel the appointmentMove to another time',
    );
    expect([...question.querySelectorAll('button')].map((button) => button.getAttribute('aria-label'))).toEqual([
      'Mark as no-show: Asha Rao',
      'Cancel the appointment: Asha Rao',
    ]);
    expect(hrefOf('Move to another time: Asha Rao')).toMatch(
      /^\/staff\/move\/1\/2026-11-21\?department=cardiology&doctor=doc-06&/,
    );
    expect(hrefOf('Book for a caller')).toBe('/staff/book');
    expect(rowOf('Bhavana "B" <Gowda>').querySelector('details')).toBeNull();
    expect(rowOf('Erased patient').textContent).toContain('nobody is notified, as there’s no e-mail address');
  });

  it.each([
    [{}, ''],
    [{ department: 'cardiology' }, 'with=cardiology&'],
    [{ doctor: 'doc-06' }, 'with=cardiology%2Fdoc-06&'],
    [{ doctor: 'doc-99' }, ''],
  ])('leads to a walk-in of the filter %o', (query, whose) => {
    serve(dayProps({ query }));
    expect(hrefOf('Book a walk-in')).toBe(`/staff/book?${whose}walkIn=now`);
    document.body.replaceChildren();
    serve(dayProps({ query, params: { date: '2026-11-23' } }));
    expect(screen.queryByRole('link', { name: 'Book a walk-in' })).toBeNull();
  });

  it('shows the note for the desk, and leads to its page', async () => {
    const main = serve(dayProps({ data: WITH_ASHA({ deskNote: 'Needs a <wheelchair>' }) }));
    expect(rowOf('Asha Rao').textContent).toContain('Needs a <wheelchair>');
    expect(hrefOf('Edit note: Asha Rao')).toBe('/staff/note/1');
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    serve(dayProps({ staff: READER, data: WITH_ASHA({ deskNote: 'Wheelchair' }) }));
    expect(rowOf('Asha Rao').textContent).toContain('Wheelchair');
    expect(screen.queryByRole('link', { name: /note/ })).toBeNull();
    document.body.replaceChildren();
    serve(dayProps({ data: WITH_ASHA({}) }));
    expect(hrefOf('Add note: Asha Rao')).toBe('/staff/note/1');
  });

  it('asks before an arrival on a later day', () => {
    const date = '2026-11-23';
    serve(dayProps({ params: { date }, data: WITH_ASHA({ date, startsAt: '2026-11-23T04:00:00Z' }) }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Monday 23 November 2026');
    const button = screen.getByRole('button', { name: 'Arrived: Asha Rao', hidden: true });
    const question = button.closest('details');
    expect(question?.textContent).toContain('Asha Rao, Monday 23 November 2026, 9:30 AM. This is not today.');
    expect(question?.querySelectorAll('button')).toHaveLength(3);
  });

  it.each([
    ['without the scope', READER],
    ['without a person', undefined],
  ])('has no buttons %s', async (_, staff) => {
    const main = serve(dayProps({ staff }));
    expect(main.querySelector('form[method=post]')).toBeNull();
    expect(main.querySelector('[data-keys]')).toBeNull();
    expect(screen.queryByRole('link', { name: /Book for|Move/ })).toBeNull();
    expect(main.textContent).toContain('You can see appointments but not change them.');
    expect(rows()).toHaveLength(5);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('counts by state, and leads to each', () => {
    serve();
    const counts = within(screen.getByRole('navigation', { name: 'By status' })).getAllByRole('link');
    expect(counts.map((one) => [one.textContent, one.getAttribute('href')])).toEqual([
      ['All 5', '/staff/today/2026-11-21'],
      ['Booked 2', '/staff/today/2026-11-21?status=booked'],
      ['Waiting 1', '/staff/today/2026-11-21?status=arrived'],
      ['With the doctor 0', '/staff/today/2026-11-21?status=in_consultation'],
      ['Completed 1', '/staff/today/2026-11-21?status=completed'],
      ['No-show 0', '/staff/today/2026-11-21?status=no_show'],
      ['Cancelled 1', '/staff/today/2026-11-21?status=cancelled'],
    ]);
    expect(counts.map((one) => one.getAttribute('aria-current'))).toEqual(['true', null, null, null, null, null, null]);
  });

  it('counts only what a filtered list can count', () => {
    serve(dayProps({ query: { status: 'APPOINTMENT_STATUS_BOOKED' }, data: { list: listed([ASHA, LATE]) } }));
    const counts = within(screen.getByRole('navigation', { name: 'By status' })).getAllByRole('link');
    expect(counts.map((one) => one.textContent?.trim())).toEqual([
      'All', 'Booked 2', 'Waiting', 'With the doctor', 'Completed', 'No-show', 'Cancelled',
    ]); // prettier-ignore
    expect(document.body.textContent).toContain('As of 3:00 PM IST. Filter: Booked only.');
  });

  it('filters by a native form that keeps the choice', () => {
    serve(dayProps({ query: { department: 'cardiology', doctor: 'doc-06', status: 'booked' } }));
    const form = screen.getByRole('form', { name: 'Day and filters' }) as HTMLFormElement;
    expect([form.method, form.getAttribute('action')]).toEqual(['get', '/staff/today']);
    const chosen = [...form.querySelectorAll<HTMLOptionElement>('option[selected]')].map(({ value }) => value);
    const typed = [...form.querySelectorAll('input')].map(({ name, value }) => [name, value]);
    expect([chosen, typed]).toEqual([
      ['cardiology', 'doc-06'],
      [
        ['date', TODAY],
        ['status', 'booked'],
      ],
    ]);
    const options = [...form.querySelectorAll('optgroup')].map((group) => [group.label, group.textContent]);
    expect(options).toEqual([
      ['General Medicine', 'Dr. Farhan Siddiqui'],
      ['Cardiology', 'Dr. Nandini IyengarDr. Chandrashekar Rao'],
    ]);
    expect(document.body.textContent).toContain('Filter: Cardiology, Dr. Nandini Iyengar, Booked only.');
  });

  it('keeps an unknown doctor, and has the departments without their service', () => {
    serve(dayProps({ query: { doctor: 'doc-99' }, data: { departments: down, list: listed(ALL) } }));
    const form = screen.getByRole('form', { name: 'Day and filters' }) as HTMLFormElement;
    expect(new FormData(form).get('doctor')).toBe('doc-99');
    expect(within(form).getByRole('option', { name: 'Cardiology' })).toBeDefined();
    expect(rowOf('Asha Rao').textContent).toContain('Cardiology');
  });

  it('leads to the days around it, with the filters', () => {
    serve(dayProps({ query: { department: 'cardiology' } }));
    expect(hrefOf(/^Day before: Friday 20/)).toBe('/staff/today/2026-11-20?department=cardiology');
    expect(hrefOf(/^Next day: Sunday 22/)).toBe('/staff/today/2026-11-22?department=cardiology');
    expect(screen.queryByRole('link', { name: 'Today' })).toBeNull();
    document.body.replaceChildren();
    serve(dayProps({ params: { date: '2026-11-23' } }));
    expect(hrefOf('Today')).toBe('/staff/today/2026-11-21');
  });

  it('has further pages when it is long, and names no patient in their addresses', () => {
    const list = listed(ALL, '1763715600_1');
    serve(dayProps({ query: { department: 'cardiology' }, data: { list } }));
    expect(hrefOf('Next page, from 2:00 PM')).toBe(
      '/staff/today/2026-11-21?department=cardiology&pageToken=1763715600_1',
    );
    expect(screen.getByRole('navigation', { name: 'By status, on this page' })).toBeDefined();
    expect(document.body.textContent).toContain('Print the other pages too.');
    document.body.replaceChildren();
    serve(dayProps({ query: { pageToken: '1763715600_1' }, data: { list: listed(ALL) } }));
    expect(hrefOf('First page')).toBe('/staff/today/2026-11-21');
    expect(document.body.textContent).toContain('This is the end of the day.');
    // A change stays on its page.
    const form = document.getElementById('change');
    expect(form?.getAttribute('action')).toBe('/staff/today/2026-11-21?pageToken=1763715600_1#result');
  });

  it('has nothing on an empty day, and says what else to do with a filter', async () => {
    const main = serve(dayProps({ data: { list: listed([]) } }));
    expect(main.textContent).toContain('There are no appointments on this day.');
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    serve(dayProps({ query: { doctor: 'doc-06' }, data: { list: listed([]) } }));
    expect(hrefOf('Show the whole day')).toBe('/staff/today/2026-11-21');
  });
});

describe('without a list', () => {
  const invalid = (field: string) =>
    ({ ok: false, status: 400, body: { title: '', status: 400, reason: 'INVALID_ARGUMENT', fields: [{ field, message: 'x' }] } }) satisfies DayProps['data']['list']; // prettier-ignore

  it.each([
    ['down', down, 503, 'Work from the last printed day list', 'Try again', '/staff/today/2026-11-21?pageToken=x'],
    ['no answer', { ok: false, status: 504, body: null }, 503, 'No appointment is lost', 'Try again', '/staff/today/2026-11-21?pageToken=x'],
    ['an old page', invalid('pageToken'), 400, 'Begin at the first page', 'First page', '/staff/today/2026-11-21'],
    ['an unknown department', invalid('department'), 400, 'Choose again below', 'Whole day', '/staff/today/2026-11-21'],
    ['a session that ended', { ok: false, status: 401, body: null }, 401, 'Sign in again', 'Sign in', '/staff/sign-in?return=%2Fstaff%2Ftoday%2F2026-11-21%3FpageToken%3Dx'],
    ['another role', { ok: false, status: 403, body: null }, 403, 'manages staff accounts', 'Go to your start page', '/staff'],
    ['too many requests', { ok: false, status: 429, body: null }, 429, 'Wait a minute', 'Try again', '/staff/today/2026-11-21?pageToken=x'],
  ] as const)('explains what to do: %s', async (_, list, code, advice, link, href) => {
    const given = dayProps({ query: { pageToken: 'x' }, data: { list } });
    const main = serve(given);
    expect(status(given)).toBe(code);
    expect(head(given).title).toBe('Error: Today, 21 November 2026');
    expect(screen.getByRole('alert').textContent).toContain(advice);
    expect(hrefOf(link)).toBe(href);
    expect(screen.getByRole('form', { name: 'Day and filters' })).toBeDefined();
    expect(main.textContent).not.toContain('no appointments');
    expect(await brokenRules(main)).toEqual([]);
  }); // prettier-ignore
});

describe('a change', () => {
  it.each([
    ['arrived', ASHA, { status: 'APPOINTMENT_STATUS_ARRIVED', etag: '2' }, 'Asha Rao is marked as arrived.', ['in_consultation', 'completed']],
    ['in_consultation', { ...ASHA, status: 'APPOINTMENT_STATUS_ARRIVED' }, { consultationTime: '2026-11-21T09:30:00Z', etag: '3' }, 'Asha Rao is with the doctor.', ['completed']],
    ['completed', INSIDE_ASHA, { status: 'APPOINTMENT_STATUS_COMPLETED', etag: '4' }, 'Asha Rao’s visit is marked as completed.', []],
    ['no_show', ASHA, { status: 'APPOINTMENT_STATUS_NO_SHOW', etag: '2' }, 'Asha Rao is marked as a no-show.', []],
    ['cancelled', ASHA, { status: 'APPOINTMENT_STATUS_CANCELLED', etag: '2', attendant: undefined }, 'Asha Rao’s appointment on Saturday 21 November 2026, 9:30 AM is cancelled.', []],
    ['completed', { ...ASHA, status: 'APPOINTMENT_STATUS_ARRIVED' }, { status: 'APPOINTMENT_STATUS_COMPLETED', etag: '2' }, 'Asha Rao’s visit is marked as completed.', []],
  ] as const)('shows the new state and what happened to whom: %s', async (to, before, after, said, buttons) => {
    const changed = { ...before, ...after };
    const given = dayProps({ action: acted(pressed(before, to), 200, changed), data: WITH_ASHA(changed) });
    const main = serve(given);
    expect(result()).toBe(rowOf('Asha Rao'));
    expect(within(result()).getByRole('status').textContent).toContain(said);
    expect(screen.getByRole('link', { name: 'Go to the row' }).parentElement?.textContent).toContain(said);
    expect(buttonsOf('Asha Rao')).toEqual(buttons);
    expect(head(given).title).toBe('Saved: Today, 21 November 2026');
    expect(status(given)).toBe(200);
    expect(await brokenRules(main)).toEqual([]);
  }); // prettier-ignore

  it('keeps the row that the filter leaves out by now', () => {
    const changed = { ...ASHA, status: 'APPOINTMENT_STATUS_ARRIVED', etag: '2' } as const;
    const data = { list: listed([ARRIVED, LATE].map((one) => ({ ...one, status: ASHA.status }))) };
    serve(dayProps({ query: { status: 'booked' }, action: acted(pressed(ASHA, 'arrived'), 200, changed), data }));
    expect(namesOf()).toEqual(['Bhavana "B" <Gowda>', 'Asha Rao', 'Erased patient']);
    expect(result().textContent).toContain('Arrived');
  });

  it('says what happened if the list cannot be shown', () => {
    const changed = { ...ASHA, status: 'APPOINTMENT_STATUS_ARRIVED', etag: '2' };
    serve(dayProps({ action: acted(pressed(ASHA, 'arrived'), 200, changed), data: { list: down } }));
    expect(result().textContent).toContain('Asha Rao is marked as arrived.');
    expect(screen.getByRole('alert').textContent).toContain('can’t be shown right now');
  });

  it('shows what another person changed, and keeps it', async () => {
    const now = { status: 'APPOINTMENT_STATUS_CANCELLED', etag: '2', attendant: undefined, phone: '080 1' };
    const action = acted(pressed(ASHA, 'arrived'), 412, problem(412, 'ETAG_MISMATCH'));
    const given = dayProps({ action, data: WITH_ASHA(now) });
    const main = serve(given);
    const alert = within(result()).getByRole('alert');
    expect(alert.textContent).toContain('Asha Rao, 9:30 AM: “Arrived” was not saved');
    expect(alert.textContent).toContain('Another person has changed this appointment since you opened it.');
    const changed = [...alert.querySelectorAll('dl > div')].map((one) => [...one.querySelectorAll('dt, del, ins')].map((part) => part.textContent));
    expect(changed).toEqual([
      ['Status', 'Booked', 'Cancelled'],
      ['Phone', '+91 98450-12345', '080 1'],
    ]);
    expect(result().querySelector('.state')?.textContent).toBe('Cancelled');
    expect(head(given).title).toBe('Error: Today, 21 November 2026');
    expect(await brokenRules(main)).toEqual([]);
  }); // prettier-ignore

  it('can be chosen again for the present version', () => {
    const action = acted(pressed(ASHA, 'arrived'), 412, problem(412, 'ETAG_MISMATCH'));
    serve(dayProps({ action, data: WITH_ASHA({ etag: '7' }) }));
    expect(result().textContent).toContain('They changed details that this list doesn’t show.');
    expect(result().querySelector('button')?.value).toBe(choice({ ...ASHA, etag: '7' }, 'arrived'));
  });

  it.each([
    ['a second press', 412, problem(412, 'ETAG_MISMATCH')],
    ['a lost response', 504, null],
    ['a reload', 400, problem(400, 'STATUS_NOT_ALLOWED')],
  ])('is saved if the state is the wanted one: %s', (_, code, body) => {
    const action = acted(pressed(ASHA, 'arrived'), code, body);
    const given = dayProps({ action, data: WITH_ASHA({ status: 'APPOINTMENT_STATUS_ARRIVED', etag: '2' }) });
    serve(given);
    expect(within(result()).getByRole('status').textContent).toContain('Asha Rao is marked as arrived.');
    expect(head(given).title).toMatch(/^Saved: /);
  });

  it('leads to an appointment that was moved to another day', () => {
    const action = acted(pressed(ASHA, 'arrived'), 412, problem(412, 'ETAG_MISMATCH'));
    serve(dayProps({ action, data: { list: listed([DONE]) } }));
    expect(result().hasAttribute('data-row')).toBe(false);
    expect(result().textContent).toContain('Asha Rao, 9:30 AM: “Arrived” was not saved');
    const form = result().querySelector('form') as HTMLFormElement;
    expect([form.method, form.getAttribute('action')]).toEqual(['post', '/staff/find#result']);
    expect(new FormData(form).get('query')).toBe('SH-7K3M-9QXD');
    expect(new FormData(form).get('look')).toBe(choice(ASHA, 'arrived'));
  });

  it.each([
    ['no reply, unchanged', 504, WITH_ASHA({}), 'We couldn’t save it, and the appointment is unchanged.'],
    ['no reply, unknown', 504, { list: down }, 'so we don’t know if it was saved'],
    ['another role', 403, WITH_ASHA({}), 'Your role doesn’t include changes of appointments.'],
    ['an ended session', 401, WITH_ASHA({}), 'Your sign-in has ended.'],
    ['too many', 429, WITH_ASHA({}), 'Wait a minute'],
    ['deleted', 404, { list: listed([]) }, 'This appointment no longer exists'],
  ] as const)('says that it was not saved: %s', (_, code, data, text) => {
    serve(dayProps({ action: acted(pressed(ASHA, 'no_show'), code, null), data }));
    expect(within(result()).getByRole('alert').textContent).toMatch(/Asha Rao, 9:30 AM: “No-show” (was not|may not have been) saved/);
    expect(result().textContent).toContain(text);
  }); // prettier-ignore

  it('is refused when the form is not one of this page', () => {
    serve(dayProps({ action: acted(posted({ choice: 'arrived' }), 204) }));
    expect(result().textContent).toContain('Nothing was changed');
    expect(rows()).toHaveLength(5);
  });
});

it('shows a doctor whose day it is, and leads to that of everyone', async () => {
  const own = dayProps({ staff: DOCTOR, query: { doctor: 'doc-06' } });
  const main = serve(own);
  const whose = () => within(screen.getByRole('navigation', { name: 'Whose appointments' }));
  const current = () =>
    whose()
      .getAllByRole('link')
      .find((link) => link.getAttribute('aria-current'))?.textContent;
  expect(current()).toBe('Your appointments');
  expect(whose().getByRole('link', { name: 'Everyone’s' }).getAttribute('href')).toBe(`/staff/today/${TODAY}`);
  expect(main.textContent).toContain('You can see appointments but not change them.');
  expect(await brokenRules(main)).toEqual([]);
  document.body.replaceChildren();
  serve(dayProps({ staff: DOCTOR }));
  expect(current()).toBe('Everyone’s');
  document.body.replaceChildren();
  serve({ ...own, data: { ...own.data, list: listed([]) } });
  expect(document.body.textContent).toContain('You have no appointments on this day.');
  document.body.replaceChildren();
  serve();
  expect(screen.queryByRole('navigation', { name: 'Whose appointments' })).toBeNull();
});

it('names no patient in titles', () => {
  const changed = { ...ASHA, status: 'APPOINTMENT_STATUS_ARRIVED' };
  for (const given of [dayProps(), dayProps({ action: acted(pressed(ASHA, 'arrived'), 200, changed) })]) {
    expect(JSON.stringify(head(given))).not.toMatch(/Asha|SH-|98450/);
    expect(head(given)).toMatchObject({ robots: 'noindex', referrer: 'same-origin' });
  }
  expect(head(dayProps({ params: { date: '2026-11-23' } })).title).toBe('Appointments, 23 November 2026');
});
