// @vitest-environment happy-dom
import type { Newsletter } from '@hospital/api/types';
import { screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { SITE, ok } from '../test/answers.ts';
import { MANAGER, NOW, down } from './desk/fixtures.ts';
import StaffNewsletterIssue, { head, status } from './staff-newsletter-issue.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffNewsletterIssue>;

const ISSUE: Newsletter = {
  id: '00000000-0000-4000-8000-000000000007', subject: 'A healthy winter', text: 'Keep moving.\n\nDrink water.',
  mails: 1_234, complete: true, createTime: '2026-11-21T09:00:00Z',
}; // prettier-ignore

function props(newsletter: Props['data']['newsletter'], change: Partial<Props> = {}): Props {
  const path = `/staff/newsletter/${ISSUE.id}`;
  return {
    params: { newsletter: ISSUE.id },
    query: {},
    data: { newsletter, site: ok(SITE) },
    action: null,
    now: NOW,
    path,
    part: 'messaging:/staff/newsletter/{newsletter}',
    staff: { name: 'Esha Iyer', scopes: ['newsletters:write'] },
    ...change,
  };
}

function serve(given: Props): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffNewsletterIssue {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

describe('a sent newsletter', () => {
  it.each([
    [{ mails: 0, complete: false }, 'Sending has begun'],
    [{ mails: 1, complete: false }, 'On its way to 1 subscriber so far'],
    [{ mails: 50, complete: false }, 'On its way to 50 subscribers so far'],
    [{ mails: 0 }, 'Nobody gets this newsletter'],
    [{ mails: 1 }, 'On its way to 1 subscriber'],
    [{}, 'On its way to all 1,234 subscribers'],
  ])('has its progress: %o', async (change, title) => {
    const given = props(ok({ ...ISSUE, ...change }));
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Newsletter of 21 November 2026']);
    expect(screen.getByText(title)).toBeDefined();
    expect(screen.getByRole('link', { name: 'Refresh' }).getAttribute('href')).toBe(`/staff/newsletter/${ISSUE.id}`);
    expect(screen.getByRole('heading', { name: 'A healthy winter' })).toBeDefined();
    for (const text of ['As of 3:00 PM IST', 'Keep moving.', 'Drink water.']) expect(main.textContent).toContain(text);
    expect(screen.queryByRole('link', { name: 'Deliveries' })).toBeNull();
    expect(await brokenRules(main)).toEqual([]);
  });

  it('leads to the deliveries if the person may see them', () => {
    serve(props(ok(ISSUE), { staff: MANAGER }));
    expect(screen.getByRole('link', { name: 'Deliveries' }).getAttribute('href')).toBe('/staff/deliveries');
  });

  it.each([
    [{ ...down, status: 404 }, 404, 'There is no such newsletter'],
    [{ ...down, status: 400 }, 404, 'There is no such newsletter'],
    [down, 503, 'The newsletters can’t be shown right now'],
    [{ ...down, status: 403 }, 403, 'Your role doesn’t include newsletters'],
    [{ ...down, status: 401 }, 401, 'Your sign-in has ended'],
    [undefined, 503, 'The newsletters can’t be shown right now'],
  ] as const)('explains why it is not there: %#', async (newsletter, code, text) => {
    const given = props(newsletter);
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([code, 'Error: Newsletter']);
    expect(screen.getByRole('alert').textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });
});
