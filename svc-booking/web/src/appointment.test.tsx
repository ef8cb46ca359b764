// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import { posted } from '@hospital/form/testing';
import { FORM, days, pageProps } from './appointment/fixtures.ts';
import AppointmentPage, { head } from './appointment.tsx';
import type { AppointmentProps } from './appointment/data.ts';

type Answer = { status: number; body: unknown };

let root: Root | null = null;
let posts: { body: unknown; key: string }[] = [];
let reads: string[] = [];
let taken: string[] = [];
/** Answers to the next bookings, first to last; the last one stays. */
let answers: Answer[] = [];

const BOOKED = { id: '1', reference: 'SH-7K3M-9QXD', date: '2026-11-23', time: '9:30 AM', notes: 'Cardiology' };

function answer({ status, body }: Answer): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

async function respond(input: string, init: RequestInit = {}): Promise<Response> {
  const address = new URL(input, 'http://site.test');
  if (address.pathname === '/telemetry') return new Response(null, { status: 204 });
  if (init.method === 'POST') {
    posts.push({
      body: JSON.parse(String(init.body)),
      key: (init.headers as Record<string, string>)['Idempotency-Key'] ?? '',
    });
    return answer((answers.length > 1 ? answers.shift() : answers[0]) as Answer);
  }
  reads.push(address.search);
  const { from, to } = Object.fromEntries(address.searchParams) as { from: string; to: string };
  return answer({ status: 200, body: { days: days(from, to, taken), timeZone: 'Asia/Kolkata' } });
}

function serve(props: AppointmentProps): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = renderToString(<AppointmentPage {...props} />, { identifierPrefix: 'f0-' });
  document.body.append(main);
  return main;
}

async function hydrate(main: HTMLElement, props: AppointmentProps) {
  await act(async () => {
    root = hydrateRoot(main, <AppointmentPage {...props} />, {
      identifierPrefix: 'f0-',
      onRecoverableError: (error) => expect.fail(String(error)),
    });
  });
}

async function open(props = pageProps()) {
  const main = serve(props);
  await hydrate(main, props);
  return main;
}

function field(name: string): HTMLInputElement {
  return document.querySelector(`[name=${name}]`) as HTMLInputElement;
}

function chosenTime(): string {
  return String(new FormData(document.querySelector('form') as HTMLFormElement).get('time') ?? '');
}

function type(name: string, value: string) {
  const element = field(name);
  if (element.tagName === 'SELECT') fireEvent.change(element, { target: { value } });
  else fireEvent.input(element, { target: { value } });
}

function fillPatient() {
  for (const name of ['firstName', 'lastName', 'email', 'phone', 'message'] as const) type(name, FORM[name]);
}

async function chooseTime(time: string) {
  await act(async () => type('department', 'Cardiology'));
  fireEvent.click(await screen.findByRole('radio', { name: /^Mon 23 Nov/ }));
  fireEvent.click(screen.getByRole('radio', { name: time }));
}

async function book() {
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Book Appointment' })));
}

beforeEach(() => {
  posts = [];
  reads = [];
  taken = [];
  answers = [{ status: 201, body: BOOKED }];
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

const acted = (status: number, body: unknown, change = {}) =>
  pageProps({ action: { form: posted({ ...FORM, ...change }), result: { status, body } } });

describe('as served', () => {
  const pages: [string, AppointmentProps][] = [
    ['plain', pageProps()],
    ['for a department', pageProps({ query: { department: 'cardiology' } })],
    [
      'without data',
      pageProps({
        data: {
          departments: { ok: false, status: 503, body: null },
          doctors: { ok: false, status: 503, body: null },
          site: { ok: false, status: 503, body: null },
        },
      }),
    ],
    ['refused', acted(400, { fields: [{ field: 'patientName', message: 'Enter a name' }] })],
    ['taken', acted(409, { reason: 'SLOT_TAKEN' })],
    ['failed', acted(500, null)],
    ['free times', acted(200, { days: days('2026-11-23', '2026-11-29', ['2026-11-23 9:00 AM']) }, { intent: 'times' })],
    ['no free times', acted(200, { days: days('2026-11-22', '2026-11-22') }, { intent: 'times' })],
    ['emergency', acted(200, { departments: [] }, { department: 'Emergency' })],
    ['booked', acted(201, BOOKED)],
  ];

  it.each(pages)('%s: breaks no accessibility rule', async (_, props) => {
    expect(await brokenRules(serve(props))).toEqual([]);
  });

  it.each(pages)('%s: hydrates without a difference', async (_, props) => {
    await open(props);
  });

  it('is a complete native form', () => {
    serve(pageProps());
    const form = document.querySelector('form') as HTMLFormElement;
    expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual(['post', '/appointment']);
    const names = [...form.elements].map((element) => element.getAttribute('name')).filter(Boolean);
    expect(names).toEqual([
      'firstName',
      'lastName',
      'email',
      'phone',
      'department',
      'doctor',
      'date',
      'time',
      'message',
      'intent',
      'requestId',
      'part',
    ]);
    const required = names.filter((name) => field(String(name)).required);
    expect(required).toEqual(['firstName', 'lastName', 'email', 'phone', 'department', 'date', 'time']);
    expect([field('date').min, field('date').max]).toEqual(['2026-11-21', '2027-01-20']);
    expect(field('time').querySelectorAll('optgroup option')).toHaveLength(18);
    expect(field('requestId').value).toBe('');
  });

  it('shows what was posted and what is wrong with it', () => {
    serve(
      acted(400, {
        fields: [
          { field: 'patientName', message: 'Enter a name' },
          { field: 'reason', message: 'Too long' },
        ],
      }),
    );
    expect(screen.getByRole('alert').textContent).toContain('Failed to book appointment. Please try again.');
    expect(screen.getByRole('link', { name: 'Enter a name' }).getAttribute('href')).toBe('#firstName');
    expect(field('firstName').getAttribute('aria-invalid')).toBe('true');
    expect(field('message').getAttribute('aria-describedby')).toContain('message-error');
    expect(field('lastName').value).toBe('Rao');
    const chosen = [...document.querySelectorAll('option[selected]')].map(({ textContent }) => textContent);
    expect(chosen).toEqual(['Cardiology', '9:30 AM']);
  });

  it('offers asked times as choices of the same form, full ones not', () => {
    serve(acted(200, { days: days('2026-11-23', '2026-11-29', ['2026-11-23 9:00 AM']) }, { intent: 'times' }));
    const radios = [...document.querySelectorAll<HTMLInputElement>('input[name=time]')];
    expect(radios).toHaveLength(18);
    expect(radios.filter(({ disabled }) => disabled).map(({ value }) => value)).toEqual(['9:00 AM']);
    expect(radios.find(({ checked }) => checked)?.value).toBe('9:30 AM');
  });

  it('has one emergency number, also when the hospital’s facts do not answer', () => {
    const down = { ok: false as const, status: 503, body: null };
    serve(pageProps({ data: { ...pageProps().data, site: down } }));
    const numbers = [...document.querySelectorAll('a[href^="tel:"]')].map((link) => link.getAttribute('href'));
    expect(new Set(numbers)).toEqual(new Set(['tel:+918000000108']));
  });

  it('describes itself without the visitor', () => {
    expect(head(acted(201, BOOKED))).toEqual(head(pageProps()));
    expect(head(pageProps())).toMatchObject({
      title: 'Book an appointment | Sampige Hospital',
      canonicalPath: '/appointment',
    });
  });
});

describe('with script', () => {
  it('changes nothing of the page by itself', async () => {
    const main = serve(pageProps());
    const before = main.innerHTML;
    await hydrate(main, pageProps());
    expect(main.innerHTML).toBe(before);
    expect(reads).toEqual([]);
  });

  it('keeps what was typed before it came', async () => {
    const main = serve(pageProps());
    field('firstName').value = 'Asha';
    field('department').value = 'Cardiology';
    await hydrate(main, pageProps());
    expect(field('firstName').value).toBe('Asha');
    expect(await screen.findByRole('radio', { name: /^Mon 23 Nov/ })).toBeTruthy();
  });

  it('shows every violation without asking the server, and focuses the summary', async () => {
    await open();
    await book();
    const summary = screen.getByRole('alert');
    expect(document.activeElement).toBe(summary);
    expect(within(summary).getAllByRole('link')).toHaveLength(7);
    expect(field('email').getAttribute('aria-invalid')).toBe('true');
    expect(posts).toEqual([]);
  });

  it('asks once for a span and shows what is full', async () => {
    taken = ['2026-11-23 9:00 AM'];
    const main = await open();
    await act(async () => type('department', 'Cardiology'));
    const full = await screen.findByRole('radio', { name: '9:00 AM' }).catch(() => null);
    expect(full).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: /^Mon 23 Nov 17 free/ }));
    expect(screen.getByRole('radio', { name: '9:00 AM Full' })).toHaveProperty('disabled', true);
    expect(screen.getByRole('radio', { name: /^Sun 22 Nov Closed/ })).toHaveProperty('disabled', true);
    expect(screen.getByRole('status').textContent).toBe(
      '17 free times on Monday 23 November 2026, Indian Standard Time (IST)',
    );
    expect(reads).toEqual(['?department=cardiology&from=2026-11-21&to=2026-12-04']);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('asks for a doctor only when a suggestion was picked, and sends the id', async () => {
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await act(async () => type('doctor', 'Dr. Nand'));
    expect(reads).toHaveLength(1);
    await act(async () => type('doctor', 'dr. nandini iyengar'));
    await waitFor(() => expect(reads.at(-1)).toContain('doctor=doc-06'));
    expect(document.querySelectorAll('#doctor-names option')).toHaveLength(1);
    await screen.findByRole('radio', { name: '9:30 AM' });
    await book();
    expect(posts[0]?.body).toMatchObject({ doctorId: 'doc-06', notes: 'Cardiology | Preferred: dr. nandini iyengar' });
  });

  it('goes on to later days and back', async () => {
    await open();
    await act(async () => type('department', 'Cardiology'));
    fireEvent.click(await screen.findByRole('button', { name: 'Later days' }));
    await screen.findByRole('radio', { name: /^Sat 5 Dec/ });
    await waitFor(() => expect(field('date').value).toBe('2026-12-05'));
    fireEvent.click(screen.getByRole('button', { name: 'Earlier days' }));
    await screen.findByRole('radio', { name: /^Mon 23 Nov/ });
    expect(reads).toHaveLength(2);
  });

  it('books and confirms', async () => {
    const main = await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await book();
    const heading = await screen.findByRole('heading', { name: 'Your appointment is booked' });
    expect(document.activeElement).toBe(heading);
    expect(main.textContent).toContain('SH-7K3M-9QXD');
    expect(main.textContent).toContain('9:30 AM IST');
    expect(document.querySelector('form')).toBeNull();
    expect(sessionStorage.length).toBe(0);
    expect(posts).toHaveLength(1);
    expect(posts[0]?.key).toMatch(/^[\x21-\x7e]{16,128}$/);
    expect(posts[0]?.body).toEqual({
      patientName: 'Asha Rao', email: 'asha@example.com', phone: '98450 12345', date: '2026-11-23', time: '9:30 AM',
      reason: 'Check-up', doctorId: '', notes: 'Cardiology',
    }); // prettier-ignore
    expect(await brokenRules(main)).toEqual([]);
  });

  it('says Processing... once and ignores a second press', async () => {
    let release = (_: Response) => {};
    vi.stubGlobal(
      'fetch',
      vi.fn((input: string, init?: RequestInit) =>
        input === '/api/appointments' ? new Promise<Response>((done) => (release = done)) : respond(input, init),
      ),
    );
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await book();
    const button = screen.getByRole('button', { name: 'Processing...' });
    expect(button).toHaveProperty('disabled', true);
    await act(async () => fireEvent.submit(document.querySelector('form') as HTMLFormElement));
    await act(async () => release(answer({ status: 201, body: BOOKED })));
    expect(await screen.findByText('SH-7K3M-9QXD')).toBeTruthy();
  });

  it('keeps the form and its key when it fails, and books with the next press', async () => {
    answers = [
      { status: 500, body: { status: 500, title: 'Internal' } },
      { status: 201, body: BOOKED },
    ];
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await book();
    expect(screen.getByRole('alert').textContent).toBe('Failed to book appointment. Please try again.');
    expect([field('firstName').value, field('message').value, chosenTime()]).toEqual(['Asha', 'Check-up', '9:30 AM']);
    await book();
    expect(await screen.findByText('SH-7K3M-9QXD')).toBeTruthy();
    expect(posts[1]?.key).toBe(posts[0]?.key);
  });

  it('shows refusals of the server at their fields', async () => {
    answers = [
      {
        status: 400,
        body: {
          status: 400,
          title: 'Bad',
          fields: [
            { field: 'patientName', message: 'Use letters' },
            { field: 'notes', message: 'Unknown department' },
          ],
        },
      },
    ];
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await book();
    expect(document.activeElement).toBe(screen.getByRole('alert'));
    expect(field('firstName').getAttribute('aria-describedby')).toBe('firstName-error');
    expect(document.querySelector('#department-error')?.textContent).toContain('Unknown department');
  });

  it('offers what is left when the time was taken, under a new key', async () => {
    answers = [
      { status: 409, body: { status: 409, title: 'Taken', reason: 'SLOT_TAKEN' } },
      { status: 201, body: BOOKED },
    ];
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    taken = ['2026-11-23 9:30 AM'];
    await book();
    expect(screen.getByRole('alert').textContent).toContain('just taken');
    expect(await screen.findByRole('radio', { name: '9:30 AM Full' })).toHaveProperty('disabled', true);
    expect([field('firstName').value, field('date').value, chosenTime()]).toEqual(['Asha', '2026-11-23', '']);
    fireEvent.click(screen.getByRole('radio', { name: '10:00 AM' }));
    await book();
    expect(await screen.findByText('SH-7K3M-9QXD')).toBeTruthy();
    expect(posts[1]?.key).not.toBe(posts[0]?.key);
  });

  it('restores what was typed after a reload, with its key while the answer is unknown', async () => {
    answers = [{ status: 500, body: {} }];
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await book();
    await act(async () => root?.unmount());
    document.body.replaceChildren();

    answers = [{ status: 201, body: BOOKED }];
    await open();
    expect(await screen.findByRole('radio', { name: '9:30 AM', checked: true })).toBeTruthy();
    expect([field('firstName').value, field('email').value, field('department').value, field('date').value]).toEqual([
      'Asha',
      'asha@example.com',
      'Cardiology',
      '2026-11-23',
    ]);
    await book();
    expect(posts[1]).toEqual(posts[0]);
  });

  it('says that a time is gone when it was taken meanwhile', async () => {
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await act(async () => root?.unmount());
    document.body.replaceChildren();

    taken = ['2026-11-23 9:30 AM'];
    await open();
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toMatch(/^9:30 AM is no longer free. 17 free times/),
    );
    expect([field('date').value, chosenTime()]).toEqual(['2026-11-23', '']);
  });

  it('leaves the plain list of times to use while free ones are on their way, and keeps what was chosen in it', async () => {
    let release = () => {};
    const waiting = new Promise<void>((done) => (release = done));
    vi.stubGlobal(
      'fetch',
      vi.fn((input: string, init?: RequestInit) => waiting.then(() => respond(input, init))),
    );
    await open();
    await act(async () => type('department', 'Cardiology'));
    await act(async () => type('date', '2026-11-24'));
    expect(screen.getByRole('status').textContent).toBe('Looking for free times…');
    const select = screen.getByRole('combobox', { name: /^Time/ });
    await act(async () => select.focus());
    await act(async () => fireEvent.change(select, { target: { value: '10:00 AM' } }));
    await act(async () => release());
    // Nobody loses the list that they are in.
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/^18 free times on Tuesday/));
    expect(document.activeElement).toBe(select);
    await act(async () => select.blur());
    expect(screen.getByRole('radio', { name: '10:00 AM', checked: true })).toBeTruthy();
  });

  it('has days and times as groups of radio buttons with a name, that lead one to what is wrong', async () => {
    const main = await open();
    fillPatient();
    await act(async () => type('department', 'Cardiology'));
    const times = await screen.findByRole('radiogroup', { name: 'Time' });
    expect(screen.getByRole('radiogroup', { name: 'Day' })).toBeTruthy();
    await book();
    expect(times.id).toBe('time');
    expect(times.getAttribute('aria-invalid')).toBe('true');
    const description = (times.getAttribute('aria-describedby') ?? '').split(' ');
    const said = description.map((id) => document.getElementById(id)?.textContent).join(' ');
    expect(said).toMatch(/Indian Standard Time \(IST\).*Choose a free time/);
    fireEvent.click(screen.getByRole('link', { name: 'Choose a free time' }));
    expect(document.activeElement).toBe(times);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('sends no field but those that it has without script', async () => {
    const main = await open();
    await chooseTime('9:30 AM');
    const own = [...main.querySelectorAll('form [name]:not([form])')].map((element) => element.getAttribute('name'));
    expect(new Set(own)).toEqual(new Set([...Object.keys(FORM), 'requestId', 'part']));
    // The radio buttons of the days name a form that there is not.
    expect(field('day').getAttribute('form')).toBe('none');
    expect(document.getElementById('none')).toBeNull();
  });

  describe('keeps free times for five minutes', () => {
    const visible = (state: string) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    const turnTo = (department: string) => act(async () => type('department', department));
    beforeEach(
      () => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true }),
    );
    afterEach(() => {
      vi.useRealTimers();
      delete (document as { visibilityState?: unknown }).visibilityState;
    });

    it('and asks again when they are older', async () => {
      await open();
      await turnTo('Cardiology');
      await screen.findByRole('radiogroup', { name: 'Time' });
      await turnTo('General Medicine');
      await waitFor(() => expect(reads).toHaveLength(2));
      await turnTo('Cardiology');
      expect(reads).toHaveLength(2);
      await turnTo('General Medicine');
      taken = ['2026-11-23 9:00 AM'];
      await act(() => vi.advanceTimersByTimeAsync(300_000));
      await waitFor(() => expect(reads).toHaveLength(3));
      expect(await screen.findByRole('radio', { name: /^Mon 23 Nov 17 free/ })).toBeTruthy();
      await turnTo('Cardiology');
      await waitFor(() => expect(reads).toHaveLength(4));
    });

    it('and asks again when the visitor comes back to the tab, with the old ones in sight until then', async () => {
      await open();
      await turnTo('Cardiology');
      await screen.findByRole('radio', { name: /^Mon 23 Nov 18 free/ });
      visible('hidden');
      visible('visible');
      expect(reads).toHaveLength(1);
      visible('hidden');
      await act(() => vi.advanceTimersByTimeAsync(400_000));
      expect(reads).toHaveLength(1);
      taken = ['2026-11-23 9:00 AM'];
      visible('visible');
      expect(screen.getByRole('radio', { name: /^Mon 23 Nov 18 free/ })).toBeTruthy();
      expect(await screen.findByRole('radio', { name: /^Mon 23 Nov 17 free/ })).toBeTruthy();
      expect(reads).toHaveLength(2);
    });
  });

  it('leaves the plain list of times when free ones cannot be read', async () => {
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => answer({ status: 500, body: { title: 'Internal', status: 500 } })),
    );
    await open();
    await act(async () => type('department', 'Cardiology'));
    expect((await screen.findByRole('alert')).textContent).toContain('Free times could not be loaded');
    expect(field('time').tagName).toBe('SELECT');
    vi.stubGlobal('fetch', vi.fn(respond));
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('radio', { name: /^Mon 23 Nov/ })).toBeTruthy();
  });

  it('asks for no times in an emergency', async () => {
    await open();
    await act(async () => type('department', 'Emergency'));
    expect(reads).toEqual([]);
    expect(document.querySelector('option[data-call]')?.textContent).toBe('Emergency');
    expect(screen.getByText(/Don’t book an emergency/)).toBeTruthy();
  });
});
