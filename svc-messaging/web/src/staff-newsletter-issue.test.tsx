// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { SITE, ok } from '../test/answers.ts';
import { MANAGER, NOW, acted, down, problem } from './desk/fixtures.ts';
import { EDITOR, ISSUE } from './desk/newsletter-fixtures.ts';
import StaffNewsletterIssue, { action, head, status } from './staff-newsletter-issue.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffNewsletterIssue>;

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
    staff: EDITOR,
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
    [{ mails: 1, waiting: 1 }, 'On its way to 1 subscriber'],
    [{ waiting: 1_230, sent: 0 }, 'On its way to all 1,234 subscribers'],
    [{}, 'Sent to all 1,234 subscribers'],
    [{ stopTime: NOW, sent: 100, withheld: 1_131 }, 'Stopped after 100 of 1,234 subscribers'],
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

describe('the numbers', () => {
  it('count what became of the mails', () => {
    const main = serve(props(ok({ ...ISSUE, sent: 1_000, waiting: 230 })));
    const facts = [...main.querySelectorAll('dl div')].map((one) => one.textContent);
    expect(facts).toEqual([
      'Sent1,000',
      'Waiting230',
      'Failed, bounced or too late3',
      'Not sent: unsubscribed or stopped1',
    ]);
    const bar = screen.getByRole('progressbar', { name: 'Mails that have left' });
    expect([bar.getAttribute('value'), bar.getAttribute('max')]).toEqual(['1004', '1234']);
  });

  it('count no mail as waiting after a stop', () => {
    const main = serve(props(ok({ ...ISSUE, stopTime: NOW, sent: 10, waiting: 1_220 })));
    const facts = [...main.querySelectorAll('dl div')].map((one) => one.textContent);
    expect(facts).toEqual(['Sent10', 'Failed, bounced or too late3', 'Not sent: unsubscribed or stopped1,221']);
  });

  it('are left out when the mails are no longer kept', () => {
    const main = serve(props(ok({ ...ISSUE, sent: 0, failed: 0, withheld: 0 })));
    expect(main.textContent).toContain('What became of each mail is kept for 30 days.');
    expect(screen.queryByRole('progressbar')).toBeNull();
  });
});

describe('stopping', () => {
  const SENDING = { ...ISSUE, sent: 400, waiting: 830 };
  const pressed = posted({ step: 'stop' });
  const stopped = (code: number, body: unknown, issue = SENDING) =>
    props(ok(issue), { action: acted(pressed, code, body) });

  it('asks once, and is offered only while mails wait', async () => {
    const main = serve(props(ok(SENDING)));
    const question = main.querySelector('details') as HTMLElement;
    expect(question.hasAttribute('open')).toBe(false);
    expect(question.textContent).toContain(
      'The mails of “A healthy winter” that have not left yet are not sent. 400 have',
    );
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    serve(props(ok(ISSUE)));
    expect(screen.queryByText('Stop sending now')).toBeNull();
  });

  it('calls the service', () => {
    const address = { params: { newsletter: ISSUE.id }, query: {} };
    const call = inEngine(() => action(pressed, NOW, address));
    expect([call?.method, call?.path]).toEqual(['POST', `/newsletters/${ISSUE.id}:stop`]);
    expect(inEngine(() => action(posted({ step: 'x' }), NOW, address))).toBeNull();
  });

  it.each([
    [200, null, 'status', 'Sending is stopped'],
    [409, problem(409, 'NEWSLETTER_SENT'), 'alert', 'All its mails had left already'],
    [503, null, 'alert', 'We couldn’t save it, and the newsletter is unchanged'],
    [403, null, 'alert', 'Your role doesn’t include'],
  ] as const)('shows its outcome: %i', async (code, body, role, text) => {
    const given = stopped(code, body);
    const main = serve(given);
    expect(status(given)).toBe(code);
    const result = document.getElementById('result') as HTMLElement;
    expect(within(result).getByRole(role).textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('does not know whether it was stopped without a reply and a page', () => {
    const given = props(down, { action: acted(pressed, 503) });
    serve(given);
    expect(document.getElementById('result')?.textContent).toContain('Sending may not have been stopped');
  });
});
