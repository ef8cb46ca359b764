// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { WaitlistEntry } from '@hospital/api/types';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { CLINIC, pageProps } from './appointment/fixtures.ts';
import { DESK, NOW, READER, acted, down, problem } from './desk/fixtures.ts';
import { type Act, choiceText } from './desk/waitlist-change.ts';
import type { WaitlistProps } from './desk/waitlist.ts';
import StaffWaitlist, { action, head, status } from './staff-waitlist.tsx';

afterEach(() => document.body.replaceChildren());

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

const ASHA: WaitlistEntry = {
  id: id(1), reference: 'WL-7K3M-9QXD', patientName: 'Asha Rao', email: 'asha@example.com', phone: '98450 12345',
  department: 'cardiology', doctorId: '', date: '2026-11-23', state: 'WAITLIST_STATE_WAITING', offerTime: '',
  offerExpireTime: '', secret: '', proof: 'PROOF_LINK', unprovenReason: '', createTime: '2026-11-20T04:00:00Z',
  etag: 'waiting-0-link', offers: 0, endReason: 'WAITLIST_END_REASON_UNSPECIFIED', language: '',
}; // prettier-ignore
const UNPROVEN: WaitlistEntry = {
  ...ASHA, id: id(2), reference: 'WL-2222-3333', patientName: 'Bhavana "B" <Gowda>', doctorId: 'doc-06',
  proof: 'PROOF_UNPROVEN', etag: 'waiting-0-unproven', createTime: '2026-11-21T04:00:00Z',
}; // prettier-ignore
const OFFERED: WaitlistEntry = {
  ...ASHA, id: id(3), reference: 'WL-4444-5555', patientName: 'Chetan', date: '2026-11-24', offerTime: '11:00 AM',
  state: 'WAITLIST_STATE_OFFERED', offerExpireTime: '2026-11-21T09:50:00Z', attendant: CLINIC, etag: 'offered-1-link',
  offers: 1,
}; // prettier-ignore
const ENDED: WaitlistEntry = {
  ...ASHA, id: id(4), patientName: '', phone: '', state: 'WAITLIST_STATE_ENDED', etag: 'ended-0-link',
  endReason: 'WAITLIST_END_REASON_UNREACHABLE', endTime: '2026-11-21T08:00:00Z',
}; // prettier-ignore

const { departments } = pageProps().data;
const listed = (entries: WaitlistEntry[], nextPageToken = '') => ({
  ok: true as const,
  status: 200,
  body: { entries, nextPageToken },
});

function props(change: Partial<WaitlistProps> = {}): WaitlistProps {
  return {
    params: {}, query: {}, data: { departments, list: listed([ASHA, UNPROVEN, OFFERED]) }, action: null, now: NOW,
    path: '/staff/waitlist', part: 'booking:/staff/waitlist', staff: DESK, ...change,
  };
} // prettier-ignore

function serve(given = props()): HTMLElement {
  document.body.replaceChildren();
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffWaitlist {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const rowOf = (name: string) =>
  [...document.querySelectorAll<HTMLElement>('[data-row]')].find((row) => row.textContent?.includes(name))!;
const labels = (row: HTMLElement) => [...row.querySelectorAll('button')].map((one) => one.textContent);
const pressed = (act: Act, entry: WaitlistEntry) => posted({ choice: choiceText(act, entry) });
const run = (form: ReturnType<typeof posted>) => inEngine(() => action(form, NOW));
const after = (act: Act, entry: WaitlistEntry, code: number, body: unknown, present: WaitlistEntry[]) =>
  props({ action: acted(pressed(act, entry), code, body), data: { departments, list: listed(present) } });

describe('the list', () => {
  it('has a heading for each day and department, and the facts of each entry', async () => {
    const main = serve();
    expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual([
      'Monday 23 November 2026: Cardiology',
      'Tuesday 24 November 2026: Cardiology',
    ]);
    expect(rowOf('Asha').textContent).toContain('Any doctor. Since 20 November 2026, 9:30 AM');
    expect(rowOf('Bhavana').textContent).toContain('Only Dr. Nandini Iyengar. Since 9:30 AM');
    expect(rowOf('Bhavana').textContent).toContain('isn’t confirmed, so no time is offered');
    expect(rowOf('Chetan').textContent).toContain(`11:00 AM with ${CLINIC.name} is offered until 3:20 PM IST.`);
    expect([status(props()), head(props()).title]).toEqual([200, 'Waiting list']);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('names a language other than English', () => {
    const entries = [{ ...ASHA, language: 'hi' }, UNPROVEN];
    serve(props({ data: { departments, list: listed(entries) } }));
    expect(rowOf('Asha').textContent).toContain('9:30 AM. Language: Hindi');
    expect(rowOf('Bhavana').textContent).not.toContain('Language');
  });

  it('offers each entry what its state allows, and asks before what can’t be undone', () => {
    serve();
    const reasons = ['Patient asked', 'Has another appointment', 'Can’t be reached', 'No more times that day'];
    expect(labels(rowOf('Asha'))).toEqual(['Offer a time', ...reasons]);
    expect(labels(rowOf('Bhavana'))).toEqual(['Spoken to, offer a time', ...reasons]);
    expect(labels(rowOf('Chetan'))).toEqual(['Book it', ...reasons]);
    const question = rowOf('Asha').querySelector('details') as HTMLDetailsElement;
    expect(question.open).toBe(false);
    expect(question.textContent).toContain('Take Asha Rao off the list for Monday 23 November 2026?');
    expect(within(question).getAllByRole('button', { hidden: true })[0]?.getAttribute('aria-label')).toBe(
      'Patient asked: Asha Rao',
    );
  });

  it('says how an entry ended, and offers no change of it', () => {
    serve(props({ data: { departments, list: listed([ENDED]) }, query: { state: 'ended' } }));
    expect(rowOf('Erased').textContent).toContain('Ended (1:30 PM): taken off, the patient can’t be reached.');
    expect(document.querySelector('form#change')).not.toBeNull();
    expect(labels(rowOf('Erased'))).toEqual([]);
  });

  it('shows an entry of a newer service without a change', () => {
    const entry = { ...ASHA, state: 'WAITLIST_STATE_PAUSED' } as unknown as WaitlistEntry;
    serve(props({ data: { departments, list: listed([entry]) } }));
    expect(rowOf('Asha').textContent).toContain('Unknown');
    expect(labels(rowOf('Asha'))).toEqual([]);
  });

  it('keeps filters in links to other states and pages', () => {
    serve(
      props({
        query: { department: 'cardiology', date: '2026-11-23' },
        data: { departments, list: listed([ASHA], 't') },
      }),
    );
    const target = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(target('Ended')).toBe('/staff/waitlist?department=cardiology&date=2026-11-23&state=ended');
    expect(target('Next page')).toBe('/staff/waitlist?department=cardiology&date=2026-11-23&pageToken=t');
    expect(screen.getByRole('link', { name: 'Open' }).getAttribute('aria-current')).toBe('true');
  });

  it.each([
    [{}, 'Nobody waits for a time. Patients join the list when a day is full.'],
    [{ department: 'cardiology' }, 'Nobody waits for a time with this filter.'],
    [{ state: 'ended' }, 'No entry has ended.'],
    [{ state: 'booked', date: '2026-11-23' }, 'Nobody has taken an offered time with this filter.'],
  ])('says what an empty list means: %j', async (query, text) => {
    const main = serve(props({ query: query as WaitlistProps['query'], data: { departments, list: listed([]) } }));
    expect(main.textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [503, null, 503, 'The waiting list can’t be shown right now'],
    [403, null, 403, 'Your role doesn’t include waiting list'],
    [400, { fields: [{ field: 'date', reason: '', message: '' }] }, 400, 'There is no list for this filter'],
    [400, { fields: [{ field: 'pageToken', reason: '', message: '' }] }, 400, 'This part of the list'],
  ])('explains %s, and keeps the filters', async (code, body, expected, text) => {
    const list = { ...down, status: code, body } as typeof down;
    const given = props({ data: { departments, list } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([expected, 'Error: Waiting list']);
    expect(screen.getByRole('alert').textContent).toContain(text);
    expect(screen.getByRole('form', { name: 'Day and department' })).toBeDefined();
    expect(await brokenRules(main)).toEqual([]);
  });

  it('is read without the scope to change, and survives sample data', () => {
    serve(props({ staff: READER }));
    expect(document.querySelectorAll('[data-row] button')).toHaveLength(0);
    const sample = Object.fromEntries(Object.keys(ASHA).map((name) => [name, `example-${name}`]));
    const list = listed([{ ...sample, offers: 1 } as unknown as WaitlistEntry], 'example-token');
    expect(() => serve(props({ data: { departments, list } }))).not.toThrow();
  });
});

describe('a change', () => {
  it.each([
    ['offer', ASHA, ':offer', { spoken: false }],
    ['spoken', UNPROVEN, ':offer', { spoken: true }],
    ['accept', OFFERED, ':accept', {}],
    ['no_times', OFFERED, ':remove', { reason: 'WAITLIST_END_REASON_NO_TIMES' }],
  ] as const)('calls the API: %s', (act, entry, verb, body) => {
    expect(run(pressed(act, entry))).toMatchObject({
      method: 'POST',
      path: `/waitlist-entries/${entry.id}${verb}`,
      headers: { 'If-Match': `"${entry.etag}"` },
      body,
    });
  });

  it.each([
    ['an unknown act', 'erase\t1\twaiting-0-link\tAsha'],
    ['a header in the version', 'offer\t1\tx"\r\nX-Other: 1\tAsha'],
    ['too few members', 'offer\t1\twaiting-0-link'],
    ['an inherited name', 'constructor\t1\twaiting-0-link\tAsha'],
    ['no id', 'offer\t\twaiting-0-link\tAsha'],
  ])('calls nothing for %s', (_, text) => {
    expect(run(posted({ choice: text }))).toBeNull();
    const given = props({ action: acted(posted({ choice: text }), 204) });
    expect(serve(given).textContent).toContain('Nothing was changed');
    expect(status(given)).toBe(400);
  });

  it('that is saved says so at its row, or on top if the entry is gone', async () => {
    const offered = { ...ASHA, state: OFFERED.state, etag: 'offered-1-link', offerTime: '9:00 AM' };
    const given = after('offer', ASHA, 200, offered, [offered]);
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Saved: Waiting list']);
    expect(document.getElementById('result')?.textContent).toContain('A free time is offered to Asha Rao.');
    expect(await brokenRules(main)).toEqual([]);
    serve(after('asked', ASHA, 200, ENDED, [OFFERED]));
    const result = document.getElementById('result') as HTMLElement;
    expect(within(result).getByRole('status').textContent).toContain('Asha Rao is off the waiting list.');
  });

  it('pressed twice offers once, and says so', () => {
    const offered = { ...ASHA, state: OFFERED.state, etag: 'offered-1-link', offerTime: '9:00 AM' };
    const given = after('offer', ASHA, 412, problem(412, 'ETAG_MISMATCH'), [offered]);
    serve(given);
    expect(status(given)).toBe(200);
    expect(document.getElementById('result')?.textContent).toContain('It already was when you chose it. 9:00 AM');
  });

  it('after another person’s change shows the present state', async () => {
    const offered = { ...ASHA, state: OFFERED.state, etag: 'offered-1-link', offerTime: '9:00 AM' };
    const given = after('no_times', ASHA, 412, problem(412, 'ETAG_MISMATCH'), [offered]);
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([412, 'Error: Waiting list']);
    expect(rowOf('Asha').textContent).toContain('9:00 AM is offered.');
    expect(rowOf('Asha').textContent).toContain('choose it again');
    expect(await brokenRules(main)).toEqual([]);
    serve(after('no_times', ASHA, 412, problem(412, 'ETAG_MISMATCH'), []));
    expect(screen.getByRole('alert').textContent).toContain('It’s not in this list any more');
    expect(screen.getByRole('link', { name: 'Show all entries' }).getAttribute('href')).toBe(
      '/staff/waitlist?state=all',
    );
  });

  it.each([
    ['offer', 400, 'NO_FREE_TIME', 'No time of that day is free right now'],
    ['offer', 400, 'NOT_FIRST', 'Another person has waited longer'],
    ['spoken', 400, 'WAITLIST_MAX', 'already on the list'],
    ['accept', 400, 'OFFER_OVER', 'The offer is over'],
    ['offer', 403, 'SCOPE_MISSING', 'Your role doesn’t include changes of the waiting list'],
    ['offer', 429, '', 'Wait a minute'],
    ['offer', 404, 'NOT_FOUND', 'no longer exists'],
    ['offer', 504, '', 'the entry is unchanged'],
  ] as const)('that fails is explained: %s %s %s', (act, code, reason, text) => {
    const given = after(act, ASHA, code, reason ? problem(code, reason) : null, [ASHA]);
    serve(given);
    expect(status(given)).toBe(code);
    expect(document.getElementById('result')?.textContent).toContain(text);
  });

  it('whose result is unknown says so', () => {
    const given = props({ action: acted(pressed('asked', ASHA), 504), data: { departments, list: down } });
    expect(serve(given).textContent).toContain('Asha Rao: the change may not have been saved');
  });
});

describe('the search', () => {
  it.each([
    ['98450 12345', '/waitlist-entries?phone=98450%2012345&pageSize=25'],
    ['wl 7k3m 9qxd', '/waitlist-entries/WL-7K3M-9QXD'],
  ])('finds %s', (query, path) => {
    expect(run(posted({ query }))).toMatchObject({ method: 'GET', path });
  });

  it('refuses another text at its field, and keeps it', () => {
    expect(run(posted({ query: 'Asha' }))).toBeNull();
    const given = props({ action: acted(posted({ query: 'Asha' }), 400) });
    serve(given);
    expect(status(given)).toBe(400);
    expect(screen.getByRole('textbox', { name: /Phone number/ }).getAttribute('value')).toBe('Asha');
    expect(document.getElementById('query-error')?.textContent).toContain('Enter a complete phone number');
  });

  it('shows what it found in every state, or says that it is nothing', async () => {
    const found = props({ action: acted(posted({ query: '98450 12345' }), 200, listed([ENDED, ASHA]).body) });
    const main = serve(found);
    expect([...main.querySelectorAll('[data-row] h3')].map((one) => one.textContent)).toEqual([
      'Erased patient',
      'Asha Rao',
    ]);
    expect(await brokenRules(main)).toEqual([]);
    const missing = props({ action: acted(posted({ query: 'WL-7K3M-9QXD' }), 404, problem(404, 'NOT_FOUND')) });
    expect(serve(missing).textContent).toContain('Nobody in the list has this phone number or reference');
    expect(status(missing)).toBe(200);
  });
});

it('names no patient in titles and addresses', () => {
  const main = serve();
  const addresses = [...main.querySelectorAll('[href]')].map((one) => String(one.getAttribute('href')));
  expect(addresses.filter((one) => !one.startsWith('tel:')).join()).not.toMatch(/Asha|WL-|98450/);
  expect(JSON.stringify(head(after('offer', ASHA, 504, null, [ASHA])))).not.toMatch(/Asha|WL-/);
});
