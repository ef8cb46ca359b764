// @vitest-environment happy-dom
/** The page as served, and booking with script. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { head } from './appointment.tsx';
import type { AppointmentProps } from './appointment/data.ts';
import { FORM, days, pageProps } from './appointment/fixtures.ts';
import {
  BOOKED,
  TITLE,
  aPageForEachCase,
  answer,
  api,
  book,
  chooseTime,
  chosenTime,
  field,
  fillPatient,
  hydrate,
  leave,
  open,
  respond,
  serve,
  type,
  valueOf,
} from './appointment/opened.tsx';

aPageForEachCase();

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

  it.each(pages)('%s: hydrates without a mismatch', async (_, props) => {
    await open(props);
  });

  it('is a complete native form', () => {
    serve(pageProps());
    const form = document.querySelector('form') as HTMLFormElement;
    expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual(['post', '/appointment']);
    const names = [...new Set([...form.elements].map((element) => element.getAttribute('name')).filter(Boolean))];
    expect(names).toEqual([
      'department', 'picked', 'doctor', 'fullDay', 'date', 'intent', 'time',
      'firstName', 'lastName', 'email', 'phone', 'message', 'requestId', 'part',
    ]); // prettier-ignore
    // Enter activates the form's first submit button, which must be the one that books.
    const first = form.querySelector('button');
    expect([first?.type, first?.name]).toEqual(['submit', '']);
    const required = names.filter((name) => field(String(name)).required);
    expect(required).toEqual(['department', 'date', 'time', 'firstName', 'lastName', 'email', 'phone']);
    expect([field('date').min, field('date').max]).toEqual(['2026-11-21', '2027-01-20']);
    expect(field('time').querySelectorAll('optgroup option')).toHaveLength(18);
    expect(field('requestId').value).toBe('');
  });

  it('shows posted values with their violations', () => {
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
    expect([valueOf('department'), valueOf('time')]).toEqual(['Cardiology', '9:30 AM']);
  });

  it('offers the requested free times as choices of the same form', () => {
    serve(acted(200, { days: days('2026-11-23', '2026-11-29', ['2026-11-23 9:00 AM']) }, { intent: 'times' }));
    const radios = [...document.querySelectorAll<HTMLInputElement>('input[name=time]')];
    expect(radios).toHaveLength(18);
    expect(radios.filter(({ disabled }) => disabled).map(({ value }) => value)).toEqual(['9:00 AM']);
    expect(radios.find(({ checked }) => checked)?.value).toBe('9:30 AM');
  });

  it('has one emergency number, also without site data', () => {
    const down = { ok: false as const, status: 503, body: null };
    serve(pageProps({ data: { ...pageProps().data, site: down } }));
    const numbers = [...document.querySelectorAll('a[href^="tel:"]')].map((link) => link.getAttribute('href'));
    expect(new Set(numbers)).toEqual(new Set(['tel:+918000000108']));
  });

  it('W11: has a title with the outcome, without the name of the visitor', () => {
    expect(head(pageProps())).toMatchObject({ title: TITLE, canonicalPath: '/appointment' });
    const titleOf = (...answered: Parameters<typeof acted>) => head(acted(...answered)).title;
    expect(titleOf(201, BOOKED)).toBe('Your appointment is booked | Sampige Hospital');
    expect(titleOf(503, null)).toBe(`Error: ${TITLE}`);
    expect(titleOf(204, null, { lastName: '' })).toBe(`Error: ${TITLE}`);
    const entry = { reference: 'WL-7K3M-9QXD', date: '2026-11-23', department: 'cardiology', secret: '' };
    expect(titleOf(201, entry, { intent: 'waitlist' })).toBe('You’re on the waiting list | Sampige Hospital');
    expect({ ...head(acted(201, BOOKED)), title: TITLE }).toEqual(head(pageProps()));
  });
});

describe('with script', () => {
  it('does not change the words of the first step by itself', async () => {
    const main = serve(pageProps());
    const words = () => screen.getByRole('group', { name: 'Step 1 of 5: What for' }).textContent;
    const before = words();
    await hydrate(main, pageProps());
    expect(words()).toBe(before);
    expect(api.reads).toEqual([]);
  });

  it('keeps what was typed before it loaded', async () => {
    const main = serve(pageProps());
    field('firstName').value = 'Asha';
    (document.querySelector('[value=Cardiology]') as HTMLInputElement).checked = true;
    await hydrate(main, pageProps());
    expect(field('firstName').value).toBe('Asha');
    expect(await screen.findByRole('radio', { name: /^Mon 23 Nov/ })).toBeTruthy();
  });

  it('shows every violation without a request, and focuses the summary', async () => {
    await open();
    await book();
    const summary = screen.getByRole('alert');
    expect(document.activeElement).toBe(summary);
    expect(within(summary).getAllByRole('link')).toHaveLength(7);
    expect(field('email').getAttribute('aria-invalid')).toBe('true');
    expect(document.title).toBe(`Error: ${TITLE}`);
    expect(api.posts).toEqual([]);
  });

  it('U9: drops errors as fields are corrected, in the summary too', async () => {
    await open();
    await book();
    const links = () =>
      screen.queryAllByRole('link', { name: /^(Enter|Choose) / }).map(({ textContent }) => textContent);
    await act(async () => type('department', 'Cardiology'));
    fireEvent.click(await screen.findByRole('radio', { name: /^Mon 23 Nov/ }));
    expect(links()[0]).toBe('Choose a free time');
    fireEvent.click(screen.getByRole('radio', { name: '9:30 AM' }));
    type('firstName', 'Asha');
    await waitFor(() => expect(links()).toHaveLength(3));
    expect(document.getElementById('firstName-error')).toBeNull();
    expect(document.getElementById('department-error')).toBeNull();
    fillPatient();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.title).toBe(TITLE);
  });

  it('books and confirms', async () => {
    const main = await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await book();
    const heading = await screen.findByRole('heading', { name: 'Your appointment is booked' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(document.title).toBe('Your appointment is booked | Sampige Hospital');
    expect(screen.getAllByRole('heading', { level: 1 })).toEqual([heading]);
    expect(main.textContent).toContain('PatientAsha Rao');
    expect(main.textContent).toContain('SH-7K3M-9QXD');
    expect(main.textContent).toContain('9:30 AM IST');
    expect(document.querySelector('form')).toBeNull();
    expect(sessionStorage.length).toBe(0);
    expect(api.posts).toHaveLength(1);
    expect(api.posts[0]?.key).toMatch(/^[\x21-\x7e]{16,128}$/);
    expect(api.posts[0]?.body).toEqual({
      patientName: 'Asha Rao', email: 'asha@example.com', phone: '98450 12345', date: '2026-11-23', time: '9:30 AM',
      reason: 'Check-up', doctorId: '', notes: 'Cardiology',
    }); // prettier-ignore
    expect(await brokenRules(main)).toEqual([]);
  });

  it('shows Processing... and ignores a second press', async () => {
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
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await act(async () => fireEvent.submit(document.querySelector('form') as HTMLFormElement));
    await act(async () => release(answer({ status: 201, body: BOOKED })));
    expect(await screen.findByText('SH-7K3M-9QXD')).toBeTruthy();
  });

  it('keeps the form and its key after a failure, and books with the next press', async () => {
    api.answers = [
      { status: 500, body: { status: 500, title: 'Internal' } },
      { status: 201, body: BOOKED },
    ];
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await book();
    expect(screen.getByRole('alert').textContent).toContain('Failed to book appointment. Please try again.');
    expect([field('firstName').value, field('message').value, chosenTime()]).toEqual(['Asha', 'Check-up', '9:30 AM']);
    await book();
    expect(await screen.findByText('SH-7K3M-9QXD')).toBeTruthy();
    expect(api.posts[1]?.key).toBe(api.posts[0]?.key);
  });

  it('shows refusals of the server at their fields', async () => {
    api.answers = [
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

  it('restores typed values after a reload, with the key while the outcome is unknown', async () => {
    api.answers = [{ status: 500, body: {} }];
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await book();
    await leave();

    api.answers = [{ status: 201, body: BOOKED }];
    await open();
    expect(await screen.findByRole('radio', { name: '9:30 AM', checked: true })).toBeTruthy();
    expect(['firstName', 'email', 'department', 'date'].map(valueOf)).toEqual([
      'Asha',
      'asha@example.com',
      'Cardiology',
      '2026-11-23',
    ]);
    await book();
    expect(api.posts[1]).toEqual(api.posts[0]);
  });

  it('sends only the fields that it has without script', async () => {
    const main = await open();
    await chooseTime('9:30 AM');
    const own = [...main.querySelectorAll('form [name]:not([form])')].map((element) => element.getAttribute('name'));
    expect(new Set(own)).toEqual(new Set([...Object.keys(FORM), 'requestId', 'part']));
    // The radio buttons of the days refer to a form that does not exist.
    expect(field('day').getAttribute('form')).toBe('none');
    expect(document.getElementById('none')).toBeNull();
  });
});
