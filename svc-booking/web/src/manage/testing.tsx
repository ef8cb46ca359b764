/** Renders the manage page in a document, with a fake API that each test configures. */
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { type Root, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { type Api, type Reply, type Seen, inEngine, posted, reply, serveApi } from '@hospital/form/testing';
import { pageProps } from '../appointment/fixtures.ts';
import ManagePage from '../manage.tsx';
import { APPOINTMENT, SECRET } from './fixtures.ts';

export type Props = Parameters<typeof ManagePage>[0];

export const NOW = '2026-11-21T09:30:00Z';
export const TITLE = 'Your appointment | Sampige Hospital';
export const START = 'Change or cancel your appointment | Sampige Hospital';
export const LINK = { reference: APPOINTMENT.reference, secret: SECRET };
export const CARRIED = {
  ...LINK, etag: 'v1', department: 'cardiology', doctorId: 'doc-06', bookedDate: '2026-11-23', bookedTime: '9:30 AM',
}; // prettier-ignore
export const KNOWN = { reference: 'SH-7K3M-9QXD', phone: '98450 12345' };
export const PERSON = { patientName: 'Asha R.', email: 'asha@example.com', phone: '98450 12345', reason: 'Pain' };

export const props = (change: Partial<Props> = {}) =>
  pageProps({ path: '/appointment/manage', part: 'booking:/appointment/manage', ...change });
export const acted = (task: string, code: number, body: unknown, form: Record<string, string> = LINK) =>
  props({ action: { form: posted({ task, ...form }), result: { status: code, body } } });

let root: Root | null = null;
let api: Api;

export const server = {
  answer: (_: Seen): Reply => reply.json(200, APPOINTMENT),
  /** How far the server's clock is ahead of the device's, in milliseconds. */
  aheadMs: 0,
  /** Received requests, first to last. */
  get seen() {
    return api.seen;
  },
};

export function aPageForEachCase() {
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOW) });
    (globalThis as Record<symbol, unknown>)[Symbol.for('hospital.api')] = undefined;
    history.replaceState(null, '', '/appointment/manage');
    document.title = START;
    server.aheadMs = 0;
    server.answer = () => reply.json(200, APPOINTMENT);
    api = await serveApi(
      (seen) => server.answer(seen),
      () => Date.now() + server.aheadMs,
    );
    vi.stubGlobal('fetch', api.fetch);
    vi.spyOn(console, 'error').mockImplementation((...words) => expect.fail(`console.error: ${words.join(' ')}`));
  });

  afterEach(async () => {
    await act(async () => root?.unmount());
    root = null;
    cleanup();
    document.body.replaceChildren();
    sessionStorage.clear();
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    await api.close();
  });
}

export function serve(given: Props): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<ManagePage {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

export async function open(given = props()) {
  const main = serve(given);
  await act(async () => {
    root = hydrateRoot(main, <ManagePage {...given} />, {
      identifierPrefix: 'f0-',
      onRecoverableError: (error) => expect.fail(String(error)),
    });
  });
  return main;
}

/** Opens the page by its link. */
export async function come(secret = SECRET, reference = LINK.reference) {
  history.replaceState(null, '', `/appointment/manage#${reference}.${secret}`);
  return open();
}

export const form = (task: string) =>
  document.querySelector(`input[name=task][value=${task}]`)?.closest('form') as HTMLFormElement;
export const hidden = (task: string) =>
  Object.fromEntries(
    [...form(task).querySelectorAll<HTMLInputElement>('[type=hidden]')].map((field) => [field.name, field.value]),
  );
export const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
export const alert = () => screen.findByRole('alert');
/** U5: the result is the page's heading and title, and the heading has the focus. */
export async function isSaid(words: string) {
  const heading = await screen.findByRole('heading', { level: 1, name: words });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(document.title).toBe(`${words} | Sampige Hospital`);
}
