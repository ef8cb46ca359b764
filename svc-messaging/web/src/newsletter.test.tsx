// @vitest-environment happy-dom
/** Subscribing, and the two links in mails. */
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { type Root, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Api, type Reply, inEngine, posted, reply, serveApi } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { SITE, absent, ok } from '../test/answers.ts';
import * as confirm from './newsletter-confirm.tsx';
import * as unsubscribe from './newsletter-unsubscribe.tsx';
import Newsletter, { action, head, status } from './newsletter.tsx';

type Props = Parameters<typeof Newsletter>[0];

const NOW = '2026-11-21T09:30:00Z';
const TOKEN = 'nl1.dGhpcyBpcyBhIHNlY3JldA';
const props = (change: Partial<Props> = {}): Props => ({
  params: {}, query: {}, data: { site: ok(SITE) }, action: null, now: NOW, path: '/newsletter',
  part: 'messaging:/newsletter', ...change,
}); // prettier-ignore
const acted = (code: number, body: unknown, form = { email: 'asha@example.com' }) => ({
  action: { form: posted(form), result: { status: code, body } },
});

let root: Root | null = null;
let api: Api;
let answer: Reply;

beforeEach(async () => {
  (globalThis as Record<symbol, unknown>)[Symbol.for('hospital.api')] = undefined;
  answer = reply.json(200, {});
  api = await serveApi(({ method }) => (method === 'GET' ? reply.json(200, { token: 't' }) : answer));
  vi.stubGlobal('fetch', api.fetch);
});

afterEach(async () => {
  await act(async () => root?.unmount());
  root = null;
  cleanup();
  document.querySelector('main')?.remove();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  await api.close();
});

function serve(page: React.ReactElement): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = renderToString(page);
  document.body.append(main);
  return main;
}

const words = (element: Element | null) => element?.textContent?.replace(/\s+/g, ' ') ?? '';
const posts = () => api.seen.filter(({ method }) => method === 'POST');

describe('subscribing', () => {
  async function open(given = props()) {
    const main = serve(<Newsletter {...given} />);
    await act(async () => {
      root = hydrateRoot(main, <Newsletter {...given} />, {
        onRecoverableError: (error) => expect.fail(String(error)),
      });
    });
    return main;
  }

  it.each([
    ['plain', props()],
    ['without data', props({ data: { site: absent() } })],
    ['refused', props(acted(204, null, { email: 'x' }))],
    ['failed', props(acted(503, null))],
    ['sent', props(acted(200, {}))],
  ])('%s: breaks no accessibility rule and hydrates without a difference', async (_, given) => {
    expect(await brokenRules(await open(given))).toEqual([]);
  });

  it('explains contents, frequency and how to unsubscribe', () => {
    const main = serve(<Newsletter {...props()} />);
    expect(words(main)).toMatch(/About one e-mail a month.*Every e-mail has an unsubscribe link/);
    expect(head(props())).not.toHaveProperty('robots');
  });

  it('posts natively, also from the box beside a blog post', () => {
    const native = (email: string) => inEngine(() => action(posted({ email }), NOW));
    expect(native(' asha@example.com ')).toEqual({
      method: 'POST',
      path: '/newsletter:subscribe',
      body: { email: 'asha@example.com' },
      receipt: expect.objectContaining({ title: 'Check your e-mail' }),
    });
    expect(native('asha')).toBeNull();
    expect(inEngine(() => action(posted({ email: 'a@b.example', website: 'x' }), NOW))?.body).toEqual({
      email: 'a@b.example',
      check: { website: 'x' },
    });
  });

  it('shows the same answer to everyone', () => {
    const main = serve(<Newsletter {...props(acted(200, {}))} />);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Check your e-mail');
    expect(head(props(acted(200, {}))).title).toBe('Check your e-mail | Sampige Hospital');
    expect(head(props(acted(503, null))).title).toBe('Error: Newsletter | Sampige Hospital');
    expect(words(main)).not.toContain('asha@example.com');
    expect(
      [200, 204, 503].map((code) => status(props(acted(code, {}, { email: code === 204 ? 'x' : 'a@b.example' })))),
    ).toEqual([200, 400, 503]);
  });

  it('sends by script with the check, and tells to check for the e-mail', async () => {
    await open();
    const email = document.querySelector('[name=email]') as HTMLInputElement;
    fireEvent.input(email, { target: { value: 'asha@example.com' } });
    fireEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
    const heading = await screen.findByRole('heading', { name: 'Check your e-mail' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(posts().map(({ path, body }) => [path, body])).toEqual([
      ['/newsletter:subscribe', { email: 'asha@example.com', check: { website: '', token: '', canProve: true } }],
    ]);
  });
});

describe.each([
  ['confirm', confirm, 'Subscribe', 'Confirm your subscription', 'You’re subscribed'],
  [
    'unsubscribe',
    unsubscribe,
    'Unsubscribe from our newsletter',
    'Unsubscribe from our newsletter',
    'You’ve unsubscribed',
  ],
])('the link to %s', (name, page, button, asked, done) => {
  const path = `/newsletter/${name}`;
  const at = (change: Partial<Props> = {}) =>
    props({ path, part: `messaging:${path}`, query: { token: TOKEN }, ...change });
  const title = () => screen.getByRole('heading', { level: 1 }).textContent;
  const show = (given: Props) => serve(<page.default {...given} />);

  it.each([
    ['opened', at()],
    ['without data', at({ data: { site: absent() } })],
    ['incomplete', at({ query: {} })],
    ['done', at(acted(200, {}))],
    ['unknown', at(acted(404, { reason: 'LINK_UNKNOWN' }))],
    ['failed', at(acted(503, null))],
  ])('%s: breaks no accessibility rule', async (_, given) => {
    expect(await brokenRules(show(given))).toEqual([]);
  });

  it('does nothing when opened, and offers the button', () => {
    show(at());
    expect(title()).toBe(asked);
    const form = document.querySelector('form') as HTMLFormElement;
    expect([form.method, form.getAttribute('action')]).toEqual(['post', path]);
    expect([...new FormData(form)]).toEqual([
      ['token', TOKEN],
      ['part', `messaging:${path}`],
    ]);
    expect(screen.getByRole('button').textContent).toBe(button);
    expect(api.seen).toEqual([]);
  });

  it('calls the API when the button is pressed', () => {
    const call = inEngine(() => page.action(posted({ token: TOKEN }), NOW));
    expect(call).toMatchObject({ method: 'POST', path: `/newsletter:${name}`, body: { token: TOKEN } });
  });

  it('accepts a one-click post of a mail program', () => {
    const form = posted({ 'List-Unsubscribe': 'One-Click' });
    const call = inEngine(() => page.action(form, NOW, { params: {}, query: { token: TOKEN } }));
    expect(call).toMatchObject({ path: `/newsletter:${name}`, body: { token: TOKEN } });
    expect(inEngine(() => page.action(form, NOW))).toBeNull();
    show(at({ action: { form, result: { status: 200, body: {} } } }));
    expect(title()).toBe(done);
  });

  it('shows the outcome and the next step', () => {
    const posts = (code: number, body: unknown = {}) =>
      at({ query: {}, ...acted(code, body, { token: TOKEN } as never) });
    show(posts(200));
    expect(title()).toBe(done);
    cleanup();
    document.body.replaceChildren();
    show(posts(404, { reason: 'LINK_UNKNOWN' }));
    expect(title()).toMatch(/^This link/);
    expect(document.querySelector('main form')).toBeNull();
    expect(document.querySelector(`main a[href="${name === 'confirm' ? '/newsletter' : '/contact'}"]`)).toBeTruthy();
    document.body.replaceChildren();
    show(posts(503));
    expect(screen.getByRole('alert').textContent).toContain('Please try again');
    expect((document.querySelector('[name=token]') as HTMLInputElement).value).toBe(TOKEN);
    expect([200, 204, 404, 503].map((code) => page.status(posts(code)))).toEqual([200, 400, 404, 503]);
  });

  it('refuses an invalid token', () => {
    for (const token of ['', ' ', 'x'.repeat(129), 'a b', 'a\u202eb']) {
      expect(page.action(posted({ token }), NOW), token).toBeNull();
      show(at({ query: { token } }));
      expect(title()).toBe('This link is incomplete');
      document.body.replaceChildren();
    }
  });

  it('is not indexed, and sends no referrer to other sites', () => {
    expect(page.head(at())).toMatchObject({ robots: 'noindex', referrer: 'same-origin', canonicalPath: path });
    expect(JSON.stringify(page.head(at()))).not.toContain(TOKEN);
  });
});
