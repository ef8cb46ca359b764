// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { ok } from '../test/answers.ts';
import { NOW, acted, down, problem } from './desk/fixtures.ts';
import { DRAFT, EDITOR, ISSUE } from './desk/newsletter-fixtures.ts';
import StaffNewsletter, { action, head, location, status } from './staff-newsletter.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffNewsletter>;

const SUBJECT = 'A "healthy" winter <2026>';
const TEXT = 'Drink warm water,\r\nand keep moving.\r\n\r\nRead https://sampige.example/blogs/winter.';
const BEGUN = '2026-11-21T09:00:00Z';
const filled = (subject = SUBJECT, text = TEXT) => posted({ subject, text, begun: BEGUN, step: 'create' });
const saved = (code: number, body: unknown = null) => props({ action: acted(filled(), code, body) });
const drafts = (list = [DRAFT], nextPageToken = '') => ok({ drafts: list, nextPageToken });
const sent = (list = [ISSUE], nextPageToken = '') => ok({ newsletters: list, nextPageToken });

function props(change: Partial<Props> = {}): Props {
  return {
    params: {},
    query: {},
    data: { drafts: drafts(), sent: sent() },
    action: null,
    now: NOW,
    path: '/staff/newsletter',
    part: 'messaging:/staff/newsletter',
    staff: EDITOR,
    ...change,
  };
}

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffNewsletter {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const result = () => document.getElementById('result') as HTMLElement;
const valueOf = (name: string) => document.querySelector<HTMLInputElement>(`[name=${name}]`)?.value;
const lines = (text: string) => text.replaceAll('\r\n', '\n');
const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

describe('the lists', () => {
  it('lead to drafts and to sent newsletters with their progress', async () => {
    const halfway = { ...ISSUE, id: 'x', subject: 'News', mails: 500, sent: 120, waiting: 377, failed: 3 };
    const stopped = {
      ...halfway,
      id: 'y',
      subject: 'Old news',
      waiting: 0,
      withheld: 377,
      stopTime: NOW,
      unsubscribes: 1_017,
    };
    const main = serve(props({ data: { drafts: drafts(), sent: sent([ISSUE, halfway, stopped]) } }));
    expect([status(props()), head(props()).title]).toEqual([200, 'Newsletter']);
    expect(hrefOf('A draft of June')).toBe(`/staff/newsletter/drafts/${DRAFT.id}`);
    expect(hrefOf('A healthy winter')).toBe(`/staff/newsletter/${ISSUE.id}`);
    for (const text of [
      'To 1,234 subscribers',
      '124 of 500 subscribers',
      'Stopped after 120 of 500 subscribers',
      '. 1,017 unsubscribed after it',
    ])
      expect(main.textContent).toContain(text);
    expect(main.textContent?.match(/unsubscribed after it/g)).toHaveLength(1);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('say what it means that they are empty', async () => {
    const main = serve(props({ data: { drafts: drafts([]), sent: sent([]) } }));
    expect(main.textContent).toContain('There are no drafts.');
    expect(main.textContent).toContain('No newsletter was sent yet.');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('lead to their other pages', () => {
    const query = { draftToken: 'd1', pageToken: 'p1' };
    serve(props({ query, data: { drafts: drafts([DRAFT], 'd2'), sent: sent([ISSUE], 'p2') } }));
    const links = (name: string) =>
      within(screen.getByRole('navigation', { name }))
        .getAllByRole('link')
        .map((link) => link.getAttribute('href'));
    const path = '/staff/newsletter';
    expect(links('More drafts')).toEqual([`${path}?pageToken=p1`, `${path}?pageToken=p1&draftToken=d2`]);
    expect(links('More newsletters')).toEqual([`${path}?draftToken=d1`, `${path}?draftToken=d1&pageToken=p2`]);
  });

  it.each([
    [{ drafts: down, sent: down }, 503, 'The drafts can’t be shown right now'],
    [{ drafts: drafts(), sent: down }, 503, 'The sent newsletters can’t be shown right now'],
    [{}, 503, 'The drafts can’t be shown right now'],
    [{ drafts: { ...down, status: 403 }, sent: sent() }, 403, 'Your role doesn’t include drafts'],
  ] as const)('explain why they are not there, and keep the form: %#', async (data, code, text) => {
    const given = props({ data });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([code, 'Error: Newsletter']);
    expect(main.textContent).toContain(text);
    expect(screen.getByRole('button', { name: 'Save and preview' })).toBeDefined();
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('writing', () => {
  it('saves a draft and leads to its preview', () => {
    serve();
    expect(valueOf('begun')).toBe(NOW);
    const form = document.querySelector('form');
    expect(form?.getAttribute('action')).toBe('/staff/newsletter#result');
    expect(form?.getAttribute('enctype')).toBe('multipart/form-data');
    const call = inEngine(() => action(filled()));
    expect([call?.method, call?.path]).toEqual(['POST', '/newsletter-drafts']);
    expect(call?.body).toEqual({ subject: SUBJECT, text: lines(TEXT) });
    const given = saved(201, { id: DRAFT.id });
    expect([status(given), location(given)]).toEqual([303, `/staff/newsletter/drafts/${DRAFT.id}`]);
  });

  it('confirms a draft without a readable response', () => {
    const given = saved(200, { id: '//evil.example' });
    serve(given);
    expect([status(given), location(given)]).toEqual([200, null]);
    expect(within(result()).getByRole('status').textContent).toContain('The draft is saved');
  });

  it.each([
    [' ', ' \r\n ', ['Enter a subject', 'Enter the text']],
    ['x'.repeat(201), TEXT, ['Shorten the subject to 200 characters: it has 201']],
    [SUBJECT, 'ನ'.repeat(20_001), ['Shorten the text to 20,000 characters: it has 20,001']],
  ])('refuses what breaks a limit, and keeps it: %#', async (subject, text, messages) => {
    const form = filled(subject, text);
    expect(inEngine(() => action(form))).toBeNull();
    const given = props({ action: acted(form, 204) });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([400, 'Error: Newsletter']);
    const links = within(result()).getAllByRole('link');
    expect(links.map((one) => one.textContent)).toEqual(messages);
    for (const link of links) expect(main.querySelector(link.getAttribute('href') as string)).not.toBeNull();
    expect([valueOf('subject'), valueOf('text')]).toEqual([subject, lines(text)]);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('counts characters, not code units, and a line break once', () => {
    expect(inEngine(() => action(filled('🌼'.repeat(200), 'a\r\n'.repeat(9_999) + 'a')))).not.toBeNull();
  });

  it('shows what the service refuses, and keeps what was typed', () => {
    const fields = [{ field: 'text', message: 'Remove the characters that cannot be seen, or type this again' }];
    const given = saved(400, { ...problem(400, 'INVALID_ARGUMENT'), fields });
    serve(given);
    expect(status(given)).toBe(400);
    expect(result().textContent).toContain('Text: Remove the characters that cannot be seen');
    expect([valueOf('subject'), valueOf('text')]).toEqual([SUBJECT, lines(TEXT)]);
  });

  it.each([
    [503, 'ANY', 'may not have been saved', 'it is saved only once'],
    [0, 'ANY', 'may not have been saved', 'it is saved only once'],
    [401, 'ANY', 'was not saved', 'Your sign-in has ended'],
    [403, 'ANY', 'was not saved', 'Your role doesn’t include newsletters'],
    [429, 'ANY', 'was not saved', 'Wait a minute'],
    [409, 'DRAFTS_MAX', 'was not saved', 'There are 100 drafts already'],
    [404, 'REMOVED', 'was not saved', 'sent or deleted since'],
  ])('explains a failure, and keeps the text to be saved again: %i %s', async (code, reason, title, text) => {
    const given = saved(code, problem(code, reason));
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([code || 400, 'Error: Newsletter']);
    const alert = within(result()).getByRole('alert').textContent;
    expect(alert).toContain(title);
    expect(alert).toContain(text);
    // The same form again is the same draft.
    expect([valueOf('subject'), valueOf('text'), valueOf('begun')]).toEqual([SUBJECT, lines(TEXT), BEGUN]);
    expect(await brokenRules(main)).toEqual([]);
  });
});
