// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { acted, problem } from './desk/fixtures.ts';
import { CLINIC, DATA, IYENGAR, READER, SESSION_FORM, down, ok, weekProps } from './roster/fixtures.ts';
import { clockOf, minutesOf, mondayOf, timeLabel, weekOf } from './roster/week.ts';
import StaffRosters, { action, head, status } from './staff-rosters.tsx';

afterEach(() => document.body.replaceChildren());

function serve(given = weekProps()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffRosters {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const days = () => screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent);
const dayOf = (name: string) => screen.getByRole('region', { name });
const hrefOf = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href');
const result = () => document.getElementById('result') as HTMLElement;
const form = () => screen.getByRole('form', { name: 'New session' }) as HTMLFormElement;

describe('times and weeks', () => {
  it('begins each week on its Monday', () => {
    expect(['2026-11-23', '2026-11-28', '2026-11-29', '2027-01-01'].map(mondayOf)).toEqual([
      '2026-11-23', '2026-11-23', '2026-11-23', '2026-12-28',
    ]); // prettier-ignore
  });

  it('reads times of the API and of controls', () => {
    expect(['12:00 AM', '9:30 am', '12:00 PM', '17:30', '24:00', '13:00 PM', '9', '9:75'].map(minutesOf)).toEqual([
      0, 570, 720, 1050, NaN, NaN, NaN, NaN,
    ]); // prettier-ignore
    expect([timeLabel(0), timeLabel(570), timeLabel(720), clockOf('1:00 PM'), clockOf('x')]).toEqual([
      '12:00 AM', '9:30 AM', '12:00 PM', '13:00', 'x',
    ]); // prettier-ignore
  });

  it('keeps a session to its first and last day', () => {
    const session = { ...IYENGAR, validFrom: '2026-11-24', validUntil: '2026-11-25' };
    const found = weekOf('2026-11-23', { sessions: [session], leaves: [], holidays: [] });
    expect(found.filter(({ entries }) => entries.length > 0).map(({ date }) => date)).toEqual(['2026-11-25']);
  });
});

describe('the week', () => {
  it('shows the sessions of each day by time, leave and holidays', async () => {
    const main = serve();
    expect(status(weekProps())).toBe(200);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Week of 23 to 28 November 2026');
    expect(days()).toEqual(['Mon 23 Nov', 'Tue 24 Nov', 'Wed 25 Nov', 'Thu 26 Nov', 'Fri 27 Nov', 'Sat 28 Nov']);
    const monday = within(dayOf('Mon 23 Nov')).getAllByRole('listitem');
    expect(monday.map((one) => one.textContent)).toEqual([
      '9:00 AM to 1:00 PM Cardiology clinic, ECG and follow-up 2 patients each half hour',
      '10:00 AM to 1:00 PM Dr. Nandini Iyengar',
    ]);
    const away = within(dayOf('Wed 25 Nov')).getAllByRole('listitem')[1] as HTMLElement;
    expect([away.textContent, away.dataset.away]).toEqual(['10:00 AM to 1:00 PM Dr. Nandini IyengarOn leave', '']);
    expect(dayOf('Fri 27 Nov').textContent).toBe('Fri 27 NovHoliday: Founders’ Day. Nobody works.');
    expect(dayOf('Sat 28 Nov').textContent).toContain('Doctor doc-99');
    const link = within(dayOf('Mon 23 Nov')).getByRole('link', { name: 'Dr. Nandini Iyengar' });
    expect(link.getAttribute('href')).toBe('/staff/rosters/doctor:doc-06');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('leads to other weeks with the filters, and is the present week without one', () => {
    serve(weekProps({ query: { week: '2026-11-26', department: 'cardiology' } }));
    expect(hrefOf(/^Previous week: 16 November/)).toBe('/staff/rosters?week=2026-11-16&department=cardiology');
    expect(hrefOf(/^Next week: 30 November/)).toBe('/staff/rosters?week=2026-11-30&department=cardiology');
    expect(hrefOf('This week')).toBe('/staff/rosters?week=2026-11-16&department=cardiology');
    document.body.replaceChildren();
    serve(weekProps({ query: {} }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Week of 16 to 21 November 2026');
    expect(days().at(-1)).toBe('Sat 21 Nov, today');
    expect(screen.queryByRole('link', { name: 'This week' })).toBeNull();
  });

  it('filters by doctor, and says what an empty week means', async () => {
    const main = serve(weekProps({ query: { week: '2026-11-23', doctor: 'doc-06' } }));
    expect(within(dayOf('Mon 23 Nov')).getAllByRole('listitem')).toHaveLength(1);
    expect(dayOf('Tue 24 Nov').textContent).toContain('No sessions');
    expect(hrefOf('Sessions and leave of Dr. Nandini Iyengar')).toBe('/staff/rosters/doctor:doc-06');
    const chosen = main.querySelector('#only-doctor option[selected]') as HTMLOptionElement;
    expect(chosen.value).toBe('doc-06');
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    serve(weekProps({ query: { week: '2026-11-23', doctor: 'doc-05' } }));
    expect(hrefOf('Show the whole week')).toBe('/staff/rosters?week=2026-11-23');
    document.body.replaceChildren();
    const none = serve(weekProps({ data: { ...DATA, sessions: ok({ sessions: [], nextPageToken: '' }) } }));
    expect(none.textContent).toContain('There are no sessions: no time can be booked.');
  });

  it.each(['23.11.2026', '2026-11-31', '1999-01-01'])('explains how to write a week: %s', (week) => {
    const given = weekProps({ query: { week } });
    serve(given);
    expect([status(given), head(given).title]).toEqual([400, 'Error: Rosters, 16 to 21 November 2026']);
    expect(screen.getByRole('alert').textContent).toContain('YYYY-MM-DD, such as 2026-11-23');
  });

  it('shows a part of many sessions, and the way to the others', () => {
    const many = Array.from({ length: 41 }, (_, index) => ({ ...CLINIC, id: `clinic-${index}` }));
    serve(weekProps({ data: { ...DATA, sessions: ok({ sessions: many, nextPageToken: 'clinic-40' }) } }));
    expect(document.body.textContent).toContain('These are 40 of 41 sessions.');
    expect(hrefOf('More sessions of this week')).toBe('/staff/rosters?week=2026-11-23&pageToken=clinic-40');
  });

  it('keeps the rest while the service is down', async () => {
    const given = weekProps({ data: { ...DATA, sessions: down, leaves: down, holidays: down } });
    const main = serve(given);
    expect(status(given)).toBe(503);
    expect(screen.getByRole('alert').textContent).toContain('No session is lost.');
    expect(hrefOf('Try again')).toBe('/staff/rosters?week=2026-11-23');
    expect(screen.getByRole('form', { name: 'Week and filters' })).toBeDefined();
    expect(await brokenRules(main)).toEqual([]);
  });

  it('warns that a week without leave may show people who are away', () => {
    const given = weekProps({ data: { ...DATA, leaves: down } });
    serve(given);
    expect(status(given)).toBe(503);
    expect(screen.getByRole('alert').textContent).toContain('We can’t show leave right now');
    expect(days()).toHaveLength(6);
    document.body.replaceChildren();
    serve(weekProps({ data: { ...DATA, leaves: ok({ leaves: [], nextPageToken: 'x' }) } }));
    expect(screen.getByRole('alert').textContent).toContain('This week may lack leave');
  });

  it('has no form without the scope', async () => {
    const main = serve(weekProps({ staff: READER }));
    expect(main.querySelector('form[method=post]')).toBeNull();
    expect(main.textContent).toContain('You can see sessions and leave but not change them.');
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('a new session', () => {
  it('is sent with the times as the API spells them', () => {
    const given = posted({ ...SESSION_FORM, byNameOnly: ['Only patients who choose this doctor'] });
    expect(inEngine(() => action(given, weekProps().now))).toMatchObject({
      method: 'POST',
      path: '/sessions',
      body: {
        doctorId: 'doc-06', department: 'cardiology', weekdays: ['Tue', 'Thu'], from: '2:00 PM', until: '5:30 PM',
        seats: 2, byNameOnly: true, validFrom: '', validUntil: '', feeRupees: 0, place: '', name: '',
      },
    }); // prettier-ignore
  });

  it('is confirmed with the name, and its form is empty again', () => {
    const given = weekProps({ action: acted(posted(SESSION_FORM), 201, { session: IYENGAR }) });
    serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Saved: Rosters, 23 to 28 November 2026']);
    expect(within(result()).getByRole('status').textContent).toBe('The session of Dr. Nandini Iyengar is added.');
    expect(form().querySelectorAll('input[checked]')).toHaveLength(0);
    expect(form().closest('details')?.open).toBe(false);
  });

  it('keeps what was typed, and names each refused field with its limit', async () => {
    const wrong = {
      ...SESSION_FORM, doctorId: '', department: '', weekdays: [], from: '09:10', until: '08:00', seats: '101',
      validFrom: '2026-12-02', validUntil: '2026-12-01', feeRupees: '100001', place: 'Roof',
    }; // prettier-ignore
    expect(inEngine(() => action(posted(wrong), weekProps().now))).toBeNull();
    const given = weekProps({ action: acted(posted(wrong), 204) });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([400, 'Error: Rosters, 23 to 28 November 2026']);
    const errors = within(screen.getByRole('alert')).getAllByRole('link');
    expect(errors.map((one) => [one.getAttribute('href'), one.textContent])).toEqual([
      ['#department', 'Choose a department'],
      ['#name', 'Enter the name of the clinic, at most 120 characters, or choose a doctor'],
      ['#weekdays', 'Choose at least one day of the week'],
      ['#from', 'Enter a time on the half hour, such as 9:00 AM or 9:30 AM'],
      ['#until', 'Enter a time after the start'],
      ['#seats', 'Enter a number of patients from 1 to 100, or leave it empty'],
      ['#validUntil', 'Enter a day that is not before the first day'],
      ['#feeRupees', 'Enter a fee in rupees from 0 to 100000, or leave it empty'],
    ]);
    for (const one of errors) expect(document.querySelector(one.getAttribute('href') ?? '')).not.toBeNull();
    expect(form().closest('details')?.open).toBe(true);
    const typed = [...form().querySelectorAll<HTMLInputElement>('input:not([type=hidden]):not([type=checkbox])')];
    expect(typed.map(({ name, value }) => [name, value])).toEqual([
      ['name', ''], ['from', '09:10'], ['until', '08:00'], ['seats', '101'], ['validFrom', '2026-12-02'],
      ['validUntil', '2026-12-01'], ['feeRupees', '100001'], ['place', 'Roof'],
    ]); // prettier-ignore
    expect(await brokenRules(main)).toEqual([]);
  });

  it('shows a refusal of the service at its field', () => {
    const body = {
      ...problem(400, 'INVALID_ARGUMENT'),
      fields: [{ field: 'doctorId', message: 'Enter this doctor in the resources file of the service first' }],
    };
    const given = weekProps({ action: acted(posted(SESSION_FORM), 400, body) });
    serve(given);
    expect(status(given)).toBe(400);
    expect(form().querySelector('#doctorId-error')?.textContent).toContain('resources file');
  });

  it.each([
    [503, 'The session may not have been saved', 'Look at the session before you try again.'],
    [403, 'The session was not added', 'Your role doesn’t include changes of sessions.'],
    [401, 'The session was not added', 'Sign in again'],
    [429, 'The session was not added', 'Wait a minute'],
  ])('explains a failure with status %d, and keeps the form and its key', (code, title, text) => {
    const at = '2026-11-21T09:00:00Z';
    const given = weekProps({ action: acted(posted({ ...SESSION_FORM, at }), code, problem(code, 'X')) });
    serve(given);
    expect(status(given)).toBe(code);
    expect(result().textContent).toContain(title);
    expect(result().textContent).toContain(text);
    expect(form().querySelector<HTMLInputElement>('[name=at]')?.value).toBe(at);
    expect((form().querySelector('[name=from]') as HTMLInputElement).value).toBe('14:00');
  });

  it('says that the roster is full as the service puts it', () => {
    const body = { ...problem(409, 'ROSTER_FULL'), detail: 'The roster has the maximum number of entries.' };
    serve(weekProps({ action: acted(posted(SESSION_FORM), 409, body) }));
    expect(result().textContent).toContain('The roster has the maximum number of entries.');
  });

  it('calls nothing for a form of another page', () => {
    expect(inEngine(() => action(posted({ act: 'constructor' }), weekProps().now))).toBeNull();
    const given = weekProps({ action: acted(posted({ act: 'constructor' }), 204) });
    serve(given);
    expect(status(given)).toBe(400);
    expect(result().textContent).toContain('Nothing was changed');
  });
});
