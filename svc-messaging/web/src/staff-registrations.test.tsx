// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import { absent, ok } from '../test/answers.ts';
import StaffRegistrationList, { head, status } from './staff-registration-list.tsx';
import StaffRegistrations, { status as eventsStatus } from './staff-registrations.tsx';

const NOW = '2026-11-21T09:30:00Z';
const EVENT = {
  id: 'heart-day', title: 'Heart day', startsAt: '2026-12-05T03:30:00Z', endsAt: '2026-12-05T10:30:00Z', location: 'Hall', places: 40, taken: 40,
  cancelled: '',
}; // prettier-ignore
const PERSON = {
  id: 'm-1', reference: 'MS-7K3M-9QXD', name: 'Asha Rao', phone: '+91 80 0000 0199', email: '', people: 3, createTime: NOW, notice: '', language: '',
}; // prettier-ignore
const common = {
  params: { event: 'heart-day' }, query: {}, action: null, now: NOW, path: '/staff/registrations', part: 'messaging:/staff/registrations',
}; // prettier-ignore

type People = Parameters<typeof StaffRegistrationList>[0]['data']['list'];
type Events = Parameters<typeof StaffRegistrations>[0]['data']['list'];
const people = (list: People) => ({ ...common, data: { list } });
const events = (list: Events) => ({ ...common, params: {}, data: { list } });
const list = (change = {}, registrations = [PERSON], nextPageToken = '') =>
  ok({ event: { ...EVENT, ...change }, registrations, nextPageToken });

function show(element: React.ReactElement): HTMLElement {
  return render(<main>{element}</main>).container;
}

afterEach(cleanup);

describe('the list of events', () => {
  it('shows places taken, full and cancelled ones, and what an empty list means', async () => {
    const past = { ...EVENT, id: 'past', title: 'Past talk', endsAt: NOW, places: 0, taken: 2 };
    const off = { ...EVENT, id: 'off', title: 'Off', cancelled: 'The speaker is ill.' };
    const container = show(<StaffRegistrations {...events(ok({ events: [past, EVENT, off], nextPageToken: 'n2' }))} />);
    for (const text of ['40 of 40 places taken, full', '2 registered, no limit', 'Cancelled: The speaker is ill.'])
      expect(screen.getAllByText(text)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Heart day' }).getAttribute('href')).toBe('/staff/registrations/heart-day');
    expect(screen.getByRole('link', { name: 'Later events' }).getAttribute('href')).toBe(
      '/staff/registrations?pageToken=n2',
    );
    expect(await brokenRules(container)).toEqual([]);
    cleanup();
    show(<StaffRegistrations {...events(ok({ events: [], nextPageToken: '' }))} />);
    expect(screen.getByText(/There are no events to register for/)).toBeTruthy();
  });

  it('shows that it is away', () => {
    expect(eventsStatus(events(absent()))).toBe(503);
    show(<StaffRegistrations {...events(absent())} />);
    expect(screen.getByRole('alert').textContent).toContain('No registration is lost');
  });
});

describe('the people of an event', () => {
  it('shows whom to call, and what was done about a cancellation', async () => {
    const mailed = {
      ...PERSON,
      id: 'm-2',
      name: 'Ravi Iyer',
      email: 'ravi@visitor.example',
      people: 1,
      notice: 'mailed',
      language: 'kn',
    };
    const cancelled = list({ cancelled: 'The speaker is ill.' }, [{ ...PERSON, notice: 'no_address' }, mailed]);
    const container = show(<StaffRegistrationList {...people(cancelled)} />);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Heart day');
    const languages = screen.getAllByRole('listitem').map((one) => one.textContent.includes('Kannada'));
    expect(languages).toEqual([false, true]);
    for (const text of ['3 people', '1 person', 'No e-mail address: call', 'E-mailed that it is cancelled'])
      expect(screen.getByText(text)).toBeTruthy();
    const [call] = screen.getAllByRole('link', { name: PERSON.phone });
    expect(call?.getAttribute('href')).toBe('tel:+918000000199');
    expect(head(people(cancelled)).title).not.toContain('Asha');
    expect(await brokenRules(container)).toEqual([]);
  });

  it.each([
    [list({}, []), 'Nobody is registered for this event.', 200],
    [absent(404), 'There is no event at this address', 404],
    [absent(403), 'Your role doesn’t include registrations', 403],
    [absent(503), 'No registration is lost', 503],
  ] as [People, string, number][])('shows what is missing', (answer, text, code) => {
    const container = show(<StaffRegistrationList {...people(answer)} />);
    expect(container.textContent).toContain(text);
    expect(status(people(answer))).toBe(code);
  });
});
