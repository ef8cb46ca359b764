// @vitest-environment happy-dom
import type { Delivery, Suppression } from '@hospital/api/types';
import { fireEvent, screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { type DeliveriesProps, kindText, whyText } from './desk/deliveries.ts';
import { DESK, NOW, READER, acted, down, problem } from './desk/fixtures.ts';
import addKeys from './desk/keys.script.ts';
import { liftText, resendText } from './desk/redo.ts';
import StaffDeliveries, { action, head, status } from './staff-deliveries.tsx';

afterEach(() => document.body.replaceChildren());

const FAILED: Delivery = {
  id: '00000000-0000-4000-8000-000000000001', kind: 'appointment.booked', channel: 'email', state: 'failed',
  reason: 'no_recipient', recipientName: 'Asha Rao', recipient: 'asha@example.com', subjectId: '', attempts: 1,
  lastError: 'answered 550 5.1.1', createTime: '2026-11-21T04:00:00Z', expireTime: '2026-11-24T04:00:00Z',
}; // prettier-ignore
const WAITING: Delivery = {
  ...FAILED, id: '00000000-0000-4000-8000-000000000002', state: 'waiting', reason: '', channel: 'sms', attempts: 0,
  recipientName: '', recipient: '+919845012345', lastError: '', createTime: '2026-11-20T04:00:00Z',
}; // prettier-ignore
const POSTPONED: Delivery = {
  ...WAITING, id: '00000000-0000-4000-8000-000000000003', state: 'postponed', recipient: '',
  postponedUntil: '2026-11-21T12:30:00Z',
}; // prettier-ignore
const EXPIRED: Delivery = { ...WAITING, id: '00000000-0000-4000-8000-000000000004', state: 'expired' };
const STOPPED: Suppression = {
  id: '00000000-0000-4000-8000-000000000009', email: 'asha@example.com', reason: '5.1.1',
  createTime: '2026-11-21T04:00:00Z', expireTime: '2026-12-21T04:00:00Z',
}; // prettier-ignore

const listed = (deliveries: Delivery[], nextPageToken = '') =>
  ({ ok: true, status: 200, body: { deliveries, nextPageToken } }) as const;
const stopped = (suppressions: Suppression[], nextPageToken = '') =>
  ({ ok: true, status: 200, body: { suppressions, nextPageToken } }) as const;

function props(change: Partial<DeliveriesProps> = {}): DeliveriesProps {
  return {
    params: {},
    query: {},
    data: { list: listed([FAILED, WAITING, POSTPONED, EXPIRED]), suppressions: stopped([STOPPED]) },
    action: null,
    now: NOW,
    path: '/staff/deliveries',
    part: 'messaging:/staff/deliveries',
    staff: DESK,
    ...change,
  };
}

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffDeliveries {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const rows = () => [...document.querySelectorAll<HTMLElement>('[data-row]')];
const buttonsOf = (row: HTMLElement | undefined) => [...(row?.querySelectorAll('button') ?? [])].map((one) => one.name);
const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
const result = () => document.getElementById('result') as HTMLElement;

describe('the list', () => {
  it('shows what did not arrive, for whom, and why', async () => {
    const main = serve();
    expect([status(props()), head(props()).title]).toEqual([200, 'Deliveries']);
    expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual([
      'Today',
      'Friday 20 November 2026',
      'Stopped addresses',
    ]);
    const [failed, waiting, postponed, expired, address] = rows().map((row) => row.textContent);
    for (const text of ['9:30 AM', 'Appointment booked', 'Asha Rao, asha@example.com', 'Failed', 'doesn’t exist'])
      expect(failed).toContain(text);
    expect(waiting).toContain('Appointment booked, by text message');
    expect(postponed).toContain('Unknown recipient');
    expect(postponed).toContain('Postponed until Saturday 21 November 2026, 6:00 PM IST');
    expect(expired).toContain('is of no use any more');
    expect(address).toContain('asha@example.com');
    expect(address).toContain('until Monday 21 December 2026, 9:30 AM IST. Reason: 5.1.1.');
    expect(rows().map(buttonsOf)).toEqual([['redo'], ['redo'], ['redo'], [], ['redo']]);
    expect(document.getElementById('change')?.getAttribute('action')).toBe('/staff/deliveries#result');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('has no buttons without the scope, or after the expiry', async () => {
    const main = serve(props({ staff: READER }));
    expect(main.querySelectorAll('button, form')).toHaveLength(0);
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    serve(props({ data: { list: listed([{ ...FAILED, expireTime: NOW }]), suppressions: stopped([]) } }));
    expect(buttonsOf(rows()[0])).toEqual([]);
  });

  it('explains empty lists', async () => {
    const data = { list: listed([]), suppressions: stopped([]) };
    const main = serve(props({ data }));
    expect(main.textContent).toContain('Everything was sent');
    expect(main.textContent).toContain('No address is stopped.');
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    expect(serve(props({ query: { state: 'failed' }, data })).textContent).toContain('No delivery is failed.');
  });

  it('leads to each state and to further pages, each list on its own', () => {
    const query = { state: 'failed', pageToken: 'a', addressToken: 'b' };
    serve(props({ query, data: { list: listed([FAILED], 'c'), suppressions: stopped([STOPPED], 'd') } }));
    expect(hrefOf('Waiting')).toBe('/staff/deliveries?state=waiting');
    expect(screen.getByRole('link', { name: 'Failed' }).getAttribute('aria-current')).toBe('true');
    const hrefs = (name: string) =>
      within(screen.getByRole('navigation', { name }))
        .getAllByRole('link')
        .map((one) => one.getAttribute('href'));
    expect(hrefs('More deliveries')).toEqual([
      '/staff/deliveries?state=failed&addressToken=b',
      '/staff/deliveries?state=failed&pageToken=c&addressToken=b',
    ]);
    expect(hrefs('More stopped addresses')).toEqual([
      '/staff/deliveries?state=failed&pageToken=a',
      '/staff/deliveries?state=failed&pageToken=a&addressToken=d',
    ]);
  });

  it('keeps one list if the other cannot be shown', async () => {
    const given = props({ data: { list: listed([FAILED]), suppressions: down } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([503, 'Error: Deliveries']);
    expect(screen.getByRole('alert').textContent).toContain('The stopped addresses can’t be shown right now');
    expect(rows()).toHaveLength(1);
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    serve(props({ data: { list: down, suppressions: stopped([STOPPED]) } }));
    expect(screen.getByRole('alert').textContent).toContain('The deliveries can’t be shown right now');
    expect(rows()).toHaveLength(1);
  });
});

it.each([
  [{ state: 'failed', reason: 'suppressed' }, 'Resume it below before you resend. 1 failed attempt. Last error: answered 550 5.1.1.'],
  [{ state: 'failed', reason: 'constructor', attempts: 0, lastError: '' }, 'Reason: constructor.'],
  [{ state: 'waiting', attempts: 2, lastError: '' }, 'We try to send it until Tuesday 24 November 2026, 9:30 AM IST. 2 failed attempts.'],
  [{ state: 'postponed' }, 'Postponed: the recipient got many mails.'],
])('explains a delivery: %o', (change, text) => {
  expect(whyText({ ...FAILED, ...change })).toContain(text);
}); // prettier-ignore

it('keeps the name of an unknown kind', () => {
  expect(kindText({ kind: 'appointment.paid', channel: 'email' })).toBe('appointment.paid');
  expect(kindText({ kind: 'toString', channel: 'email' })).toBe('toString');
});

describe('a button', () => {
  const resend = posted({ redo: resendText(FAILED) });
  const lift = posted({ redo: liftText(STOPPED) });

  it.each([
    [resend, '/deliveries/00000000-0000-4000-8000-000000000001:resend'],
    [lift, '/suppressions/00000000-0000-4000-8000-000000000009:lift'],
  ])('calls the API: %#', (form, path) => {
    expect(inEngine(() => action(form))).toMatchObject({ method: 'POST', path, body: {} });
  });

  it.each([
    {},
    posted({ redo: 'resend' }),
    posted({ redo: resendText({ ...FAILED, id: '../x' }) }),
    posted({ redo: resendText(FAILED).replace('resend', 'delete') }),
    posted({ redo: resendText({ ...FAILED, recipient: 'x'.repeat(1_000) }) }),
  ])('calls nothing for another form: %#', (form) => {
    expect(inEngine(() => action(form))).toBeNull();
  });

  it.each([
    [resend, 200, { ...FAILED, state: 'waiting' }, 200, '“Appointment booked” to asha@example.com is being sent again.'],
    [lift, 200, {}, 200, 'Mails to asha@example.com are sent again.'],
    [resend, 404, problem(404, 'NOT_FOUND'), 404, 'It was sent in the meantime'],
    [lift, 404, problem(404, 'NOT_FOUND'), 404, 'The address is no longer stopped.'],
    [resend, 400, problem(400, 'DELIVERY_EXPIRED'), 400, 'It is too late'],
    [resend, 504, null, 504, 'We got no reply.'],
    [lift, 403, null, 403, 'Your role doesn’t include changes of addresses.'],
    [resend, 403, null, 403, 'Your role doesn’t include changes of deliveries.'],
    [posted({ redo: 'x' }), 204, null, 400, 'Nothing was changed'],
  ] as const)('shows its outcome: %#', async (form, code, body, expected, text) => {
    const given = props({ action: acted(form, code, body) });
    const main = serve(given);
    expect(status(given)).toBe(expected);
    expect(head(given).title).toBe(expected < 400 ? 'Saved: Deliveries' : 'Error: Deliveries');
    expect(result().textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  }); // prettier-ignore

  it('has a key', () => {
    const main = serve();
    addKeys(main);
    const sent: string[] = [];
    main.addEventListener('submit', (event) => {
      sent.push(((event as SubmitEvent).submitter as HTMLButtonElement).value.split('\t')[0] as string);
      event.preventDefault();
    });
    rows()[0]?.focus();
    fireEvent.keyDown(rows()[0] as HTMLElement, { key: 'r' });
    expect(sent).toEqual(['resend']);
  });
});
