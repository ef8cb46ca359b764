// @vitest-environment happy-dom
import type { AuditEntry } from '@hospital/api/types';
import type { ActionOutcome, StaffMember } from '@hospital/page';
import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { type AuditProps, ROWS, SERVICES, type Service, actionText, auditList, exportDays } from '../src/desk/audit.ts';
import { verifyText } from '../src/desk/verification.ts';
import StaffAudit, { action, head, status } from '../src/staff-audit.tsx';

afterEach(() => document.body.replaceChildren());

const NOW = '2026-11-21T09:30:00Z';
const MANAGER: StaffMember = { name: 'Farida Khan', scopes: ['audit:read'] };
const ID = '00000000-0000-4000-8000-000000000001';

const entry = (number: number, change: Partial<AuditEntry> = {}): AuditEntry => ({
  number: String(number),
  createTime: new Date(Date.parse('2026-11-21T00:00:00Z') + number * 60_000).toISOString(),
  actor: 'frontdesk',
  action: 'appointment.read',
  ids: [ID],
  detail: '',
  ...change,
});
const listed = (entries: AuditEntry[], nextPageToken = '') => ({
  ok: true as const,
  status: 200,
  body: { entries, nextPageToken },
});
const failed = (code: number, body: unknown = null) => ({ ok: false as const, status: code, body }) as never;
const down = failed(503);
const nothing = listed([]);
const all = (result: unknown) => Object.fromEntries(SERVICES.map((one) => [one, result])) as AuditProps['data'];
const only = (service: Service, result: unknown) => ({ ...all(nothing), [service]: result }) as AuditProps['data'];

function props(change: Partial<AuditProps> = {}): AuditProps {
  return {
    params: {},
    query: {},
    data: only('booking', listed([entry(2), entry(1)])),
    action: null,
    now: NOW,
    path: '/staff/audit',
    part: 'shell:/staff/audit',
    staff: MANAGER,
    ...change,
  };
}

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffAudit {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const link = (name: string) => screen.getAllByRole('link', { name })[0]?.getAttribute('href');
const entries = (main: HTMLElement) => [...main.querySelectorAll('ol > li')].map((row) => row.textContent);
const acted = (form: ActionOutcome['form'], code: number, body: unknown = null): ActionOutcome => ({
  form,
  result: { status: code, body },
});

describe('the list', () => {
  it('shows who did what to which ids, newest first, from all services', async () => {
    const main = serve(
      props({
        data: {
          ...all(nothing),
          booking: listed([entry(9), entry(2, { ids: [], detail: '25 <b>appointments</b>' })]),
          messaging: listed([entry(5, { actor: 'job:retention', action: 'retention.removed', createTime: '2026-11-20T04:00:00Z' })]),
        } as AuditProps['data'],
      }),
    ); // prettier-ignore
    const texts = entries(main);
    expect(texts).toHaveLength(3);
    for (const text of ['5:39 AM', 'Appointment read', 'frontdesk', ID, 'Appointments, entry 9'])
      expect(texts[0]).toContain(text);
    expect(texts[1]).toContain('entry 2: 25 <b>appointments</b>');
    expect(texts[2]).toContain('job:retention');
    expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual([
      'Today',
      'Friday 20 November 2026',
      'Verify and export',
    ]);
    expect(link(ID)).toBe(`/staff/audit?id=${ID}`);
    expect(link('job:retention')).toBe('/staff/audit?actor=job%3Aretention');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('names at most 25 ids of an entry, most of them on demand', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `id-${index}`);
    const main = serve(props({ data: only('booking', listed([entry(1, { ids })])) }));
    expect(main.querySelectorAll('ol a')).toHaveLength(4);
    expect(main.querySelector('summary')?.textContent).toBe('198 more');
    expect(main.querySelector('details')?.textContent).toContain('id-24 and 175 more, which the export names');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('keeps the other logs if one service is down, and says which is missing', async () => {
    const given = props({ data: { ...props().data, messaging: down } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Audit log']);
    expect(entries(main)).toHaveLength(2);
    expect(screen.getByRole('alert').textContent).toContain('Not in this list: Messages');
    expect(screen.getByText('Can’t be reached').closest('li')?.textContent).toContain('Messages');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [all(down), 503, 'The audit logs can’t be shown right now'],
    [{}, 503, 'The audit logs can’t be shown right now'],
    [{ ...all(down), content: failed(429) }, 429, 'Too many requests'],
    [all(failed(401)), 401, 'Your sign-in has ended'],
    [{ ...all(failed(400, { fields: [{ field: 'pageToken', message: 'x' }] })), booking: down }, 400, 'no longer available'],
  ] as const)('explains why there is none: %#', async (data, code, text) => {
    const given = props({ data: data as AuditProps['data'] });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([code, 'Error: Audit log']);
    expect(screen.getAllByRole('alert')[0]?.textContent).toContain(text);
    // An unreachable log must not look like an empty one.
    expect(main.textContent).not.toContain('No service has recorded anything');
    expect(await brokenRules(main)).toEqual([]);
  }); // prettier-ignore

  it('names a refused field beside it, and keeps what was typed', async () => {
    const fields = [{ field: 'to', reason: 'INVALID', message: 'Give a day as YYYY-MM-DD' }];
    const given = props({ query: { to: '2026-02-31', actor: 'asha' }, data: all(failed(400, { fields })) });
    const main = serve(given);
    expect(status(given)).toBe(400);
    const day = screen.getByLabelText(/Last day/);
    expect(day.getAttribute('value')).toBe('2026-02-31');
    expect(day.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByLabelText('Person').getAttribute('value')).toBe('asha');
    expect(main.textContent).toContain('Give a day as YYYY-MM-DD');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [{}, '', 'No service has recorded anything yet.'],
    [{ actor: 'nobody' }, '', 'No entry matches this filter.'],
    [{ actor: 'nobody' }, '7', 'No entry matches this filter so far.'],
  ])('explains an empty list: %#', async (query, token, text) => {
    const main = serve(props({ query, data: only('booking', listed([], token)) }));
    expect(main.textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('pages', () => {
  it('meet without gap or repetition, whichever service has more', () => {
    // 60 entries of one service, 40 of another at the same times, 3 of a third.
    const logs: Partial<Record<Service, AuditEntry[]>> = {
      booking: Array.from({ length: 60 }, (_, index) => entry(60 - index)),
      messaging: Array.from({ length: 40 }, (_, index) => entry(40 - index)),
      content: [entry(33), entry(32), entry(1)],
    };
    const read = (service: Service, before = '') => {
      const found = (logs[service] ?? []).filter(({ number }) => !before || Number(number) < Number(before));
      return listed(found.slice(0, ROWS), found.length > ROWS ? (found[ROWS - 1]?.number ?? '') : '');
    };
    const seen: string[] = [];
    let query: Record<string, string | undefined> | null = {};
    for (let page = 0; query && page < 10; page += 1) {
      const at: Record<string, string | undefined> = query;
      const data = Object.fromEntries(SERVICES.map((one) => [one, read(one, at[one])])) as AuditProps['data'];
      const list = auditList({ data, query: at as AuditProps['query'] });
      seen.push(...list.rows.map((row) => `${row.service} ${row.entry.number}`));
      query = list.next;
    }
    expect(query).toBeNull();
    expect(seen).toHaveLength(103);
    expect(new Set(seen).size).toBe(103);
  });

  it('lose no entry whose time is out of order', () => {
    const late = [entry(3, { createTime: '2026-11-21T01:00:00Z' }), entry(2, { createTime: '2026-11-21T02:00:00Z' })];
    const others = Array.from({ length: ROWS - 1 }, (_, index) => entry(500 - index));
    const list = auditList({ data: { ...only('booking', listed(others)), content: listed(late) }, query: {} });
    expect(list.rows.at(-1)).toMatchObject({ service: 'content', entry: { number: '3' } });
    expect(list.next).toMatchObject({ content: '3' });
  });

  it('keep the place of a service that is down', () => {
    const query = { actor: 'asha', messaging: '40' };
    const data = { ...only('booking', listed([entry(9)], '9')), messaging: down };
    expect(auditList({ data, query }).next).toEqual({ actor: 'asha', booking: '9', messaging: '40' });
    serve(props({ query, data }));
    expect(link('Older ones')).toBe('/staff/audit?actor=asha&booking=9&messaging=40');
    expect(link('First page')).toBe('/staff/audit?actor=asha');
  });
});

it('exports the days of the filter, today without one', () => {
  expect(exportDays({}, NOW)).toEqual(['2026-11-21', '2026-11-21']);
  expect(exportDays({ from: '2026-11-01' }, NOW)).toEqual(['2026-11-01', '2026-11-21']);
  expect(exportDays({ to: '2026-11-05', from: '2026-02-31' }, NOW)).toEqual(['2026-11-05', '2026-11-05']);
  serve(props({ query: { from: '2026-11-01', to: '2026-11-05' } }));
  const files = screen.getAllByRole('link', { name: /^Export 1 November 2026 to 5 November 2026: / });
  expect(files.map((file) => file.getAttribute('href'))).toContain('/api/audit/content/export?from=2026-11-01&to=2026-11-05');
}); // prettier-ignore

it('has words for any action', () => {
  expect(actionText('holiday.put_back')).toBe('Holiday put back');
  expect(actionText('')).toBe('');
});

describe('a verification', () => {
  const press = (text: string) => posted({ verify: text });

  it('calls the API of the service', () => {
    expect(inEngine(() => action(press('booking')))).toMatchObject({ method: 'POST', path: '/audit/booking:verify', body: { pageToken: '' } });
    expect(inEngine(() => action(press(verifyText('content', '9:0:1:a'))))).toMatchObject({ body: { pageToken: '9:0:1:a' } });
  }); // prettier-ignore

  it.each(['', 'shell', '../x', 'booking a b', 'booking "', `booking ${'0'.repeat(257)}`, 'constructor'])(
    'calls nothing for another form: %#',
    (text) => {
      expect(inEngine(() => action(press(text)))).toBeNull();
    },
  );

  const whole = { intact: true, brokenAt: '', entries: '5123', head: '5123:ab', nextPageToken: '' };
  it.each([
    ['booking', 200, whole, 200, 'Appointments: the log is whole', '5123:ab'],
    ['messaging', 200, { ...whole, intact: false, brokenAt: '17', head: '' }, 200, 'Messages: the log is broken at entry 17', 'change nothing'],
    ['content', 200, { ...whole, nextPageToken: '1:2' }, 200, 'the first 5123 entries', 'Check the next entries'],
    ['booking', 503, null, 503, 'was not checked', 'can’t be reached'],
    ['booking', 429, null, 429, 'was not checked', 'another person'],
    ['booking', 400, null, 400, 'was not checked', 'Begin again'],
    ['x', 204, null, 400, 'Nothing was checked', 'choose again'],
  ] as const)('shows its result: %#', async (text, code, body, expected, title, more) => {
    const query = { actor: 'asha' };
    const given = props({ query, action: acted(press(text), code, body) });
    const main = serve(given);
    expect(status(given)).toBe(expected);
    const result = document.getElementById('result') as HTMLElement;
    expect(result.textContent).toContain(title);
    expect(result.textContent).toContain(more);
    // The list and its filter stay.
    expect(entries(main)).toHaveLength(2);
    expect(within(main).getByLabelText('Person').getAttribute('value')).toBe('asha');
    expect(await brokenRules(main)).toEqual([]);
  }); // prettier-ignore
});
