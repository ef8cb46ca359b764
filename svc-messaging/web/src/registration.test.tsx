// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { setLanguage } from '@hospital/page/language';
import { brokenRules } from '@hospital/ui/accessibility';
import { EVENT, SITE, absent, ok } from '../test/answers.ts';
import RegistrationPage, { action, head, status } from './registration.tsx';
import RegistrationCancel, { action as cancelAction } from './registration-cancel.tsx';

type Props = Parameters<typeof RegistrationPage>[0];

const NOW = '2026-11-21T09:30:00Z';
const FORM = {
  name: 'Asha Rao',
  phone: '080 0000 0199',
  email: '',
  people: '3',
  event: EVENT.id,
  about: 'Talk about knees',
};
const props = (change: Partial<Props> = {}): Props => ({
  params: { id: EVENT.id }, query: {}, data: { event: ok(EVENT), site: ok(SITE) }, action: null, now: NOW,
  path: `/event/${EVENT.id}/register`, part: 'messaging:/event/{id}/register', ...change,
}); // prettier-ignore
const acted = (code: number, body: unknown, form = FORM): Partial<Props> => ({
  action: { form: posted(form), result: { status: code, body: body as null } },
});
const REGISTERED = {
  reference: 'MS-7K3M-9QXD', name: 'Asha Rao', registration: { eventId: EVENT.id, people: 3 },
}; // prettier-ignore

const show = (change: Partial<Props> = {}) =>
  render(
    <main>
      <RegistrationPage {...props(change)} />
    </main>,
  ).container;

afterEach(() => {
  cleanup();
  setLanguage(undefined);
});

describe('registering for an event', () => {
  it('asks for name, phone and number of people, and posts to the event’s own address', async () => {
    const container = show();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(`Register for ${EVENT.title}`);
    expect(container.querySelector('form')?.getAttribute('action')).toBe(`/event/${EVENT.id}/register`);
    for (const label of [/^Your name/, /^Phone/, /^Email/, /^How many people/])
      expect(screen.getByLabelText(label)).toBeTruthy();
    expect(screen.getByText('Saturday 12 December 2026')).toBeTruthy();
    expect(await brokenRules(container)).toEqual([]);
  });

  it('sends a message of its own kind', () => {
    expect(inEngine(() => action(posted(FORM), NOW))).toMatchObject({
      method: 'POST',
      path: '/messages',
      body: {
        name: 'Asha Rao',
        phone: '080 0000 0199',
        subject: 'Registration: Talk about knees',
        registration: { eventId: 'talk-knee', people: 3 },
      },
    });
  });

  it.each([
    ['name', { name: ' ' }],
    ['phone', { phone: '12' }],
    ['email', { email: 'nowhere' }],
    ['people', { people: '11' }],
    ['people', { people: '0' }],
  ])('keeps what was typed when %s is wrong', (field, wrong) => {
    const form = { ...FORM, ...wrong };
    expect(action(posted(form), NOW)).toBeNull();
    const refused = props(acted(204, null, form));
    const container = show(refused);
    expect(status(refused)).toBe(400);
    expect(container.querySelector(`[name=${field}]`)?.getAttribute('aria-invalid')).toBe('true');
    expect(container.querySelector<HTMLInputElement>('[name=phone]')?.value).toBe(form.phone);
    if (form.people === FORM.people)
      expect(container.querySelector<HTMLSelectElement>('[name=people]')?.value).toBe('3');
    expect(head(refused).title).toMatch(/^Error: /);
  });

  it('confirms with event, day, people, reference and a calendar file', async () => {
    const container = show(acted(201, REGISTERED));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('You’re registered');
    for (const text of [EVENT.title, 'Saturday 12 December 2026', 'MS-7K3M-9QXD'])
      expect(screen.getByText(text)).toBeTruthy();
    expect(container.textContent).toContain('We’ll keep 3 places for you');
    const calendar = screen.getByRole('link', { name: 'Add to calendar' }).getAttribute('href');
    expect(calendar).toBe('/api/events/talk-knee/calendar');
    expect(await brokenRules(container)).toEqual([]);
  });

  it.each(['kn', 'hi'] as const)('%s: leads to the calendar file in the language', (language) => {
    setLanguage(language);
    const container = show(acted(201, REGISTERED));
    const calendar = container.querySelector('a[download]')?.getAttribute('href');
    expect(calendar).toBe(`/api/events/talk-knee/calendar?lang=${language}`);
  });

  it('confirms without the event while team content is away', () => {
    const container = show({ ...acted(201, REGISTERED), data: { event: absent(), site: absent() } });
    expect(container.textContent).toContain('We’ll keep 3 places for you');
    expect(screen.queryByRole('link', { name: 'Add to calendar' })).toBeNull();
  });

  it('is closed for past events, and missing for unknown ones', () => {
    show({ data: { event: ok({ ...EVENT, past: true }), site: ok(SITE) } });
    expect(screen.getByText('This event is over. Registration is closed.')).toBeTruthy();
    expect(document.querySelector('form')).toBeNull();
    expect(status(props({ data: { event: absent(404), site: ok(SITE) } }))).toBe(404);
  });
});

describe('places', () => {
  const places = (left: number) => ok({ places: 40, left });
  const data = (left: number, change = {}) => ({
    event: ok({ ...EVENT, ...change }),
    site: ok(SITE),
    places: places(left),
  });

  it('shows how many are left, and closes a full or cancelled event', async () => {
    const cases = [
      [data(1), '1 place is left.', true],
      [data(7), '7 places are left.', true],
      [data(0), 'All places are taken. Registration is closed.', false],
      [data(7, { cancelled: 'The speaker is ill.' }), 'The speaker is ill. Registration is closed.', false],
    ] as const;
    for (const [given, text, hasForm] of cases) {
      const container = show({ data: given });
      expect(container.textContent).toContain(text);
      expect(container.querySelector('form') !== null).toBe(hasForm);
      expect(await brokenRules(container)).toEqual([]);
      cleanup();
    }
  });

  it('keeps what was typed when the event is full in the end', async () => {
    const refused = {
      ...acted(400, { reason: 'EVENT_FULL', detail: 'This event is full: all places are taken.' }),
      data: data(0),
    };
    const container = show(refused);
    expect(container.textContent).toContain('This event is full: all places are taken.');
    expect(container.querySelector<HTMLInputElement>('[name=phone]')?.value).toBe(FORM.phone);
    expect(container.querySelector<HTMLSelectElement>('[name=people]')?.value).toBe('3');
    expect(await brokenRules(container)).toEqual([]);
  });

  it('are given back by a button, not by opening the link', async () => {
    const path = '/registration/cancel';
    const link = { ...props(), query: { token: 'abc' }, data: { site: ok(SITE) }, path, part: `messaging:${path}` };
    const { container } = render(
      <main>
        <RegistrationCancel {...link} />
      </main>,
    );
    expect(screen.getByRole('button', { name: 'Give my place back' })).toBeTruthy();
    expect(cancelAction(posted({ token: 'abc' }), NOW)).toMatchObject({
      path: '/registrations:cancel',
      body: { token: 'abc' },
    });
    expect(await brokenRules(container)).toEqual([]);
  });
});
