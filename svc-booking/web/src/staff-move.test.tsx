// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { CLINIC, IYENGAR, days, pageProps } from './appointment/fixtures.ts';
import type { Listed } from './desk/appointment.ts';
import { seenOf, seenText } from './desk/choice.ts';
import { ASHA, DESK, DONE, NOW, TODAY, acted, down, problem } from './desk/fixtures.ts';
import { type MoveProps, moveAddress } from './desk/move.ts';
import StaffMove, { action, head, location, status } from './staff-move.tsx';

afterEach(() => document.body.replaceChildren());

const { departments } = pageProps().data;
const QUERY = { department: 'cardiology', doctor: 'doc-06', from: TODAY, to: '2026-12-04' };
const WHEN = '2026-11-21 4:00 PM';
const opened = (body: Listed) => ({ ok: true as const, status: 200, body });
const free = {
  ok: true as const,
  status: 200,
  body: { days: days(TODAY, '2026-12-04', [], IYENGAR.resource), attendants: [CLINIC, IYENGAR] },
};

function moveProps(one: Listed = ASHA, change: Partial<MoveProps> = {}): MoveProps {
  return {
    params: { appointment: one.id, date: TODAY },
    query: QUERY,
    data: { departments, free, appointment: opened(one) },
    action: null,
    now: NOW,
    path: `/staff/move/${one.id}/${TODAY}`,
    part: 'booking:/staff/move/{appointment}/{date}',
    staff: DESK,
    ...change,
  };
}

const fields = (when = WHEN, seen: Listed = ASHA) => posted({ seen: seenText(seenOf(seen)), when });
const sent = (code: number, body: unknown, now: Listed = ASHA, form = fields()) =>
  moveProps(now, { action: acted(form, code, body) });
const MOVED: Listed = { ...ASHA, etag: '2', time: '4:00 PM', startsAt: '2026-11-21T10:30:00Z' };

function serve(given = moveProps()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffMove {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const result = () => document.getElementById('result') as HTMLElement;

describe('the page', () => {
  it('has the free times of the appointment’s doctor, and says what a move does', async () => {
    const main = serve();
    expect([location(moveProps()), status(moveProps())]).toEqual([null, 200]);
    expect(screen.getAllByRole('radio')).toHaveLength(18);
    for (const text of ['Asha Rao', 'Saturday 21 November 2026, 9:30 AM IST', 'Dr. Nandini Iyengar', 'Cardiology'])
      expect(main.textContent).toContain(text);
    expect(main.textContent).toContain('That time becomes free, and we’ll e-mail the new time');
    expect(screen.getByRole('button', { name: 'Move Asha Rao to the chosen time' })).toBeDefined();
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    expect(serve(moveProps({ ...ASHA, email: '' })).textContent).toContain('nobody is notified');
  });

  it('leads to the times of that doctor, or of the department after a clinic', () => {
    const other = moveProps(ASHA, { query: { ...QUERY, doctor: 'doc-16' } });
    const own = '/staff/move/1/2026-11-21?department=cardiology&doctor=doc-06&from=2026-11-21&to=2026-12-04';
    expect([location(other), status(other)]).toEqual([own, 302]);
    expect(moveAddress(ASHA, NOW)).toBe(own);
    expect(moveAddress({ ...ASHA, attendant: CLINIC, date: '2026-11-01' }, NOW)).toBe(
      own.replace('&doctor=doc-06', ''),
    );
    expect(moveAddress({ ...ASHA, date: '2026-11-23' }, NOW)).toContain('/2026-11-23?');
  });

  it('has no form for an appointment that is over', async () => {
    const main = serve(moveProps(DONE));
    expect(main.querySelector('form')).toBeNull();
    expect(main.textContent).toContain('can’t be moved: its status is “Completed”');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    ['unknown', 404, 404, 'There is no such appointment'],
    ['down', 503, 503, 'The appointments can’t be shown right now'],
    ['another role', 403, 403, 'Your role doesn’t include appointments'],
  ])('explains why it is not there: %s', async (_, code, wanted, text) => {
    const given = moveProps(ASHA, { data: { departments: down, free: down, appointment: { ...down, status: code } } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([wanted, 'Error: Move an appointment']);
    expect(screen.getByRole('alert').textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('keeps the appointment while its times cannot be shown', () => {
    const given = moveProps(ASHA, { data: { departments, free: down, appointment: opened(ASHA) } });
    const main = serve(given);
    expect(status(given)).toBe(503);
    expect(main.textContent).toContain('The free times can’t be shown right now');
    expect(main.textContent).toContain('Asha Rao');
    document.body.replaceChildren();
    const past = moveProps(ASHA, { params: { appointment: '1', date: '2026-11-01' } });
    expect(status(past)).toBe(400);
    expect(serve(past).textContent).toContain('This day has passed');
  });
});

describe('a move', () => {
  it('is one call with the version that the person saw', () => {
    const request = inEngine(() => action(fields(), NOW, { params: { appointment: ASHA.id }, query: QUERY }));
    expect(request).toMatchObject({
      method: 'POST',
      path: '/appointments/1:move',
      headers: { 'If-Match': '"1"' },
      body: { date: TODAY, time: '4:00 PM', department: 'cardiology', doctorId: 'doc-06' },
      receipt: { facts: { Reference: 'reference' } },
    });
  });

  it.each([
    ['another day', posted({ intent: 'show', seen: seenText(seenOf(ASHA)), when: WHEN })],
    ['no time', posted({ seen: seenText(seenOf(ASHA)) })],
    ['no form', {}],
    ['a header in the version', fields(WHEN, { ...ASHA, etag: '1"\r\nX-Other: 1' })],
  ])('calls nothing for %s', (_, form) => {
    expect(inEngine(() => action(form, NOW, { params: { appointment: '1' }, query: QUERY }))).toBeNull();
  });

  it('shows the new time, and leads to its list', async () => {
    const given = sent(200, MOVED, MOVED);
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Saved: Move an appointment']);
    expect(within(result()).getByRole('status').textContent).toContain(
      'Asha Rao is moved to Saturday 21 November 2026, 4:00 PM',
    );
    expect(result().textContent).toContain('BeforeSaturday 21 November 2026, 9:30 AM IST');
    expect(main.querySelector('form')).toBeNull();
    expect(await brokenRules(main)).toEqual([]);
  });

  it('to a time that has begun is announced by phone', () => {
    const running = { ...MOVED, time: '3:00 PM', startsAt: '2026-11-21T09:30:00Z' };
    serve(sent(200, running, running));
    expect(result().textContent).toContain('nobody was e-mailed: tell it by phone.');
    document.body.replaceChildren();
    expect(serve().textContent).toContain('a new link, unless it has begun.');
    document.body.replaceChildren();
    const later = moveProps(ASHA, { params: { appointment: '1', date: '2026-11-23' } });
    expect(serve(later).textContent).toContain('a new link. The old link');
  });

  it('counts a second press as the first', () => {
    const given = sent(412, problem(412, 'ETAG_MISMATCH'), MOVED);
    serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Saved: Move an appointment']);
  });

  it('of a taken time offers the nearest ones', async () => {
    const metadata = { alternatives: '2026-11-21 4:30 PM, 2026-11-24 9:30 AM' };
    const given = sent(409, { ...problem(409, 'SLOT_TAKEN'), metadata });
    const main = serve(given);
    expect(status(given)).toBe(409);
    expect(result().textContent).toContain('4:00 PM on Saturday 21 November 2026 was just taken');
    expect(screen.queryByRole('radio', { name: '4:00 PM' })).toBeNull();
    expect(screen.getByRole('radio', { name: 'Tue 24 Nov, 9:30 AM' })).toBeDefined();
    expect(await brokenRules(main)).toEqual([]);
  });

  it('shows another person’s change, and sends the new version next', () => {
    const changed = { ...ASHA, etag: '2', date: '2026-11-24', time: '11:00 AM' };
    const given = sent(412, problem(412, 'ETAG_MISMATCH'), changed);
    const main = serve(given);
    expect(status(given)).toBe(412);
    expect([...result().querySelectorAll('dl > div')].map((one) => one.textContent)).toEqual([
      'DaySaturday 21 November 2026 Tuesday 24 November 2026',
      'Time9:30 AM 11:00 AM',
    ]);
    expect(main.querySelector<HTMLInputElement>('[name=seen]')?.value).toContain('\t2\t');
  });

  it.each([
    ['no time', fields(''), 204, null, 400, 'Choose a free time'],
    ['no form of this page', posted({ when: WHEN }), 204, null, 400, 'Nothing was moved'],
    ['a limit', fields(), 400, { ...problem(400, 'NOT_OPEN'), detail: 'This appointment is over.' }, 400, 'is over'],
    ['no reply', fields(), 504, null, 504, 'the appointment is unchanged'],
    ['another role', fields(), 403, problem(403, 'SCOPE_MISSING'), 403, 'Your role doesn’t include'],
  ])('explains a refusal: %s', async (_, form, code, body, wanted, text) => {
    const given = sent(code, body, ASHA, form);
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([wanted, 'Error: Move an appointment']);
    expect(result().textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('without a reply and the appointment is not known to be saved', () => {
    serve(
      moveProps(ASHA, { action: acted(fields(), 504), data: { appointment: down, departments: down, free: down } }),
    );
    expect(result().textContent).toContain('may not have been moved');
  });
});

it('names no patient in titles and addresses', () => {
  const given = sent(504, null);
  const main = serve(given);
  expect(JSON.stringify(head(given))).not.toMatch(/Asha|SH-|98450/);
  const named = [...main.querySelectorAll('[href], [action], [formaction]')];
  const addresses = named.flatMap((one) => ['href', 'action', 'formaction'].map((name) => one.getAttribute(name)));
  expect(addresses.join()).not.toMatch(/Asha|SH-/);
});
