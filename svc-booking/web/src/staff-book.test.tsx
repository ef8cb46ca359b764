// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { CLINIC, IYENGAR, days, pageProps } from './appointment/fixtures.ts';
import type { BookProps } from './desk/book.ts';
import { changeRequest } from './desk/change.ts';
import { DESK, NOW, TODAY, acted, down, problem } from './desk/fixtures.ts';
import StaffBook, { action, head, location, status } from './staff-book.tsx';

afterEach(() => document.body.replaceChildren());

const DAY = '2026-11-23';
const { departments } = pageProps().data;
const WHOSE = { department: 'cardiology', doctor: 'doc-06', from: TODAY, to: '2026-12-04' };
const HERE = '/staff/book/2026-11-23?department=cardiology&doctor=doc-06&from=2026-11-21&to=2026-12-04';

const free = (taken: readonly string[] = [], resource = IYENGAR.resource) => ({
  ok: true as const,
  status: 200,
  body: { days: days(TODAY, '2026-12-04', taken, resource), attendants: [CLINIC, IYENGAR] },
});

function bookProps(change: Partial<BookProps> = {}): BookProps {
  return {
    params: { date: DAY },
    query: WHOSE,
    data: { departments, free: free() },
    action: null,
    now: NOW,
    path: `/staff/book/${DAY}`,
    part: 'booking:/staff/book/{date}',
    staff: DESK,
    ...change,
  };
}

const start = (query: Record<string, string> = {}) => bookProps({ params: {}, query, data: { departments } });

const VALUES = {
  department: 'cardiology', doctor: 'doc-06', when: '2026-11-23 9:30 AM', patientName: 'Asha Rao', phone: '98450 12345',
  email: 'asha@example.com',
}; // prettier-ignore
const BODY = {
  reference: 'SH-7K3M-9QXD', patientName: 'Asha Rao', department: 'cardiology', date: DAY, time: '9:30 AM',
  attendant: IYENGAR, secret: 'x'.repeat(43), email: 'asha@example.com', startsAt: '2026-11-23T04:00:00Z',
  status: 'APPOINTMENT_STATUS_BOOKED', etag: '1', phone: '+91 98450 12345',
}; // prettier-ignore
const sent = (change: object, code: number, body: unknown, more: Partial<BookProps> = {}) =>
  bookProps({ action: acted(posted({ ...VALUES, ...change }), code, body), ...more });

function serve(given = bookProps()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffBook {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const form = () => screen.getByRole('form', { name: 'Time and patient' }) as HTMLFormElement;
const times = () => screen.getAllByRole('radio').map((one) => (one as HTMLInputElement).value.slice(11));
const result = () => document.getElementById('result') as HTMLElement;
const typed = () =>
  ['patientName', 'phone', 'email'].map((name) => (form().elements.namedItem(name) as HTMLInputElement).value);

describe('the address without a day', () => {
  it('asks for a department or doctor, and has no time', async () => {
    const main = serve(start());
    expect([location(start()), status(start())]).toEqual([null, 200]);
    expect(screen.queryByRole('radio')).toBeNull();
    const options = [...main.querySelectorAll('option')].map(({ value }) => value);
    expect(options).toContain('cardiology');
    expect(options).toContain('cardiology/doc-06');
    expect(options.join()).not.toContain('emergency');
    expect((screen.getByLabelText('Day') as HTMLInputElement).value).toBe(TODAY);
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [{ with: 'cardiology/doc-06', date: DAY }, `${DAY}?department=cardiology&doctor=doc-06&from=${DAY}&to=2026-12-06`],
    [{ with: 'cardiology', date: '' }, `${TODAY}?department=cardiology&from=${TODAY}&to=2026-12-04`],
  ])('leads to the chosen day: %o', (query, wanted) => {
    expect([location(start(query)), status(start(query))]).toEqual([`/staff/book/${wanted}`, 302]);
  });

  it.each([
    ['2026-11-20', 'This day has passed'],
    ['2027-03-01', 'Choose a day up to 20 January 2027'],
    ['23.11.', 'Give the day as YYYY-MM-DD'],
  ])('explains which days can be booked instead of %s', async (date, text) => {
    const given = start({ with: 'cardiology', date });
    expect([location(given), status(given), head(given).title]).toEqual([null, 400, 'Error: Book for a caller']);
    const main = serve(given);
    expect(document.getElementById('date-error')?.textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('the free times', () => {
  it('are radio buttons of the day, in a form with at most seven fields', async () => {
    const main = serve(bookProps({ data: { departments, free: free([`${DAY} 9:00 AM`]) } }));
    expect([location(bookProps()), status(bookProps())]).toEqual([null, 200]);
    expect(times()).toHaveLength(17);
    expect(times()[0]).toBe('9:30 AM');
    expect(form().getAttribute('action')).toBe(`${HERE}#result`);
    const fields = main.querySelectorAll<HTMLInputElement>('input:not([type=hidden]), select');
    expect([...new Set([...fields].map(({ name }) => name))]).toEqual([
      'with',
      'date',
      'when',
      'patientName',
      'phone',
      'email',
      'language',
    ]);
    expect(screen.getAllByRole('radio', { name: '9:30 AM' })).toHaveLength(1);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('name the doctor or clinic of each time if none was chosen', () => {
    const { doctor: _, ...query } = WHOSE;
    serve(bookProps({ query, data: { departments, free: free([], CLINIC.resource) } }));
    expect(screen.getAllByRole('radio', { name: /Cardiology clinic/ })).toHaveLength(18);
  });

  it('of another day keep what was typed, without a call', () => {
    serve();
    const monday = screen.getByRole('button', { name: 'Tue 24 Nov 18 free' }) as HTMLButtonElement;
    expect(monday.getAttribute('formaction')).toBe(HERE.replace('/2026-11-23', '/2026-11-24'));
    expect(screen.getByRole('button', { name: 'Mon 23 Nov 18 free' }).getAttribute('aria-current')).toBe('true');
    expect(screen.queryByRole('button', { name: 'Earlier days' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Later days' }).getAttribute('formaction')).toContain(
      '/2026-12-05?department=cardiology&doctor=doc-06&from=2026-12-05&to=2026-12-18',
    );
    const shown = posted({ ...VALUES, intent: 'show', phone: '12' });
    expect(inEngine(() => action(shown, NOW))).toBeNull();
    document.body.replaceChildren();
    const given = bookProps({ action: acted(shown, 204), params: { date: '2026-11-24' } });
    serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Book for a caller']);
    expect(typed()).toEqual(['Asha Rao', '12', 'asha@example.com']);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('are explained where there are none', () => {
    const sunday = bookProps({ params: { date: '2026-11-22' } });
    const main = serve(sunday);
    expect(screen.queryByRole('radio')).toBeNull();
    expect(main.textContent).toContain('Closed on Sundays');
    document.body.replaceChildren();
    const ended = free();
    ended.body.days = ended.body.days.map((one) => ({ ...one, slots: [], closedCode: 'CLOSED_CODE_ENDED' as const }));
    expect(serve(bookProps({ data: { departments, free: ended } })).textContent).toContain(
      'The times of today are over.',
    );
  });

  it.each([
    ['down', 503, 'The free times can’t be shown right now'],
    ['an unknown doctor', 400, 'There is no list for this filter'],
  ])('say why they are not there, and keep the form: %s', async (_, code, text) => {
    const failed = { departments: down, free: { ok: false as const, status: code, body: null } };
    const given = sent({ intent: 'show' }, 204, null, { data: failed });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([code, 'Error: Book for a caller']);
    expect(screen.getByRole('alert').textContent).toContain(text);
    expect(typed()).toEqual(['Asha Rao', '98450 12345', 'asha@example.com']);
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('a booking', () => {
  it('is one call, with the chosen doctor', () => {
    expect(inEngine(() => action(posted(VALUES), NOW))).toMatchObject({
      method: 'POST',
      path: '/appointments:book',
      body: {
        patientName: 'Asha Rao', phone: '98450 12345', email: 'asha@example.com', date: DAY, time: '9:30 AM',
        department: 'cardiology', doctorId: 'doc-06', arrived: false,
      },
      receipt: { facts: { Reference: 'reference' } },
    }); // prettier-ignore
  });

  it.each(['kn', 'hi'])('has the language of the patient: %s', (language) => {
    expect(inEngine(() => action(posted({ ...VALUES, language }), NOW))).toMatchObject({ body: { language } });
    const main = serve(sent({ language }, 503, null));
    expect(main.querySelector('select[name=language] option[selected]')?.getAttribute('value')).toBe(language);
    document.body.replaceChildren();
    serve(sent({ language }, 201, { ...BODY, language }));
    expect(result().textContent).toMatch(/Language(Kannada|Hindi)/);
  });

  it('is in English unless another language is chosen', () => {
    expect(inEngine(() => action(posted({ ...VALUES, language: '' }), NOW))?.body).not.toHaveProperty('language');
    const main = serve();
    const options = [...main.querySelectorAll<HTMLOptionElement>('select[name=language] option')];
    expect(options.map(({ value, lang, text }) => [value, lang, text])).toEqual([
      ['', 'en', 'English'],
      ['kn', 'kn', 'ಕನ್ನಡ'],
      ['hi', 'hi', 'हिन्दी'],
    ]);
    expect(main.querySelector('select[name=language] option[selected]')?.getAttribute('value')).toBe('');
  });

  it('shows the reference and what to tell the patient, but no secret', async () => {
    const given = sent({}, 201, BODY);
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Saved: Book for a caller']);
    expect(within(result()).getByRole('status').textContent).toContain('The appointment is booked');
    for (const text of ['SH-7K3M-9QXD', 'Monday 23 November 2026', '9:30 AM IST', 'Cardiology', '₹800'])
      expect(result().textContent).toContain(text);
    expect(result().textContent).toMatch(/come 15 minutes early .* Bring ID proof, previous medical records/);
    expect(main.innerHTML).not.toContain(BODY.secret);
    expect(main.querySelector('form')).toBeNull();
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    ['phone number', { email: '' }],
    ['e-mail address', { phone: '' }],
  ])('needs a %s alone', (_, change) => {
    expect(inEngine(() => action(posted({ ...VALUES, ...change }), NOW))).toMatchObject({ body: change });
  });

  it.each([
    ['without an e-mail address', { email: '' }],
    ['that has begun', { startsAt: NOW }],
  ])('%s tells nobody, and says so', async (_, change) => {
    const main = serve(sent({}, 200, { ...BODY, ...change }));
    expect(result().textContent).toContain('Nobody was e-mailed. Read out the reference, the day and the time.');
    expect(result().textContent).not.toContain('goes to the patient’s e-mail');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('is shown at any address that booked it', () => {
    const given = sent({}, 201, BODY, { query: { ...WHOSE, to: '' } });
    expect([location(given), status(given)]).toEqual([null, 200]);
  });

  it('that a retry repeats is not taken for a new one', () => {
    serve(sent({}, 200, { ...BODY, date: '2026-11-24' }));
    expect(result().textContent).toContain('This patient was already booked');
    expect(result().textContent).toContain('Nothing new was booked');
  });

  it('of a taken time offers the nearest ones, and keeps what was typed', async () => {
    const metadata = { alternatives: '2026-11-23 10:00 AM, 2026-11-24 9:30 AM' };
    const given = sent({}, 409, { ...problem(409, 'SLOT_TAKEN'), metadata });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([409, 'Error: Book for a caller']);
    expect(screen.getByRole('alert').textContent).toContain('This time was just taken');
    expect(screen.queryByRole('radio', { name: '9:30 AM' })).toBeNull();
    expect(screen.getAllByRole('radio', { name: '10:00 AM' })).toHaveLength(1);
    const other = screen.getByRole<HTMLInputElement>('radio', { name: 'Tue 24 Nov, 9:30 AM' });
    expect(other.value).toBe('2026-11-24 9:30 AM');
    expect(screen.getAllByRole('radio').some((one) => (one as HTMLInputElement).checked)).toBe(false);
    expect(typed()).toEqual(['Asha Rao', '98450 12345', 'asha@example.com']);
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [{ when: '' }, 'when', 'Choose a free time'],
    [{ when: '2026-11-23 9:31 AM' }, 'when', 'Choose a free time'],
    [{ patientName: ' ' }, 'patientName', 'Enter the patient’s name'],
    [{ phone: '98450' }, 'phone', '7 to 15 digits'],
    [{ email: 'asha@' }, 'email', 'name@example.com'],
    [{ phone: '', email: ' ' }, 'phone', 'a phone number or an e-mail address'],
  ])('without %o names the field and calls nothing', async (change, field, text) => {
    expect(inEngine(() => action(posted({ ...VALUES, ...change }), NOW))).toBeNull();
    const given = sent(change, 204, null);
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([400, 'Error: Book for a caller']);
    const link = within(result()).getByRole('link', { name: new RegExp(text) });
    expect(link.getAttribute('href')).toBe(`#${field}`);
    expect(document.getElementById(`${field}-error`)?.textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('that the service refuses names the field, or the limit', () => {
    const fields = [{ field: 'time', message: 'Choose a time at least 60 minutes from now (IST)' }];
    serve(sent({}, 400, { ...problem(400, 'INVALID_ARGUMENT'), fields }));
    expect(document.getElementById('when-error')?.textContent).toContain('60 minutes');
    expect((screen.getByRole('radio', { name: '9:30 AM' }) as HTMLInputElement).checked).toBe(true);
    document.body.replaceChildren();
    const here = [{ field: 'arrived', message: 'Only a visit of today can be booked as arrived' }];
    serve(sent({ here: 'arrived' }, 400, { ...problem(400, 'INVALID_ARGUMENT'), fields: here }));
    expect(document.getElementById('when-error')?.textContent).toContain('Only a visit of today');
  });

  it.each([503, 504])('without a reply says how to find out: %i', (code) => {
    const given = sent({}, code, null, { data: { departments: down, free: down } });
    serve(given);
    expect(status(given)).toBe(code);
    expect(result().textContent).toContain('may not have been booked');
    expect(result().textContent).toContain('the same form never books twice');
    expect(Object.fromEntries(new FormData(form()))).toMatchObject(VALUES);
  });
});

describe('a walk-in', () => {
  const query = { ...WHOSE, walkIn: 'now' };
  const here = (change: Partial<BookProps> = {}) => {
    const running = free([`${TODAY} 9:00 AM`, `${TODAY} 9:30 AM`]);
    return bookProps({ params: { date: TODAY }, query, data: { departments, free: running }, ...change });
  };
  const checked = () =>
    screen.getAllByRole<HTMLInputElement>('radio').flatMap(({ checked, value }) => (checked ? [value] : []));

  it('asks for a department, then leads to today', async () => {
    const main = serve(start({ walkIn: 'now' }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Book a walk-in');
    expect(main.textContent).toContain('The running or the next free time is then chosen.');
    const whose = screen.getByRole('form', { name: 'Doctor and day' }) as HTMLFormElement;
    expect(new FormData(whose).get('walkIn')).toBe('now');
    expect(await brokenRules(main)).toEqual([]);
    const found = `/staff/book/${TODAY}?department=cardiology&walkIn=now&from=${TODAY}&to=2026-12-04`;
    expect(location(start({ with: 'cardiology', walkIn: 'now' }))).toBe(found);
    expect(location(here())).toBeNull();
  });

  it('has the first free time chosen, and Enter books it as arrived', async () => {
    const main = serve(here());
    expect(checked()).toEqual([`${TODAY} 10:00 AM`]);
    const [enter] = form().querySelectorAll<HTMLButtonElement>('button[type=submit]');
    expect([enter?.name, enter?.value]).toEqual(['here', 'arrived']);
    expect(screen.getByRole('button', { name: 'Book as arrived' })).toBeDefined();
    const times = posted({ ...VALUES, when: `${TODAY} 10:00 AM`, here: 'arrived', email: '' });
    expect(inEngine(() => action(times, NOW))).toMatchObject({ body: { arrived: true, time: '10:00 AM' } });
    expect(await brokenRules(main)).toEqual([]);
  });

  it('keeps the time that was chosen instead', () => {
    serve(here({ action: acted(posted({ ...VALUES, when: `${TODAY} 2:00 PM`, phone: '1' }), 204) }));
    expect(checked()).toEqual([`${TODAY} 2:00 PM`]);
  });

  it('on another day is a booking like others', () => {
    serve(here({ params: { date: DAY }, data: { departments, free: free() } }));
    expect(checked()).toEqual([]);
    expect(screen.queryByRole('button', { name: 'Book as arrived' })).toBeNull();
  });

  it('is booked as arrived, and nobody is told to come early', async () => {
    const body = { ...BODY, date: TODAY, status: 'APPOINTMENT_STATUS_ARRIVED', email: '' };
    const action = acted(posted({ ...VALUES, when: `${TODAY} 9:30 AM`, here: 'arrived' }), 200, body);
    const main = serve(here({ action }));
    expect(within(result()).getByRole('status').textContent).toContain('Booked and marked as arrived');
    expect(result().textContent).toContain('Nobody was e-mailed. Read out the reference.');
    expect(result().textContent).not.toContain('15 minutes early');
    expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
    expect(await brokenRules(main)).toEqual([]);
  });

  it('offers to undo the arrival, on the list of the day', async () => {
    const body = { ...BODY, date: TODAY, status: 'APPOINTMENT_STATUS_ARRIVED', undoExpireTime: '2026-11-21T09:30:30Z' };
    const action = acted(posted({ ...VALUES, when: `${TODAY} 9:30 AM`, here: 'arrived' }), 201, body);
    const main = serve(here({ action }));
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Undo arrived: Asha Rao' });
    expect([button.form?.method, button.form?.getAttribute('action')]).toEqual([
      'post',
      `/staff/today/${TODAY}#result`,
    ]);
    expect(changeRequest(posted({ [button.name]: button.value }))).toMatchObject({
      path: '/appointments/SH-7K3M-9QXD:undoStatus',
      headers: { 'If-Match': '"1"' },
    });
    expect(await brokenRules(main)).toEqual([]);
  });
});

it('names no patient in titles and addresses', () => {
  const given = sent({ phone: '', email: '' }, 204, null);
  const main = serve(given);
  expect(JSON.stringify(head(given))).not.toMatch(/Asha|SH-|98450/);
  const named = [...main.querySelectorAll('[href], [action], [formaction]')];
  const addresses = named.flatMap((one) => ['href', 'action', 'formaction'].map((name) => one.getAttribute(name)));
  expect(addresses.join()).not.toMatch(/Asha|98450/);
});
