// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { DOWN, NOW, failed, ok } from '../test/answers.ts';
import { EDITOR, READER, recordOf } from './desk/fixtures.ts';
import StaffContent, { head, location, status } from './staff-content.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffContent>;

const RECORDS = [
  recordOf('doctor'),
  recordOf('doctor', {
    recordId: 'doc-02',
    title: 'Dr. "B" <Rao>',
    version: 4,
    liveVersion: 3,
    authorName: 'Ravi Pai',
  }),
  recordOf('doctor', {
    recordId: 'doc-03',
    state: 'draft',
    liveVersion: 0,
    publishVersion: 1,
    publishTime: '2026-12-05T03:30:00Z',
  }),
  recordOf('doctor', { recordId: 'doc-04', state: 'archived', liveVersion: 0, scheduleProblem: 'the name is taken' }),
];

function props(change: Partial<Props> = {}): Props {
  return {
    params: {},
    query: { kind: 'doctor' },
    data: { list: ok({ records: RECORDS, nextPageToken: 'next' }) },
    action: null,
    now: NOW,
    path: '/staff/content',
    part: 'content:/staff/content',
    staff: EDITOR,
    ...change,
  };
}

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffContent {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

describe('the list', () => {
  it('shows states in words, times, and who changed what', async () => {
    const main = serve();
    expect([status(props()), location(props()), head(props()).title]).toEqual([200, null, 'Content: Doctors']);
    const texts = within(screen.getAllByRole('list')[0] as HTMLElement)
      .getAllByRole('listitem')
      .map((one) => one.textContent);
    expect(texts).toHaveLength(4);
    expect(texts[0]).toMatch(/Live.*Came with the website/);
    expect(texts[1]).toMatch(/Dr\. "B" <Rao>Live, newer draft.*Changed by Ravi Pai, Fri 20 November 2026/);
    expect(texts[2]).toMatch(/Draft.*Version 1 will be published on Sat 5 December 2026, 9:00 AM IST/);
    expect(texts[3]).toMatch(/Archived.*it was not published: the name is taken/);
    expect(screen.getByRole('link', { name: 'Add a doctor' }).getAttribute('href')).toBe('/staff/content/doctor/new');
    expect(screen.getByRole('link', { name: 'Next page' }).getAttribute('href')).toBe(
      '/staff/content?kind=doctor&pageToken=next',
    );
    expect(await brokenRules(main)).toEqual([]);
  });

  it('leads to the doctors if the address names no kind', () => {
    expect([status(props({ query: {} })), location(props({ query: {} }))]).toEqual([303, '/staff/content?kind=doctor']);
  });

  it('offers nothing to add to readers, nor where there is exactly one', () => {
    serve(props({ staff: READER }));
    expect(screen.queryByRole('link', { name: /^Add/ })).toBeNull();
    document.body.replaceChildren();
    serve(props({ query: { kind: 'site' }, data: { list: ok({ records: [recordOf('site')], nextPageToken: '' }) } }));
    expect(screen.queryByRole('link', { name: /^Add/ })).toBeNull();
  });

  it.each([
    [{}, 'There is no event. The website shows none.'],
    [{ state: 'draft' }, 'There is no draft of a new event'],
    [{ state: 'archived' }, 'No event is archived'],
    [{ q: 'yoga' }, 'nothing has “yoga” in its name or title'],
    [{ pageToken: 'x' }, 'Nothing more'],
  ])('says what an empty list means: %#', async (query, text) => {
    const given = props({ query: { kind: 'event', ...query }, data: { list: ok({ records: [], nextPageToken: '' }) } });
    const main = serve(given);
    expect(main.textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [DOWN, 503, 'can’t be shown right now'],
    [failed(403), 403, 'Your role doesn’t include content records'],
    [failed(429), 429, 'Too many requests'],
    [failed(400), 400, 'There is no list for this filter'],
    [undefined, 503, 'can’t be shown right now'],
  ] as const)('explains why it is not there: %#', (list, code, text) => {
    const given = props({ data: { list } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([code, 'Error: Content: Doctors']);
    expect(main.textContent).toContain(text);
    expect(screen.getByLabelText('Kind')).toBeDefined();
  });

  it('of an unknown kind shows the kinds there are', () => {
    const given = props({ query: { kind: 'nothing' } });
    const main = serve(given);
    expect(status(given)).toBe(404);
    expect(main.textContent).toContain('There is no such kind of content');
  });
});
