// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { SITE, absent, ok } from '../test/answers.ts';
import { NOW, acted, down, problem } from './desk/fixtures.ts';
import { DRAFT, EDITOR } from './desk/newsletter-fixtures.ts';
import StaffNewsletterDraft, { action, head, location, status } from './staff-newsletter-draft.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffNewsletterDraft>;

const HERE = `/staff/newsletter/drafts/${DRAFT.id}`;
const TYPED = { subject: 'My "subject"', text: 'My text.' };
const pressed = (step: string, typed: Partial<typeof TYPED> = {}) => posted({ etag: '2', step, ...typed });
const called = (form: Parameters<typeof action>[0], id = DRAFT.id) =>
  inEngine(() => action(form, NOW, { params: { draft: id }, query: {} }));

function props(change: Partial<Props> = {}): Props {
  return {
    params: { draft: DRAFT.id },
    query: {},
    data: { draft: ok(DRAFT), site: ok(SITE) },
    action: null,
    now: NOW,
    path: HERE,
    part: 'messaging:/staff/newsletter/drafts/{draft}',
    staff: EDITOR,
    ...change,
  };
}

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffNewsletterDraft {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const alert = () => within(document.getElementById('result') as HTMLElement).getByRole('alert').textContent;
const valueOf = (name: string) => document.querySelector<HTMLInputElement>(`[name=${name}]`)?.value;

describe('the preview', () => {
  it('shows the mail, how many it would reach, and asks before it sends or deletes', async () => {
    const main = serve();
    expect([status(props()), location(props()), head(props()).title]).toEqual([200, null, 'Preview: Newsletter']);
    const mail = within(screen.getByRole('article', { name: 'The mail' }));
    expect(mail.getByRole('heading', { name: 'A draft of June' })).toBeDefined();
    expect(main.textContent).toContain('It would reach 1,204 subscribers now');
    expect(screen.getByRole('button', { name: 'Send it to me' }).getAttribute('value')).toBe('test');
    const [plain, ...questions] = [...document.querySelectorAll('details')];
    expect(plain?.textContent).toContain('Drink water.\n\nKeep moving.');
    expect(questions.map((one) => one.open)).toEqual([false, false]);
    expect(questions[0]?.textContent).toContain('“A draft of June” goes to 1,204 subscribers');
    expect(questions[1]?.textContent).toContain('“A draft of June” is deleted for everyone.');
    expect(valueOf('etag')).toBe('3');
    expect(screen.getByRole('link', { name: 'Change the text' }).getAttribute('href')).toBe(`${HERE}?edit=1`);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('does not offer to send to nobody, and does without the site’s facts', async () => {
    const main = serve(props({ data: { draft: ok({ ...DRAFT, subscribers: 0 }), site: absent() } }));
    expect(main.textContent).toContain('It would reach nobody now');
    expect(screen.queryByText('Send it to all subscribers now')).toBeNull();
    expect(main.textContent).toContain('+91 80 0000 0108');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('shows the HTML of the service, and the text itself if an older service gives none', async () => {
    const html = '<h2>Soup</h2>\n<p>It <strong>warms</strong>: <a href="https://a.example/">more</a></p>\n';
    serve(props({ data: { draft: ok({ ...DRAFT, html }), site: ok(SITE) } }));
    const mail = within(screen.getByRole('article', { name: 'The mail' }));
    expect(mail.getByRole('heading', { name: 'Soup', level: 2 })).toBeDefined();
    expect(mail.getByRole('link', { name: 'more' }).getAttribute('href')).toBe('https://a.example/');
    expect(await brokenRules(document.body)).toEqual([]);
    document.body.replaceChildren();
    const { html: _html, plainText: _plainText, canTest: _canTest, ...older } = DRAFT;
    const text = '<script>alert(1)</script>\n\n# x';
    const main = serve(props({ data: { draft: ok({ ...older, text } as typeof DRAFT), site: ok(SITE) } }));
    expect(main.querySelector('script')).toBeNull();
    expect(screen.getByRole('article', { name: 'The mail' }).textContent).toContain(text);
    expect(screen.queryByText('The same as plain text')).toBeNull();
  });

  it('renders the longest HTML in time', () => {
    const html = '<ul>\n<li>x</li>\n</ul>\n'.repeat(5_000);
    const given = props({ data: { draft: ok({ ...DRAFT, html, plainText: 'x'.repeat(60_000) }), site: ok(SITE) } });
    expect(serve(given).querySelectorAll('article li').length).toBe(5_000);
  });

  it('offers no test without an address, and says why', async () => {
    const main = serve(props({ data: { draft: ok({ ...DRAFT, canTest: false }), site: ok(SITE) } }));
    expect(screen.queryByRole('button', { name: 'Send it to me' })).toBeNull();
    expect(main.textContent).toContain('You can’t send a test to yourself: your sign-in doesn’t give us');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [{ ...down, status: 404 }, 404, 'There is no such draft'],
    [{ ...down, status: 400 }, 404, 'There is no such draft'],
    [down, 503, 'The drafts can’t be shown right now'],
    [{ ...down, status: 401 }, 401, 'Your sign-in has ended'],
    [undefined, 503, 'The drafts can’t be shown right now'],
  ] as const)('explains why it is not there: %#', async (draft, code, text) => {
    const given = props({ data: { draft } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([code, 'Error: Newsletter']);
    expect(screen.getByRole('alert').textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('sending and deleting', () => {
  it('name the version that was seen', () => {
    const path = `/newsletter-drafts/${DRAFT.id}`;
    const headers = { 'If-Match': '"2"' };
    expect(called(pressed('send'))).toMatchObject({ method: 'POST', path: `${path}:send`, headers, body: {} });
    expect(called(pressed('delete'))).toMatchObject({ method: 'DELETE', path, headers, body: null });
    expect(called(pressed('test'))).toMatchObject({ method: 'POST', path: `${path}:test`, headers, body: {} });
    for (const etag of ['', 'a\r\nx: 1', 'x'.repeat(65)]) expect(called(posted({ etag, step: 'send' }))).toBeNull();
    for (const step of ['', 'x']) expect(called(pressed(step))).toBeNull();
    expect(called(pressed('send'), '../x')?.path).toBe('/newsletter-drafts/..%2Fx:send');
  });

  it('lead to the page of the newsletter, and confirm a deletion', async () => {
    const gone = { draft: { ...down, status: 404 }, site: ok(SITE) };
    const isSent = props({ action: acted(pressed('send'), 200, { id: DRAFT.id }), data: gone });
    expect([status(isSent), location(isSent)]).toEqual([303, `/staff/newsletter/${DRAFT.id}`]);
    const deleted = props({ action: acted(pressed('delete'), 200), data: gone });
    const main = serve(deleted);
    expect([status(deleted), location(deleted)]).toEqual([200, null]);
    expect(screen.getByRole('status').textContent).toContain('The draft is deleted');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('confirm a test, and keep the draft', async () => {
    const tested = props({ action: acted(pressed('test'), 200, {}) });
    const main = serve(tested);
    expect([status(tested), location(tested)]).toEqual([200, null]);
    expect(screen.getByRole('status').textContent).toContain('The test is on its way to you');
    expect(document.querySelectorAll('#result')).toHaveLength(1);
    expect(screen.getByRole('article', { name: 'The mail' })).toBeDefined();
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    const unseen = props({ action: acted(pressed('test'), 200, {}), data: { draft: down } });
    serve(unseen);
    expect(status(unseen)).toBe(200);
    expect(screen.getByRole('status').textContent).toContain('The draft can’t be shown');
  });

  it.each([
    ['EMAIL_UNKNOWN', 400, 'doesn’t give us a confirmed e-mail address'],
    ['TESTS_MAX', 429, '10 tests an hour'],
    ['ETAG_MISMATCH', 412, 'Another person has changed it'],
    ['', 503, 'a second time does no harm'],
  ])('explain why a test was not sent: %s', async (reason, code, text) => {
    const given = props({ action: acted(pressed('test'), code, problem(code, reason)) });
    const main = serve(given);
    expect(status(given)).toBe(code);
    expect(alert()).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    ['send', 412, 'was not sent', 'This is the text as it is now'],
    ['send', 503, 'may not have been sent', 'it is sent only once'],
    ['send', 0, 'may not have been sent', 'it is sent only once'],
    ['send', 401, 'was not sent', 'Your sign-in has ended'],
    ['send', 403, 'was not sent', 'Your role doesn’t include newsletters'],
    ['send', 429, 'was not sent', 'Wait a minute'],
    ['delete', 412, 'was not deleted', 'Another person has changed it'],
    ['delete', 503, 'may not have been deleted', 'a second time does no harm'],
  ])('explain a failure, and show the present text: %s %i', async (step, code, title, text) => {
    const given = props({ action: acted(pressed(step), code, problem(code, 'ANY')) });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([code || 400, 'Error: Newsletter']);
    expect(alert()).toContain(title);
    expect(alert()).toContain(text);
    expect(valueOf('etag')).toBe('3');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('says that the draft is gone', () => {
    const data = { draft: { ...down, status: 404 } };
    const given = props({ action: acted(pressed('send'), 404, problem(404, 'NOT_FOUND')), data });
    serve(given);
    expect(status(given)).toBe(404);
    expect(alert()).toContain('It was sent or deleted');
  });
});

describe('changing', () => {
  const form = pressed('save', TYPED);
  const after = (code: number, body: unknown = null, draft: Props['data']['draft'] = ok(DRAFT)) =>
    props({ query: { edit: '1' }, action: acted(form, code, body), data: { draft, site: ok(SITE) } });

  it('begins with the text as it is', async () => {
    const main = serve(props({ query: { edit: '1' } }));
    expect([valueOf('subject'), valueOf('text'), valueOf('etag')]).toEqual([DRAFT.subject, DRAFT.text, '3']);
    expect(document.querySelector('form')?.getAttribute('action')).toBe(`${HERE}?edit=1#result`);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('replaces the version that was seen, and leads to the preview', () => {
    const path = `/newsletter-drafts/${DRAFT.id}`;
    expect(called(form)).toMatchObject({ method: 'PUT', path, headers: { 'If-Match': '"2"' }, body: TYPED });
    expect([status(after(200)), location(after(200))]).toEqual([303, HERE]);
  });

  it('keeps both texts when another person was faster', async () => {
    const given = after(412, problem(412, 'ETAG_MISMATCH'));
    const main = serve(given);
    expect(status(given)).toBe(412);
    expect(alert()).toContain('Your text is still here, and theirs is below');
    expect([valueOf('subject'), valueOf('text'), valueOf('etag')]).toEqual([TYPED.subject, TYPED.text, '3']);
    expect(screen.getByRole('article', { name: 'The mail' }).textContent).toContain('A draft of June');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [503, down, 'may not have been saved'],
    [401, { ...down, status: 401 }, 'Your sign-in has ended'],
    [404, { ...down, status: 404 }, 'copy it to a new newsletter'],
  ] as const)('keeps what was typed when nothing is there: %i', async (code, draft, text) => {
    const given = after(code, problem(code, 'ANY'), draft);
    const main = serve(given);
    expect(status(given)).toBe(code);
    expect(alert()).toContain(text);
    expect([valueOf('subject'), valueOf('text'), valueOf('etag')]).toEqual([TYPED.subject, TYPED.text, '2']);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('refuses what breaks a limit, and keeps it', async () => {
    const empty = pressed('save', { subject: '', text: 'ನ'.repeat(20_001) });
    expect(called(empty)).toBeNull();
    const given = props({ query: { edit: '1' }, action: acted(empty, 204) });
    const main = serve(given);
    expect(status(given)).toBe(400);
    expect(screen.getAllByRole('link', { name: /^(Enter|Shorten)/ }).map((one) => one.textContent)).toEqual([
      'Enter a subject',
      'Shorten the text to 20,000 characters: it has 20,001',
    ]);
    expect(await brokenRules(main)).toEqual([]);
  });
});
