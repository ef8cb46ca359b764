// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { DEPARTMENTS, DOCTOR, DOWN, NOW, failed, ok, words } from '../test/answers.ts';
import { EDITOR, recordOf } from './desk/fixtures.ts';
import type { RecordGap } from './desk/gaps.ts';
import StaffContentChecklist, { head, status } from './staff-content-checklist.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffContentChecklist>;

const MANAGER = { ...EDITOR, scopes: [...EDITOR.scopes, 'rosters:write'] };

const gap = (reason: string, change: Partial<RecordGap> = {}): RecordGap => ({
  kind: 'doctor', recordId: 'doc-06', title: 'Dr. Iyengar', field: 'image', reason, detail: '', ...change,
}); // prettier-ignore

const GAPS = [
  gap('NO_PHOTOGRAPH'),
  gap('NEWER_REASON', { field: 'about' }),
  gap('REVIEW_DUE', { kind: 'surgery', recordId: '1', title: 'Knee', field: 'reviewed', detail: '2025-10-01' }),
  gap('NOT_TRANSLATED', { kind: 'surgery', recordId: '1', title: 'Knee', language: 'kn', textCount: 3 }),
  gap('LINK_BROKEN', { kind: 'promo', recordId: 'a', title: 'Camp', field: 'url', detail: '/event/gone' }),
];

const sides = (ids: string[], bookable = DEPARTMENTS): Partial<Props['data']> => ({
  records: ok({ records: ids.map((recordId) => recordOf('doctor', { recordId })), nextPageToken: '' }),
  doctors: ok({ doctors: ids.map((id) => ({ ...DOCTOR, id, name: `Dr. ${id}` })), nextPageToken: '' }),
  departments: bookable,
});

const EQUAL = sides(['doc-06', 'doc-02', 'doc-14']);

function props(change: Partial<Props> = {}): Props {
  return {
    params: {},
    query: {},
    data: { gaps: ok({ gaps: GAPS, nextPageToken: 'next' }), ...EQUAL },
    action: null,
    now: NOW,
    path: '/staff/content/checklist',
    part: 'content:/staff/content/checklist',
    staff: EDITOR,
    ...change,
  };
}

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffContentChecklist {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const nothing = ok({ gaps: [], nextPageToken: '' });

describe('the checklist', () => {
  it('names what each record lacks, by kind, and leads to the field', async () => {
    const main = serve();
    expect([...main.querySelectorAll('h2')].map((one) => one.textContent)).toEqual([
      'Doctors',
      'Surgeries',
      'Promotions',
    ]);
    const rows = [...main.querySelectorAll('li')].map(words);
    expect(rows).toEqual([
      'Dr. IyengarNo photograph: visitors see a drawing.Something is missing: about',
      'KneeLast reviewed on 1 October 2025, more than a year ago.3 texts are shown in English on Kannada pages. Translate into Kannada',
      'CampLeads to a page that doesn’t exist: /event/gone',
    ]);
    expect(screen.getByRole('link', { name: 'Knee' }).getAttribute('href')).toBe(
      '/staff/content/surgery/1#body.reviewed',
    );
    expect(screen.getByRole('link', { name: 'Translate into Kannada' }).getAttribute('href')).toBe(
      '/staff/content/surgery/1/translations/kn',
    );
    expect(screen.getByRole('link', { name: 'Next page' }).getAttribute('href')).toContain('pageToken=next');
    expect([status(props()), head(props()).title]).toEqual([200, 'What is missing on the website']);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('names once what several records lack alone', async () => {
    const photographs = ['a', 'b', 'c'].map((recordId) => gap('NO_PHOTOGRAPH', { recordId, title: `Dr. ${recordId}` }));
    const gaps = [...photographs, ...GAPS.slice(0, 2)];
    const main = serve(props({ data: { gaps: ok({ gaps, nextPageToken: '' }), ...EQUAL } }));
    expect([...main.querySelectorAll('h3')].map(words)).toEqual([
      'Dr. Iyengar',
      'No photograph: visitors see a drawing.',
    ]);
    expect(screen.getByRole('link', { name: 'Dr. b' }).getAttribute('href')).toBe('/staff/content/doctor/b#body.image');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('says what an empty list means', async () => {
    const main = serve(props({ data: { gaps: nothing, ...EQUAL } }));
    expect(main.textContent).toContain('No record lacks anything that this list knows of.');
    expect(main.querySelector('h2')).toBeNull();
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [DOWN, 503, 'can’t be shown right now'],
    [failed(401), 401, 'Your sign-in has ended'],
    [failed(403), 403, 'Your role doesn’t include'],
    [undefined, 503, 'can’t be shown right now'],
  ] as const)('explains why it is not there, and keeps the doctors: %#', async (gaps, code, text) => {
    const given = props({ data: { ...sides(['doc-06']), ...(gaps && { gaps }) } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([code, 'Error: What is missing on the website']);
    expect(screen.getByRole('alert').textContent).toContain(text);
    expect(main.textContent).toContain('Doctors and rosters');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('tolerates sample data', () => {
    const sample = Object.fromEntries(Object.keys(gap('')).map((key) => [key, `example-${key}`]));
    const given = props({ data: { gaps: ok({ gaps: [sample as unknown as RecordGap], nextPageToken: 'example' }) } });
    expect(serve(given).textContent).toContain('example-title');
  });
});

describe('doctors on one side only', () => {
  it('are named, with the next step of a person who may take it', async () => {
    const main = serve(props({ staff: MANAGER, data: { gaps: nothing, ...sides(['doc-06', 'doc-02', 'doc-99']) } }));
    expect([...main.querySelectorAll('li')].map(words)).toEqual([
      'Dr. doc-99Has a profile, but no session in a roster: patients can’t book. Add the doctor’s roster',
      'Dr. ChitraHas a roster, but no live profile with the id doc-14. Look for its record',
    ]);
    expect(screen.getByRole('link', { name: 'Add the doctor’s roster' }).getAttribute('href')).toBe(
      '/staff/rosters/doctor:doc-99?name=Dr.%20doc-99&department=cardiology',
    );
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    serve(props({ data: { gaps: nothing, ...sides(['doc-06', 'doc-02', 'doc-14', 'doc-99']) } }));
    expect(screen.queryByRole('link', { name: 'Add the doctor’s roster' })).toBeNull();
    expect(document.body.textContent).toContain('scope rosters:write');
  });

  it('need no roster if they see known patients only', () => {
    const closed = { ...DOCTOR, id: 'doc-99', closedToNewPatients: true };
    const doctors = ok({ doctors: [closed], nextPageToken: '' });
    serve(props({ data: { gaps: nothing, ...EQUAL, doctors } }));
    expect(document.body.textContent).not.toContain('Doctors and rosters');
  });

  it.each(['records', 'doctors', 'departments'])('are not guessed while %s can’t be read', async (key) => {
    const given = props({ data: { ...props().data, ...sides(['doc-99']), [key]: DOWN } });
    const main = serve(given);
    expect(status(given)).toBe(200);
    expect(main.textContent).toContain('can’t be compared right now');
    expect(main.textContent).not.toContain('Has a profile');
    expect(main.textContent).toContain('No photograph');
    expect(await brokenRules(main)).toEqual([]);
  });
});
