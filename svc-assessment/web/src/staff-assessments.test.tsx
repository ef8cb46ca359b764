// @vitest-environment happy-dom
import type { GetAssessmentSummaryResponse } from '@hospital/api/types';
import { screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import StaffAssessments, { type AssessmentsProps, head, lastMonth, location, status } from './staff-assessments.tsx';

afterEach(() => document.body.replaceChildren());

const SUMMARY: GetAssessmentSummaryResponse = {
  month: '2026-10',
  groupSizeMin: 10,
  assessments: 64,
  results: [
    { result: 'bmiCategory', bands: [{ band: 'Normal', assessments: 40 }, { band: 'Others', assessments: 24 }] },
    { result: 'stressLevel', bands: [] },
    { result: 'somethingNew', bands: [{ band: 'x', assessments: 64 }] },
  ],
}; // prettier-ignore

const failed = (code: number, body: unknown = null) => ({ ok: false as const, status: code, body }) as never;

function props(change: Partial<AssessmentsProps> = {}): AssessmentsProps {
  return {
    params: {},
    query: { month: '2026-10' },
    data: { summary: { ok: true, status: 200, body: SUMMARY } },
    action: null,
    now: '2026-11-21T09:30:00Z',
    path: '/staff/assessments',
    part: 'assessment:/staff/assessments',
    staff: { name: 'Farida Khan', scopes: ['assessments:read'] },
    ...change,
  };
}

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffAssessments {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

describe('results of a month', () => {
  it('are counts, with what is hidden and why', async () => {
    const main = serve();
    for (const text of ['64 assessments', 'Body mass index', 'Normal40', 'Others (small groups together)24'])
      expect(main.textContent).toContain(text);
    expect(main.textContent).toContain('Fewer than 10 people are never shown');
    expect(main.textContent).toContain('Hidden: the numbers would reveal a small group.');
    expect(main.textContent).toContain('somethingNew');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('are hidden if few people took part', async () => {
    const body = { ...SUMMARY, assessments: undefined, results: [] } as GetAssessmentSummaryResponse;
    const main = serve(props({ data: { summary: { ok: true, status: 200, body } } }));
    expect(main.textContent).toContain('Fewer than 10 people stored an assessment in this month');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [failed(503), 503, 'The results can’t be shown right now'],
    [failed(403), 403, 'Your role doesn’t include results'],
    [failed(400, { fields: [{ field: 'month', message: 'Give a month that is over' }] }), 400, 'Give a month that is over'],
  ])('are absent for a reason: %#', async (summary, code, text) => {
    const given = props({ query: { month: '2026-11' }, data: { summary } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([code, 'Error: Health assessments']);
    expect(main.textContent).toContain(text);
    expect(screen.getByLabelText(/Month/, { selector: 'input' }).getAttribute('value')).toBe('2026-11');
    expect(await brokenRules(main)).toEqual([]);
  }); // prettier-ignore

  it('begin with the last month that is over, in India', () => {
    expect(lastMonth('2026-12-31T18:30:00Z')).toBe('2026-12');
    expect(lastMonth('2026-12-31T18:29:59Z')).toBe('2026-11');
    expect(lastMonth('2027-01-05T00:00:00Z')).toBe('2026-12');
    const given = props({ query: {} });
    expect([status(given), location(given)]).toEqual([302, '/staff/assessments?month=2026-10']);
    expect(location(props())).toBeNull();
  });
});
