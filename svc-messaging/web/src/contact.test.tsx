// @vitest-environment happy-dom
/** The page as served, and sending a message with script. */
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { createHash } from 'node:crypto';
import { type Root, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Api, type Reply, type Seen, inEngine, posted, reply, serveApi } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { SITE, absent, ok } from '../test/answers.ts';
import type { ContactProps } from './contact/opening.ts';
import Contact, { action, head, status } from './contact.tsx';

/** A Saturday, 3:00 PM in India. */
const NOW = '2026-11-21T09:30:00Z';
const FORM = {
  firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com', phone: '98450 12345',
  subject: 'Parking', message: 'Where can we park?\nMy father cannot walk far.',
}; // prettier-ignore
const PAYLOAD = {
  name: 'Asha Rao', email: FORM.email, phone: FORM.phone, subject: FORM.subject, message: FORM.message,
}; // prettier-ignore
const MADE = { id: '1', reference: 'MS-7K3M-9QXD', ...PAYLOAD };
const FAILURE = 'Failed to send message. Please try again.';
const TOKEN = 'token-of-the-form';

const props = (change: Partial<ContactProps> = {}): ContactProps => ({
  params: {}, query: {}, data: { site: ok(SITE) }, action: null, now: NOW, path: '/contact',
  part: 'messaging:/contact', ...change,
}); // prettier-ignore
const acted = (code: number, body: unknown, change = {}) =>
  props({ action: { form: posted({ ...FORM, ...change }), result: { status: code, body } } });
let root: Root | null = null;
let api: Api;
let answer: (request: Seen) => Reply;
let tokens: Reply;

beforeEach(async () => {
  (globalThis as Record<symbol, unknown>)[Symbol.for('hospital.api')] = undefined;
  answer = () => reply.json(201, MADE);
  tokens = reply.json(200, { token: TOKEN });
  api = await serveApi((request) => (request.method === 'GET' ? tokens : answer(request)));
  vi.stubGlobal('fetch', api.fetch);
  vi.spyOn(console, 'error').mockImplementation((...words) => expect.fail(`console.error: ${words.join(' ')}`));
});

afterEach(async () => {
  await leave();
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await api.close();
});

async function leave() {
  await act(async () => root?.unmount());
  root = null;
  cleanup();
  document.querySelector('main')?.remove();
}

function serve(given: ContactProps): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = renderToString(<Contact {...given} />, { identifierPrefix: 'f0-' });
  document.body.append(main);
  return main;
}

async function open(given = props()) {
  const main = serve(given);
  await act(async () => {
    root = hydrateRoot(main, <Contact {...given} />, {
      identifierPrefix: 'f0-',
      onRecoverableError: (error) => expect.fail(String(error)),
    });
  });
  return main;
}

const field = (name: string) => document.querySelector(`form [name=${name}]`) as HTMLInputElement;
const alert = () => document.querySelector('main [role=alert]') as HTMLElement;
const button = () => screen.getByRole('button', { name: /Send message|Sending/ });
const posts = () => api.seen.filter(({ method }) => method === 'POST');
const bodies = () => posts().map(({ body }) => body as typeof PAYLOAD & { check?: Record<string, unknown> });
const words = (element: Element | null) => element?.textContent?.replace(/\s+/g, ' ') ?? '';

function fill(change: Partial<typeof FORM> = {}) {
  for (const [name, value] of Object.entries({ ...FORM, ...change })) {
    fireEvent.input(field(name), { target: { value } });
  }
}

describe('as served', () => {
  const pages: [string, ContactProps][] = [
    ['plain', props()],
    ['without data', props({ data: { site: absent() } })],
    ['refused', acted(400, { fields: [{ field: 'email', message: 'Enter an address' }] })],
    ['failed', acted(503, null)],
    ['too many', acted(429, { reason: 'MESSAGES_MAX', detail: 'Call reception.' })],
    ['sent', acted(201, MADE)],
  ];

  it.each(pages)('%s: breaks no accessibility rule and hydrates without a difference', async (_, given) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOW) });
    const main = await open(given);
    vi.useRealTimers();
    expect(await brokenRules(main)).toEqual([]);
  });

  it('has six required inputs, the honeypot and the fields of a native post', () => {
    serve(props());
    const fields = [...document.querySelectorAll<HTMLInputElement>('form [name]')];
    expect(fields.map(({ name }) => name)).toEqual([
      'firstName', 'lastName', 'email', 'phone', 'subject', 'message', 'website', 'requestId', 'part',
    ]); // prettier-ignore
    expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(Object.keys(FORM));
    expect([field('email').type, field('phone').type]).toEqual(['email', 'tel']);
    expect(field('website').closest('[aria-hidden=true]')).toBeTruthy();
    expect([field('website').tabIndex, field('website').autocomplete]).toEqual([-1, 'off']);
    expect(document.querySelector('h1')?.textContent).toBe('Get in Touch');
  });

  it('has address, numbers, e-mail addresses and hours, and shows what is open', () => {
    const main = serve(props());
    expect(words(main)).toContain('27 Champaca Road, Jayanagar, Bengaluru 560041');
    const card = screen.getByRole('region', { name: 'Sampige Hospital' });
    expect([...card.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      expect.stringMatching(/^https:\/\/www\.google\.com\/maps\/search\/\?api=1&query=Sampige%20Hospital/),
      'tel:+918000000108', 'tel:+918000000100', 'tel:+918000000102', 'mailto:hello@sampige.example',
    ]); // prettier-ignore
    expect([...([...card.querySelectorAll('dl')].at(-1)?.children ?? [])].map(words)).toEqual([
      'Emergency24/7Open now',
      'Outpatient department (OPD)9:00 AM to 8:00 PMOpen now, until 8:00 PM',
      'Booking9:00 AM - 7:00 PMOpen now, until 7:00 PM',
      'Visiting hoursby arrangement',
      'Front desk, Mon-Fri8 AM-8 PM',
      'Front desk, Sat-Sun9 AM-6 PMOpen now, until 6:00 PM',
    ]);
  });

  it('has the emergency number, also without data', () => {
    serve(props({ data: { site: absent() } }));
    const emergency = screen.getByRole('region', { name: 'In an emergency, call' });
    expect(emergency.querySelector('a')?.getAttribute('href')).toBe('tel:+918000000108');
    expect(document.querySelector('form')).toBeTruthy();
  });

  it('reports the failure in the page, and keeps what was typed', () => {
    serve(acted(503, null));
    expect(alert().textContent).toContain(FAILURE);
    expect(alert().querySelector('a[href="tel:+918000000100"]')).toBeTruthy();
    expect(field('message').value).toBe(FORM.message);
    expect(status(acted(503, null))).toBe(503);
  });

  it('explains what to do if a network sent too many messages', () => {
    serve(acted(429, { reason: 'MESSAGES_MAX', detail: 'Please call reception.' }));
    expect(alert().textContent).toContain('Please call reception.');
  });

  it('thanks by name, with address and reference', () => {
    const main = serve(acted(201, MADE));
    expect(screen.getByRole('heading', { name: 'Message Sent!' })).toBeTruthy();
    expect(words(main)).toContain('Thank you, Asha Rao.');
    // W11: title and heading show the outcome.
    expect(screen.getAllByRole('heading', { level: 1 }).map(words)).toEqual(['Message Sent!']);
    expect(head(acted(201, MADE)).title).toBe('Message sent | Sampige Hospital');
    expect(head(acted(503, null)).title).toBe('Error: Contact | Sampige Hospital');
    expect(words(main)).toContain('MS-7K3M-9QXD');
    expect(words(main)).toContain('asha@example.com');
    expect(document.querySelector('form')).toBeNull();
    expect(status(acted(201, MADE))).toBe(200);
  });
});

describe('a URL with a subject', () => {
  const parking = () => props({ query: { subject: 'Parking' } });

  it('fills in no subject that could not be sent', () => {
    for (const subject of ['x'.repeat(201), 'one\u202eeno', 'two\nlines']) {
      serve(props({ query: { subject } }));
      expect(field('subject').value).toBe('');
      cleanup();
      document.querySelector('main')?.remove();
    }
  });

  it('keeps it out of title and description', () => {
    expect(head(parking())).toEqual(head(props()));
    expect(head(props()).canonicalPath).toBe('/contact');
  });

  it('keeps posted values', () => {
    const form = { ...FORM, subject: 'Mine' };
    serve({ ...parking(), action: { form: posted(form), result: { status: 503, body: null } } });
    expect(field('subject').value).toBe('Mine');
  });

  it('gives way to the typed subject after a reload', async () => {
    await open(parking());
    fill({ subject: 'Parking for two' });
    await leave();
    await open(parking());
    expect([field('subject').value, field('message').value]).toEqual(['Parking for two', FORM.message]);
  });
});

describe('a native post', () => {
  const native = (change = {}) => inEngine(() => action(posted({ ...FORM, ...change }), NOW));

  it('is the payload of the specification', () => {
    expect(native({ firstName: ' Asha ' })).toEqual({
      method: 'POST',
      path: '/messages',
      body: PAYLOAD,
      receipt: expect.objectContaining({ facts: { Reference: 'reference' } }),
    });
  });

  it('sends the value of the honeypot', () => {
    expect(native({ website: 'https://buy.example' })?.body).toEqual({
      ...PAYLOAD,
      check: { website: 'https://buy.example' },
    });
  });

  it.each([
    ['firstName', { firstName: '' }, 'Enter the first name of the sender'],
    ['lastName', { lastName: ' ' }, 'Enter the last name of the sender'],
    ['email', { email: 'asha' }, 'Enter an e-mail address such as name@example.com'],
    ['phone', { phone: '' }, 'Enter a phone number of 7 to 15 digits, such as +91 80 0000 0000'],
    ['subject', { subject: ' ' }, 'Enter a subject'],
    ['message', { message: '' }, 'Write your message'],
    ['message', { message: 'x'.repeat(4501) }, 'Shorten this to 4500 characters'],
  ])('calls nothing if %s is wrong: %o', (name, change, said) => {
    expect(native(change)).toBeNull();
    serve(acted(204, null, change));
    expect(document.getElementById(`${name}-error`)?.textContent).toBe(`Error: ${said}`);
    expect(status(acted(204, null, change))).toBe(400);
  });
});

describe('with script', () => {
  it('shows Sending..., sends once with the check, and replaces the form by thanks', async () => {
    await open();
    fill();
    fireEvent.click(button());
    expect(button().textContent).toBe('Sending...');
    expect(button().getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(button());
    const heading = await screen.findByRole('heading', { name: 'Message Sent!' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    // An immediate submission is better off without a token.
    expect(bodies()).toEqual([{ ...PAYLOAD, check: { website: '', token: '', canProve: true } }]);
    expect(posts()[0]?.key).toMatch(/^[\x21-\x7e]{16,128}$/);
    expect(sessionStorage.length).toBe(0);
  });

  it('fetches a token once at the first focus, and sends it when it is old enough', async () => {
    const fetched = vi.fn(api.fetch);
    vi.stubGlobal('fetch', fetched);
    await open();
    expect(api.seen).toEqual([]);
    await act(async () => field('firstName').focus());
    await act(async () => field('lastName').focus());
    await waitFor(() => expect(api.seen.map(({ path }) => path)).toEqual(['/form-token']));
    await act(async () => {
      const response = await fetched.mock.results[0]?.value;
      await response.text();
      await new Promise((next) => setTimeout(next));
    });
    const later = Date.now() + 5000;
    vi.spyOn(Date, 'now').mockImplementation(() => later);
    fill();
    fireEvent.click(button());
    await screen.findByRole('heading', { name: 'Message Sent!' });
    expect(bodies()[0]?.check).toEqual({ website: '', token: TOKEN, canProve: true });
  });

  it('works without a token', async () => {
    tokens = reply.json(404, {});
    await open();
    await act(async () => field('firstName').focus());
    fill();
    fireEvent.click(button());
    expect(await screen.findByRole('heading', { name: 'Message Sent!' })).toBeTruthy();
  });

  it('computes the requested proof silently, under the same key', async () => {
    const asks = { status: 400, title: 'x', reason: 'PROOF_REQUIRED', metadata: { challenge: 'c1.x', bits: '10' } };
    answer = (request: Seen) => {
      const { check } = request.body as { check: { proof?: string } };
      const hash = createHash('sha256')
        .update(check.proof ?? '')
        .digest();
      const isProof = check.proof?.startsWith('c1.x.') && hash.readUInt16BE() >> 6 === 0;
      return isProof ? reply.json(201, MADE) : reply.json(400, asks);
    };
    await open();
    fill();
    fireEvent.click(button());
    expect(await screen.findByRole('heading', { name: 'Message Sent!' })).toBeTruthy();
    expect(posts()).toHaveLength(2);
    expect(new Set(posts().map(({ key }) => key)).size).toBe(1);
  });

  it('sends without a proof if none is found', async () => {
    const asks = { status: 400, title: 'x', reason: 'PROOF_REQUIRED', metadata: { challenge: 'c', bits: '1' } };
    answer = (request: Seen) =>
      (request.body as { check: { canProve: boolean } }).check.canProve ? reply.json(400, asks) : reply.json(201, MADE);
    await open();
    fill();
    fireEvent.click(button());
    expect(await screen.findByRole('heading', { name: 'Message Sent!' })).toBeTruthy();
    expect(bodies().map(({ check }) => [check?.canProve, Boolean(check?.proof)])).toEqual([
      [true, false],
      [true, true],
      [false, false],
    ]);
  });

  it.each(['', 'x', '0', '99'])('does not compute for %o bits', async (bits) => {
    const asks = { status: 400, title: 'x', reason: 'PROOF_REQUIRED', metadata: { challenge: 'c', bits } };
    answer = (request: Seen) =>
      (request.body as { check: { canProve: boolean } }).check.canProve ? reply.json(400, asks) : reply.json(201, MADE);
    await open();
    fill();
    fireEvent.click(button());
    expect(await screen.findByRole('heading', { name: 'Message Sent!' })).toBeTruthy();
    expect(posts()).toHaveLength(2);
  });

  it('reports a failure beside the form, keeps what was typed, and retries under the same key', async () => {
    answer = () => reply.json(500, {});
    await open();
    fill();
    fireEvent.click(button());
    await waitFor(() => expect(alert()?.textContent).toContain(FAILURE));
    expect(field('message').value).toBe(FORM.message);
    expect(button().textContent).toBe('Send message');
    answer = () => reply.json(201, MADE);
    fireEvent.click(button());
    await screen.findByText('MS-7K3M-9QXD');
    expect(new Set(posts().map(({ key }) => key)).size).toBe(1);
  });

  it('updates the opening state', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval'], now: Date.parse('2026-11-21T14:29:45Z') });
    await open();
    const booking = () => words(screen.getByText('Booking').closest('div'));
    expect(booking()).toContain('Closed now');
    vi.setSystemTime(Date.parse('2026-11-22T03:29:50Z'));
    await act(async () => vi.advanceTimersByTime(30_000));
    expect(booking()).toContain('Open now, until 7:00 PM');
    vi.useRealTimers();
  });
});
