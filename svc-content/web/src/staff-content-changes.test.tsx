// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { DOWN, NOW, failed, ok } from '../test/answers.ts';
import { READER } from './desk/fixtures.ts';
import type { Publication } from './desk/records.ts';
import StaffContentChanges, { head, monthOf, status } from './staff-content-changes.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffContentChanges>;

const one = (change: Partial<Publication> = {}): Publication => ({
  kind: 'doctor', recordId: 'doc-01', title: 'Dr. Rao', path: '/doctor/dr-rao', versionBefore: 2, versionAfter: 3, authorName: 'Ravi Pai',
  createTime: '2026-11-21T09:00:00Z', ...change,
}); // prettier-ignore

const CHANGES = [
  one(),
  one({ versionBefore: 0, versionAfter: 1, authorName: '', kind: 'newer-kind' }),
  one({ versionAfter: 0, createTime: '2026-11-20T18:00:00Z' }),
  one({ createTime: null }),
];

function props(change: Partial<Props> = {}): Props {
  return {
    params: {},
    query: {},
    data: { list: ok({ publications: CHANGES, nextPageToken: 'next' }) },
    action: null,
    now: NOW,
    path: '/staff/content/changes',
    part: 'content:/staff/content/changes',
    staff: READER,
    ...change,
  };
}

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffContentChanges {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

describe('the changes', () => {
  it('are by day in India, with who and from version to version', async () => {
    const main = serve();
    expect([...main.querySelectorAll('h2')].map((day) => day.textContent)).toEqual([
      'Saturday 21 November 2026',
      'Friday 20 November 2026',
      'Unknown day',
    ]);
    const rows = [...main.querySelectorAll('ol > li')].map((row) => row.textContent);
    expect(rows[0]).toContain('Dr. RaoFrom version 2 to 3Doctor, 2:30 PM IST, by Ravi Pai');
    expect(rows[1]).toContain('Published version 1');
    expect(rows[2]).toContain('Archived, was version 2');
    expect(screen.getAllByRole('link', { name: 'Dr. Rao' })[0]?.getAttribute('href')).toBe(
      '/staff/content/doctor/doc-01/history',
    );
    expect(await brokenRules(main)).toEqual([]);
  });

  it('can be those of this month, which begins at midnight in India', () => {
    serve();
    const link = screen.getByRole('link', { name: 'This month' }).getAttribute('href');
    expect(link).toBe('/staff/content/changes?since=2026-10-31T18%3A30%3A00Z');
    expect(monthOf('2026-11-30T18:29:59Z')).toBe('2026-10-31T18:30:00Z');
    expect(monthOf('2026-11-30T18:30:00Z')).toBe('2026-11-30T18:30:00Z');
  });

  it('say what an empty list means', async () => {
    const data = { list: ok({ publications: [], nextPageToken: '' }) };
    expect(serve(props({ data })).textContent).toContain('The website is as it came');
    document.body.replaceChildren();
    const main = serve(props({ data, query: { since: '2026-10-31T18:30:00Z' } }));
    expect(main.textContent).toContain('Nothing was published or archived this month');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [DOWN, 503],
    [failed(403), 403],
    [failed(400), 400],
    [undefined, 503],
  ] as const)('explain why they are not there: %#', (list, code) => {
    const given = props({ data: { list } });
    serve(given);
    expect([status(given), head(given).title]).toEqual([code, 'Error: What changed on the website']);
    expect(screen.getByRole('alert')).toBeDefined();
  });
});
