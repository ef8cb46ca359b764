// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { acted } from './desk/fixtures.ts';
import { HOLIDAY, READER, UNCOVERED, down, ok, weekProps } from './roster/fixtures.ts';
import StaffHolidays, { action, head, status } from './staff-holidays.tsx';

afterEach(() => document.body.replaceChildren());

const holidays = (list: { date: string; name: string }[], nextPageToken = '') => ok({ holidays: list, nextPageToken });
const PAST = { date: '2026-08-15', name: 'Independence Day' };
const props = (change: Parameters<typeof weekProps>[0] = {}) =>
  weekProps({
    query: {},
    data: { holidays: holidays([PAST, HOLIDAY]) },
    path: '/staff/holidays',
    part: 'booking:/staff/holidays',
    ...change,
  });

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffHolidays {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const result = () => document.getElementById('result') as HTMLElement;
const called = (values: Record<string, string>) => inEngine(() => action(posted(values), props().now));
const FORM = { act: 'holiday', date: '2026-11-30', name: 'Kanakadasa Jayanti' };

it('shows the coming holidays, and asks before one is deleted', async () => {
  const main = serve();
  expect([status(props()), head(props()).title]).toEqual([200, 'Holidays']);
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  const question = main.querySelector('details') as HTMLDetailsElement;
  expect(question.open).toBe(false);
  expect(question.textContent).toContain('This makes Friday 27 November 2026, Founders’ Day, a working day.');
  const { name, value } = question.querySelector('button') as HTMLButtonElement;
  expect(called({ [name]: value })).toMatchObject({ method: 'DELETE', path: '/holidays/2026-11-27', body: null });
  expect(await brokenRules(main)).toEqual([]);
  document.body.replaceChildren();
  serve(props({ action: acted(posted({ [name]: value }), 204), data: { holidays: holidays([]) } }));
  expect(result().textContent).toBe('Friday 27 November 2026 is no longer a holiday: Founders’ Day.');
});

it('says what an empty list means, and what can be seen only', async () => {
  const main = serve(props({ staff: READER, data: { holidays: holidays([PAST]) } }));
  expect(main.textContent).toContain('No holiday is entered from today on');
  expect(main.textContent).toContain('You can see holidays but not change them.');
  expect(main.querySelector('form')).toBeNull();
  expect(await brokenRules(main)).toEqual([]);
  document.body.replaceChildren();
  serve(props({ data: { holidays: holidays([PAST], '2026-08-15') } }));
  expect(screen.getByRole('link', { name: 'Later holidays' }).getAttribute('href')).toBe(
    '/staff/holidays?pageToken=2026-08-15',
  );
});

it('adds a holiday, and shows whom it uncovers', () => {
  expect(called(FORM)).toMatchObject({
    method: 'POST',
    path: '/holidays',
    body: { date: '2026-11-30', name: 'Kanakadasa Jayanti' },
  });
  const body = { holiday: HOLIDAY, affected: UNCOVERED, affectedTotal: 2 };
  serve(props({ action: acted(posted(FORM), 200, body) }));
  expect(within(result()).getByRole('status').textContent).toBe(
    'Monday 30 November 2026 is a holiday: Kanakadasa Jayanti.',
  );
  expect(within(result()).getAllByRole('listitem')).toHaveLength(2);
  expect(result().querySelector('form')?.getAttribute('action')).toBe('/staff/holidays#result');
});

it('refuses a day that does not exist and a long name, and keeps both', async () => {
  const wrong = { ...FORM, date: '2026-11-31', name: 'x'.repeat(81) };
  expect(called(wrong)).toBeNull();
  const given = props({ action: acted(posted(wrong), 204) });
  const main = serve(given);
  expect([status(given), head(given).title]).toEqual([400, 'Error: Holidays']);
  expect(within(screen.getByRole('alert')).getAllByRole('link').map((one) => one.textContent)).toEqual([
    'Enter a day such as 2026-11-23', 'Shorten this to 80 characters',
  ]); // prettier-ignore
  expect(main.querySelector<HTMLInputElement>('[name=name]')?.value).toHaveLength(81);
  expect(await brokenRules(main)).toEqual([]);
});

it('keeps the form while the service is down', async () => {
  const given = props({ data: { holidays: down } });
  const main = serve(given);
  expect(status(given)).toBe(503);
  expect(screen.getByRole('alert').textContent).toContain('No holiday is lost.');
  expect(screen.getByRole('form', { name: 'New holiday' })).toBeDefined();
  expect(await brokenRules(main)).toEqual([]);
});
