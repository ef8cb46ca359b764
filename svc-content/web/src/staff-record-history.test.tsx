// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { DOWN, MISSING, NOW, ok } from '../test/answers.ts';
import type { Body } from './desk/body.ts';
import { EDITOR, WRITER, acted, problem, recordOf } from './desk/fixtures.ts';
import StaffRecordHistory, { action, head, status } from './staff-record-history.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffRecordHistory>;

const BODY = recordOf('doctor').body as Body;
const RECORD = recordOf('doctor', { version: 3, liveVersion: 2, etag: 'e3' });
const VERSIONS = [
  {
    version: 3,
    body: { ...BODY, timings: '8:00 AM - 9:00 AM' },
    authorName: 'Ravi Pai',
    createTime: '2026-11-21T04:00:00Z',
  },
  { version: 2, body: BODY, authorName: 'Esha Iyer', createTime: '2026-11-20T04:00:00Z' },
  { version: 1, body: BODY, authorName: '', createTime: null },
];

function props(change: Partial<Props> = {}): Props {
  return {
    params: { kind: 'doctor', record: 'doc-01' },
    query: {},
    data: { record: ok(RECORD), versions: ok({ versions: VERSIONS, nextPageToken: '' }) },
    action: null,
    now: NOW,
    path: '/staff/content/doctor/doc-01/history',
    part: 'content:/staff/content/{kind}/{record}/history',
    staff: EDITOR,
    ...change,
  };
}

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffRecordHistory {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const pressed = (intent: string, etag = 'e3') => posted({ intent, etag });
const called = (form: ReturnType<typeof pressed>) =>
  inEngine(() => action(form, NOW, { params: { kind: 'doctor', record: 'doc-01' }, query: {} }));

describe('the history', () => {
  it('shows who changed what, and from what to what', async () => {
    const main = serve();
    const [third, second, first] = [...main.querySelectorAll('ol > li')].map((one) => one.textContent);
    expect(third).toContain('Version 3, newestSaved by Ravi Pai, Sat 21 November 2026, 9:30 AM IST');
    expect(third).toContain('Timings9:00 AM - 1:00 PM 8:00 AM - 9:00 AM');
    expect(second).toContain('Version 2, live');
    expect(second).toContain('Nothing differs');
    expect(first).toContain('Came with the website');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('says that the version before is on another page', () => {
    const data = { record: ok(RECORD), versions: ok({ versions: VERSIONS.slice(0, 1), nextPageToken: 'n' }) };
    const main = serve(props({ data }));
    expect(main.textContent).toContain('among the older versions');
    expect(screen.getByRole('link', { name: 'Older versions' })).toBeDefined();
  });

  it('restores a version as a draft, or publishes it, with the version that was seen', () => {
    const path = '/records/doctor/doc-01:revert';
    expect(called(pressed('restore:2'))).toMatchObject({
      path,
      headers: { 'If-Match': '"e3"' },
      body: { version: 2, publish: false },
    });
    expect(called(pressed('publish:1'))?.body).toEqual({ version: 1, publish: true });
    for (const intent of ['', 'restore', 'restore:0', 'restore:x', 'delete:1'])
      expect(called(pressed(intent))).toBeNull();
    expect(called(pressed('restore:2', ''))).toBeNull();
  });

  it('offers it only to those who may publish', () => {
    serve(props({ staff: WRITER }));
    expect(screen.queryAllByText(/^Restore/)).toEqual([]);
  });

  it.each([
    ['restore:2', 200, null, 'Version 2 is restored as a draft'],
    ['publish:2', 200, null, 'Version 2 is restored and published'],
    ['publish:2', 412, problem(412, 'ETAG_MISMATCH'), 'Another person has changed this record'],
    [
      'publish:2',
      400,
      problem(400, 'INVALID', [{ field: 'body.timings', message: 'must not be empty' }]),
      'timings: must not be empty',
    ],
    ['publish:2', 503, null, 'may not have been restored'],
    ['x', 204, null, 'We couldn’t read your choice'],
  ] as const)('explains the outcome: %s %i', async (intent, code, body, text) => {
    const given = props({ action: acted(pressed(intent), code, body) });
    const main = serve(given);
    expect(status(given)).toBe(code === 204 ? 400 : code);
    expect(document.getElementById('result')?.textContent).toContain(text);
    expect(head(given).title).toBe(code === 200 ? 'Saved: History' : 'Error: History');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [MISSING, 404],
    [DOWN, 503],
    [undefined, 503],
  ] as const)('explains why it is not there: %#', (versions, code) => {
    const given = props({ data: { versions } });
    serve(given);
    expect(status(given)).toBe(code);
    expect(screen.getByRole('alert')).toBeDefined();
  });
});
