// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { ASHA, acted, listed, problem } from './desk/fixtures.ts';
import { MANAGER, UNCOVERED, down, weekProps } from './roster/fixtures.ts';
import { peopleText, personOf } from './roster/people.ts';
import StaffUncovered, { action, head, status } from './staff-uncovered.tsx';

afterEach(() => document.body.replaceChildren());

const props = (change: Parameters<typeof weekProps>[0] = {}) =>
  weekProps({
    query: {},
    data: { list: listed(UNCOVERED) },
    path: '/staff/uncovered',
    part: 'booking:/staff/uncovered',
    ...change,
  });

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffUncovered {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const result = () => document.getElementById('result') as HTMLElement;
const BHARAT = { ...ASHA, reference: 'SH-2222-3333', patientName: 'Bharat', uncovered: true };
const PEOPLE = [...UNCOVERED, BHARAT].map(personOf);
const OFFER = { people: peopleText(PEOPLE) };
const called = (people: string) => inEngine(() => action(posted({ people }), props().now));

describe('the list', () => {
  it('shows everyone, with one offer to all of the page', async () => {
    const main = serve();
    expect([status(props()), head(props()).title]).toEqual([200, 'Uncovered appointments']);
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    const form = main.querySelector('form') as HTMLFormElement;
    expect(form.getAttribute('action')).toBe('/staff/uncovered#result');
    expect(form.querySelector<HTMLInputElement>('[name=people]')?.value).toBe(peopleText(UNCOVERED.map(personOf)));
    expect([...main.querySelectorAll<HTMLElement>('[data-live]')].map(({ dataset }) => dataset.live)).toEqual([
      'as-of',
      'rows',
    ]);
    expect(main.querySelector('[data-live="rows"]')?.contains(form)).toBe(true);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('says what an empty list means, and leads to later pages', async () => {
    const empty = serve(props({ data: { list: listed([]) } }));
    expect(empty.textContent).toContain('Every booked appointment is covered: a doctor or clinic works at its time.');
    expect(await brokenRules(empty)).toEqual([]);
    document.body.replaceChildren();
    serve(props({ data: { list: listed(UNCOVERED, '1_2') } }));
    expect(screen.getByRole('link', { name: 'Later ones' }).getAttribute('href')).toBe(
      '/staff/uncovered?pageToken=1_2',
    );
  });

  it('cannot write without the scope', () => {
    const main = serve(props({ staff: { ...MANAGER, scopes: ['appointments:read'] } }));
    expect(main.querySelector('form')).toBeNull();
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
  });

  it('explains that it can’t be shown', async () => {
    const given = props({ data: { list: down } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([503, 'Error: Uncovered appointments']);
    expect(screen.getByRole('alert').textContent).toContain('No appointment is lost.');
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('the offer of a new time', () => {
  it('is for the people with an e-mail address', () => {
    expect(called(OFFER.people)).toMatchObject({
      method: 'POST',
      path: '/appointments:notifyUncovered',
      body: { appointments: ['SH-7K3M-9QXD', 'SH-2222-3333'] },
    });
    // As browsers send line breaks.
    expect(called(OFFER.people.replace(/\n/g, '\r\n'))).toMatchObject({
      body: { appointments: ['SH-7K3M-9QXD', 'SH-2222-3333'] },
    });
  });

  it.each([
    ['nothing', ''],
    ['nobody with an e-mail address', peopleText(UNCOVERED.slice(1).map(personOf))],
    ['another text', 'SH-7K3M-9QXD'],
    ['no reference', peopleText(PEOPLE.map((person) => ({ ...person, reference: '../x' })))],
    ['too many', peopleText(Array.from({ length: 41 }, () => PEOPLE[0] as (typeof PEOPLE)[number]))],
    ['a long text', `${OFFER.people}${'x'.repeat(20_000)}`],
  ])('calls nothing for %s', (_, people) => {
    expect(called(people)).toBeNull();
    const given = props({ action: acted(posted({ people }), 204) });
    serve(given);
    expect(status(given)).toBe(400);
    expect(result().textContent).toContain('Nobody was written to');
  });

  it('lists who was written to, who must be called and who is covered again', async () => {
    const given = props({ action: acted(posted(OFFER), 200, { told: ['SH-7K3M-9QXD'] }) });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Saved: Uncovered appointments']);
    expect(within(result()).getByRole('status').textContent).toContain('We are writing to 1 person.');
    const groups = within(result()).getAllByRole('region');
    expect(groups.map((one) => [one.querySelector('h2')?.textContent, one.querySelector('b')?.textContent])).toEqual([
      ['Written to (1)', 'Asha Rao'],
      ['Not written to: please call (1)', 'Erased patient'],
      ['Not written to: no longer uncovered (1)', 'Bharat'],
    ]);
    expect(screen.getByRole('link', { name: 'Show all uncovered appointments' })).toBeDefined();
    expect(await brokenRules(main)).toEqual([]);
  });

  it('may have written to nobody, and says so', () => {
    serve(props({ action: acted(posted(OFFER), 200, { told: [] }) }));
    expect(within(result()).getByRole('alert').textContent).toBe('Nobody was written to');
  });

  it.each([
    [503, 'The mails may not have been sent', 'nobody gets a second mail while the first is still waiting'],
    [403, 'Nobody was written to', 'Your role doesn’t include changes of appointments.'],
    [429, 'Nobody was written to', 'Wait a minute'],
  ])('keeps the people after a failure with status %d', async (code, title, text) => {
    const given = props({ action: acted(posted(OFFER), code, problem(code, 'X')) });
    const main = serve(given);
    expect(status(given)).toBe(code);
    expect(within(result()).getByRole('alert').textContent).toContain(title);
    expect(within(result()).getByRole('alert').textContent).toContain(text);
    expect(within(result()).getAllByRole('listitem')).toHaveLength(3);
    expect(within(result()).getByRole('button', { name: 'Write to 2 people', hidden: true })).toBeDefined();
    expect(await brokenRules(main)).toEqual([]);
  });
});

it('names no patient in titles', () => {
  const given = props({ action: acted(posted(OFFER), 200, { told: [] }) });
  expect(JSON.stringify(head(given))).not.toMatch(/Asha|SH-|98450/);
});
