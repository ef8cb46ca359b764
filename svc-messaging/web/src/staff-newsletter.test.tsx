// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { SITE, absent, ok } from '../test/answers.ts';
import { NOW, acted, problem } from './desk/fixtures.ts';
import { mailTextOf } from './desk/mail-text.ts';
import StaffNewsletter, { action, head, location, status } from './staff-newsletter.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffNewsletter>;

const SUBJECT = 'A "healthy" winter <2026>';
const TEXT = [
  'Drink warm water,\r\nand keep moving.',
  '\r\nRead https://sampige.example/blogs/winter. **Our** doctors wrote it.',
].join('\r\n\r\n');
const ID = '00000000-0000-4000-8000-000000000007';
const filled = (step: string, subject = SUBJECT, text = TEXT) => posted({ subject, text, step });
const sent = (code: number, body: unknown = null) => props({ action: acted(filled('send'), code, body) });

function props(change: Partial<Props> = {}): Props {
  return {
    params: {},
    query: {},
    data: { site: ok(SITE) },
    action: null,
    now: NOW,
    path: '/staff/newsletter',
    part: 'messaging:/staff/newsletter',
    staff: { name: 'Esha Iyer', scopes: ['newsletters:write'] },
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
const typed = () =>
  ['subject', 'text'].map((name) => document.querySelector<HTMLInputElement>(`[name=${name}]`)?.value);
const lines = (text: string) => text.replaceAll('\r\n', '\n');

describe('writing', () => {
  it('begins with an empty form that names the limits', async () => {
    const main = serve();
    expect([status(props()), location(props()), head(props()).title]).toEqual([200, null, 'Newsletter']);
    expect(typed()).toEqual(['', '']);
    expect(main.textContent).toContain('at most 200 characters');
    expect(main.textContent).toContain('At most 20,000 characters');
    const form = document.querySelector('form');
    expect(form?.getAttribute('action')).toBe('/staff/newsletter#result');
    expect(form?.getAttribute('enctype')).toBe('multipart/form-data');
    expect(screen.getByRole('button', { name: 'Preview' }).getAttribute('value')).toBe('preview');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [' ', ' \r\n ', ['Enter a subject', 'Enter the text']],
    ['x'.repeat(201), TEXT, ['Shorten the subject to 200 characters: it has 201']],
    [SUBJECT, 'ನ'.repeat(20_001), ['Shorten the text to 20,000 characters: it has 20,001']],
  ])('refuses what breaks a limit, and keeps it: %#', async (subject, text, messages) => {
    for (const step of ['preview', 'send']) {
      const form = filled(step, subject, text);
      expect(inEngine(() => action(form))).toBeNull();
      const given = props({ action: acted(form, 204) });
      const main = serve(given);
      expect([status(given), head(given).title]).toEqual([400, 'Error: Newsletter']);
      const links = within(result()).getAllByRole('link');
      expect(links.map((one) => one.textContent)).toEqual(messages);
      for (const link of links) expect(main.querySelector(link.getAttribute('href') as string)).not.toBeNull();
      expect(typed()).toEqual([subject, lines(text)]);
      expect(await brokenRules(main)).toEqual([]);
      document.body.replaceChildren();
    }
  });

  it('counts characters, not code units, and a line break once', () => {
    expect(inEngine(() => action(filled('send', '🌼'.repeat(200), 'a\r\n'.repeat(9_999) + 'a')))).not.toBeNull();
  });

  it('shows what the service refuses, and keeps what was typed', () => {
    const fields = [{ field: 'text', message: 'Remove the characters that cannot be seen, or type this again' }];
    const given = sent(400, { ...problem(400, 'INVALID_ARGUMENT'), fields });
    serve(given);
    expect(status(given)).toBe(400);
    expect(result().textContent).toContain('Text: Remove the characters that cannot be seen');
    expect(typed()).toEqual([SUBJECT, lines(TEXT)]);
  });

  it('goes on after the preview', () => {
    const given = props({ action: acted(filled('write'), 204) });
    serve(given);
    expect([status(given), inEngine(() => action(filled('write')))]).toEqual([200, null]);
    expect(typed()).toEqual([SUBJECT, lines(TEXT)]);
    expect(document.querySelector('[data-focus]')?.id).toBe('text');
  });
});

describe('the preview', () => {
  const previewed = (change: Partial<Props> = {}) => props({ action: acted(filled('preview'), 204), ...change });

  it('shows the mail, makes no call, and asks before it sends', async () => {
    expect(inEngine(() => action(filled('preview')))).toBeNull();
    const main = serve(previewed());
    expect([status(previewed()), head(previewed()).title]).toEqual([200, 'Preview: Newsletter']);
    const mail = within(screen.getByRole('article', { name: 'The mail' }));
    expect(mail.getByRole('heading', { name: SUBJECT })).toBeDefined();
    const paragraphs = mail.getAllByRole('paragraph').map((one) => one.textContent);
    for (const text of [
      'Hello,',
      'Drink warm water, and keep moving.',
      'Read https://sampige.example/blogs/winter (opens in a new tab). **Our** doctors wrote it.',
      'In an emergency, call +91 80 0000 0108, day or night.',
      'Unsubscribe from the newsletter',
    ])
      expect(paragraphs).toContain(text);
    expect(main.textContent).toContain('27 Champaca Road, Jayanagar, Bengaluru 560041');
    const link = mail.getByRole('link', { name: /winter/ });
    expect(link.getAttribute('href')).toBe('https://sampige.example/blogs/winter');
    expect(typed()).toEqual([SUBJECT, lines(TEXT)]);
    const question = document.querySelector('details') as HTMLElement;
    expect(question.hasAttribute('open')).toBe(false);
    expect(question.textContent).toContain(`“${SUBJECT}” goes to everyone who has confirmed a subscription.`);
    expect(within(question).getByText('Send it to all subscribers now').getAttribute('value')).toBe('send');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('does without the site’s facts', async () => {
    const main = serve(previewed({ data: { site: absent() } }));
    expect(main.textContent).toContain('can’t be shown right now. Mails have them.');
    expect(main.textContent).toContain('+91 80 0000 0108');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('shows the beginning of a text with very many parts', () => {
    const main = serve(props({ action: acted(filled('preview', SUBJECT, 'x\n\n'.repeat(5_000)), 204) }));
    expect(main.textContent).toContain('Readers get all of it.');
    expect(main.querySelectorAll('article p').length).toBeLessThan(420);
  });
});

describe('sending', () => {
  it('calls the service and leads to the page of the newsletter', () => {
    const call = inEngine(() => action(filled('send')));
    expect([call?.method, call?.path]).toEqual(['POST', '/newsletters']);
    expect(call?.body).toEqual({ subject: SUBJECT, text: lines(TEXT) });
    const given = sent(201, { id: ID });
    expect([status(given), location(given)]).toEqual([303, `/staff/newsletter/${ID}`]);
  });

  it('confirms a newsletter without a readable response', async () => {
    const given = sent(200, { id: '//evil.example' });
    const main = serve(given);
    expect([status(given), location(given), head(given).title]).toEqual([200, null, 'Sent: Newsletter']);
    expect(within(result()).getByRole('status').textContent).toContain('The newsletter is on its way');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [503, 'may not have been sent', 'is sent only once'],
    [0, 'may not have been sent', 'is sent only once'],
    [401, 'was not sent', 'Your sign-in has ended'],
    [403, 'was not sent', 'Your role doesn’t include newsletters'],
    [429, 'was not sent', 'Wait a minute'],
    [409, 'was not sent', 'Please send it again'],
  ])('explains a failure, and keeps the newsletter to be sent again: %i', async (code, title, text) => {
    const given = sent(code, problem(code, 'ANY'));
    const main = serve(given);
    expect(status(given)).toBe(code || 400);
    expect(head(given).title).toBe('Error: Newsletter');
    const alert = within(result()).getByRole('alert').textContent;
    expect(alert).toContain(title);
    expect(alert).toContain(text);
    expect(typed()).toEqual([SUBJECT, lines(TEXT)]);
    expect(screen.getByText('Send it to all subscribers now')).toBeDefined();
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('the text of a mail', () => {
  const A = { href: 'https://a.example' };
  const B = { href: 'http://b.example/x?y=1' };
  it.each([
    ['a\nb  \n \n\n  c', [['a b'], ['  c']]],
    ['See http://b.example/x?y=1), or (https://a.example', [['See ', B, '), or (https://a.example']]],
    ['https://a.example http://b.example/x?y=1.', [[A, ' ', B, '.']]],
    ['javascript:alert(1) www.a.example', [['javascript:alert(1) www.a.example']]],
  ])('has paragraphs and links: %#', (text, paragraphs) => {
    expect(mailTextOf(text)).toEqual({ paragraphs, isCut: false });
  });
});
