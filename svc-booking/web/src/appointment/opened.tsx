/** Renders the appointment page in a document, with a fake API that each test configures. */
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { posted } from '@hospital/form/testing';
import type { HoldInput } from '@hospital/api/types';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import AppointmentPage from '../appointment.tsx';
import { clientProps } from './client-props.ts';
import type { AppointmentProps } from './data.ts';
import { CLINIC, FORM, IYENGAR, days, freeTimes, pageProps } from './fixtures.ts';

/** Body of a request for a hold. */
type Hold = Partial<HoldInput>;
type Answer = { status: number; body: unknown };

let root: Root | null = null;

export const api = {
  /** Requests for bookings and waitlist entries. */
  posts: [] as { path: string; body: unknown; key: string }[],
  /** Requests for free times: path and query, below `/api`. */
  reads: [] as string[],
  /** Requested holds. */
  holds: [] as Hold[],
  /** Ids of released holds. */
  givenBack: [] as string[],
  /** Times that are not free any more. */
  taken: [] as string[],
  /** Responses to the next holds, first to last; if empty, the hold is granted. */
  holdAnswers: [] as Answer[],
  /** Responses to the next bookings, first to last; the last one repeats. */
  answers: [] as Answer[],
};

export const SECRET = 'k7Qm2xZ-9_bTn4RfVw8LsYc1Hd6JgPa3Ue5Xo0Ni-Mq';
export const BOOKED = {
  id: '1', reference: 'SH-7K3M-9QXD', patientName: 'Asha Rao', date: '2026-11-23', time: '9:30 AM',
  department: 'cardiology', attendant: CLINIC, preferredDoctor: '',
  secret: SECRET, calendar: 'BEGIN:VCALENDAR\r\nSUMMARY:Visit, 9:30 & more\r\nEND:VCALENDAR\r\n',
}; // prettier-ignore

/** Title as the server renders it. */
export const TITLE = 'Book an appointment | Sampige Hospital';

/** Props of a page that answers a native post of the form. */
export const acted = (status: number, body: unknown, change = {}) =>
  pageProps({ action: { form: posted({ ...FORM, ...change }), result: { status, body } } });
export const problem = (reason: string, detail: string, status = 400) => ({
  status,
  body: { status, title: 'x', reason, detail },
});

export function answer({ status, body }: Answer): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

export async function respond(input: string, init: RequestInit = {}): Promise<Response> {
  const address = new URL(input, 'http://site.test');
  if (address.pathname === '/telemetry') return new Response(null, { status: 204 });
  if (init.method === 'DELETE') {
    api.givenBack.push(address.pathname.split('/').at(-1) ?? '');
    return new Response(null, { status: 204 });
  }
  if (address.pathname === '/api/holds') {
    const hold = JSON.parse(String(init.body)) as Hold;
    api.holds.push(hold);
    const attendant = hold.doctorId ? IYENGAR : CLINIC;
    const body = {
      ...hold,
      attendant,
      id: `H-${api.holds.length}`,
      expireTime: new Date(Date.now() + 300_000).toISOString(),
    };
    return answer(api.holdAnswers.shift() ?? { status: 201, body });
  }
  if (init.method === 'POST') {
    api.posts.push({
      path: address.pathname.replace('/api', ''),
      body: JSON.parse(String(init.body)),
      key: (init.headers as Record<string, string>)['Idempotency-Key'] ?? '',
    });
    return answer((api.answers.length > 1 ? api.answers.shift() : api.answers[0]) as Answer);
  }
  api.reads.push(address.pathname.replace('/api', '') + address.search);
  const { from, to } = Object.fromEntries(address.searchParams) as { from: string; to: string };
  if (address.pathname === '/api/free-times') return answer({ status: 200, body: freeTimes(from, to, api.taken) });
  const own = days(from, to, api.taken, IYENGAR.resource);
  return answer({ status: 200, body: { days: own, attendants: [IYENGAR], timeZone: 'Asia/Kolkata' } });
}

export function serve(props: AppointmentProps): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = renderToString(<AppointmentPage {...props} />, { identifierPrefix: 'f0-' });
  document.body.append(main);
  // Browsers apply the `selected` attribute of served HTML; this document needs the property.
  for (const option of main.querySelectorAll<HTMLOptionElement>('option[selected]')) option.selected = true;
  for (const radio of main.querySelectorAll<HTMLInputElement>('input[checked]')) radio.checked = true;
  return main;
}

export async function hydrate(main: HTMLElement, props: AppointmentProps) {
  await act(async () => {
    root = hydrateRoot(main, <AppointmentPage {...clientProps(props)} />, {
      identifierPrefix: 'f0-',
      onRecoverableError: (error) => expect.fail(String(error)),
    });
  });
}

export async function open(props = pageProps()) {
  const main = serve(props);
  await hydrate(main, props);
  return main;
}

export function field(name: string): HTMLInputElement {
  return document.querySelector(`[name=${name}]`) as HTMLInputElement;
}

export function chosenTime(): string {
  return valueOf('time');
}

/** The form's value of a field that may be a group of radio buttons. */
export function valueOf(name: string): string {
  return String(new FormData(document.querySelector('form') as HTMLFormElement).get(name) ?? '');
}

/** Types into a field, or chooses the radio button with this value. */
export function type(name: string, value: string) {
  const radio = document.querySelector(`[type=radio][name=${name}][value="${value}"]`);
  if (radio) return void fireEvent.click(radio);
  const element = field(name);
  if (element.tagName === 'SELECT') fireEvent.change(element, { target: { value } });
  else fireEvent.input(element, { target: { value } });
}

export function fillPatient() {
  for (const name of ['firstName', 'lastName', 'email', 'phone', 'message'] as const) type(name, FORM[name]);
}

export async function chooseTime(time: string) {
  await act(async () => type('department', 'Cardiology'));
  fireEvent.click(await screen.findByRole('radio', { name: /^Mon 23 Nov/ }));
  fireEvent.click(screen.getByRole('radio', { name: time }));
}

export async function book() {
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Book Appointment' })));
}

export function aPageForEachCase() {
  beforeEach(() => {
    document.title = TITLE;
    history.replaceState(null, '', '/appointment');
    api.posts = [];
    api.reads = [];
    api.holds = [];
    api.givenBack = [];
    api.holdAnswers = [];
    api.taken = [];
    api.answers = [{ status: 201, body: BOOKED }];
    (globalThis as Record<symbol, unknown>)[Symbol.for('hospital.api')] = undefined;
    vi.stubGlobal('fetch', vi.fn(respond));
    vi.spyOn(console, 'error').mockImplementation((...words) => expect.fail(`console.error: ${words.join(' ')}`));
  });

  afterEach(async () => {
    await act(async () => root?.unmount());
    root = null;
    cleanup();
    document.body.replaceChildren();
    sessionStorage.clear();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
}

/** Leaves the page as a browser discards it: the tab's session storage stays. */
export async function leave() {
  await act(async () => root?.unmount());
  root = null;
  document.body.replaceChildren();
}
