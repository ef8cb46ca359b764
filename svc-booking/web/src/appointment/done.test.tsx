// @vitest-environment happy-dom
/** How the form ends: a confirmation, a rule of the service, or the waitlist. And how it begins from a link. */
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { nativeAction } from '@hospital/form/native';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { TIMES } from './calendar.ts';
import { FORM, days, pageProps } from './fixtures.ts';
import { bookingForm } from './form.ts';
import {
  BOOKED,
  SECRET,
  aPageForEachCase,
  api,
  book,
  chooseTime,
  chosenTime,
  field,
  fillPatient,
  leave,
  open,
  respond,
  serve,
  type,
} from './opened.tsx';

aPageForEachCase();

const ENTRY = { reference: 'WL-7K3M-9QXD', date: '2026-11-23', department: 'cardiology', secret: SECRET };
const FULL = TIMES.map((time) => `2026-11-23 ${time}`);
const acted = (status: number, body: unknown, change = {}) =>
  pageProps({ action: { form: posted({ ...FORM, ...change }), result: { status, body } } });
const problem = (reason: string, detail: string, status = 400) => ({
  status,
  body: { status, title: 'x', reason, detail },
});

describe('a link with what is wanted', () => {
  it.each(['doc-06', 'dr-nandini-iyengar', 'Dr. Nandini Iyengar'])('has chosen it as served: %s', (doctor) => {
    serve(pageProps({ query: { doctor, date: '2026-11-24', time: '2:30 PM' } }));
    const names = ['department', 'doctor', 'date', 'time', 'picked'];
    expect(names.map((name) => field(name).value)).toEqual([
      'Cardiology', 'Dr. Nandini Iyengar', '2026-11-24', '2:30 PM', 'doc-06 Dr. Nandini Iyengar',
    ]); // prettier-ignore
  });

  it('sends the id of the doctor without script too, and none when the name was changed', () => {
    const native = (change: object) =>
      inEngine(() => nativeAction(bookingForm)(posted({ ...FORM, ...change }), pageProps().now));
    const named = { picked: 'doc-06 Dr. Nandini Iyengar', doctor: 'Dr. Nandini Iyengar' };
    expect(native(named)?.body).toMatchObject({
      doctorId: 'doc-06',
      notes: 'Cardiology | Preferred: Dr. Nandini Iyengar',
    });
    expect(native({ ...named, doctor: 'Dr. Rao' })?.body).toMatchObject({ doctorId: '' });
    expect(native({ ...named, intent: 'times' })?.path).toContain(
      'department=Cardiology&doctor=doc-06&from=2026-11-23',
    );
  });

  it.each<Record<string, string>>([
    { doctor: 'doc-99', department: 'cardiology' },
    { doctor: '', department: 'cardiology', date: '2026-13-01', time: '9:10 AM' },
    { department: 'cardiology', date: '2020-01-01', time: 'noon' },
  ])('leaves out what there is not: %o', (query) => {
    serve(pageProps({ query }));
    expect(['department', 'doctor', 'date', 'time'].map((name) => field(name).value)).toEqual([
      'Cardiology',
      '',
      '',
      '',
    ]);
  });

  it('is not the doctor of a department that the doctor is not in', () => {
    serve(pageProps({ query: { doctor: 'doc-06', department: 'general-medicine' } }));
    expect([field('department').value, field('picked').value]).toEqual(['General Medicine', '']);
  });
});

describe('U1: an older draft in the tab', () => {
  const begin = async () => {
    await open();
    fillPatient();
    await act(async () => type('doctor', 'Dr. Nandini Iyengar'));
    fireEvent.click(await screen.findByRole('radio', { name: /^Tue 24 Nov/ }));
    fireEvent.click(await screen.findByRole('radio', { name: '2:30 PM' }));
    await leave();
  };
  const link = { department: 'general-medicine', doctor: 'doc-07' };
  const chosen = () => ['department', 'doctor', 'date'].map((name) => field(name).value);

  it('gives way to the address, and is offered', async () => {
    await begin();
    const main = await open(pageProps({ query: link }));
    expect(chosen().slice(0, 2)).toEqual(['General Medicine', 'Dr. Farhan Siddiqui']);
    expect(field('picked').value).toBe('doc-07 Dr. Farhan Siddiqui');
    await screen.findByRole('radiogroup', { name: 'Time' });
    expect(chosenTime()).toBe('');
    expect(field('firstName').value).toBe('Asha');
    expect(main.textContent).toContain('Dr. Nandini Iyengar, Cardiology, Tuesday 24 November 2026, 2:30 PM');
    expect(await brokenRules(main)).toEqual([]);

    fireEvent.click(screen.getByRole('button', { name: 'Continue with Dr. Nandini Iyengar, Cardiology' }));
    const time = await screen.findByRole('radio', { name: '2:30 PM', checked: true });
    expect(chosen()).toEqual(['Cardiology', 'Dr. Nandini Iyengar', '2026-11-24']);
    expect(field('picked').value).toBe('doc-06 Dr. Nandini Iyengar');
    await waitFor(() => expect(document.activeElement).toBe(time));
    expect(screen.queryByRole('button', { name: /^Continue with/ })).toBeNull();
  });

  it('is offered again after a reload on which nothing was chosen', async () => {
    await begin();
    await open(pageProps({ query: link }));
    await leave();
    await open(pageProps({ query: link }));
    expect(screen.getByRole('button', { name: /^Continue with Dr. Nandini/ })).toBeTruthy();
    expect(chosen()[1]).toBe('Dr. Farhan Siddiqui');
  });

  it('for the same doctor is restored', async () => {
    await begin();
    await open(pageProps({ query: { department: 'cardiology', doctor: 'doc-06' } }));
    expect(await screen.findByRole('radio', { name: '2:30 PM', checked: true })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Continue with/ })).toBeNull();
  });

  it('does not add its time to the day of the address', async () => {
    await begin();
    await open(pageProps({ query: { department: 'cardiology', doctor: 'doc-06', date: '2026-11-25' } }));
    await screen.findByRole('radiogroup', { name: 'Time' });
    expect([field('date').value, chosenTime()]).toEqual(['2026-11-25', '']);
  });

  it('of the page that the visitor has changed stays after a reload: the address no longer says what it is for', async () => {
    history.replaceState(null, '', '/appointment?doctor=doc-07');
    await open(pageProps({ query: link }));
    await act(async () => type('doctor', ''));
    await act(async () => type('department', 'Cardiology'));
    expect(location.search).toBe('');
  });
});

describe('the form of the home page', () => {
  it.each([
    ['General Consultation', 'General Medicine'],
    ['Cardiology', 'Cardiology'],
    // Not among the departments of this test: the visitor chooses one.
    ['Neurology', ''],
  ])('leads here with all that was filled in: %s', (service, department) => {
    const { department: _, ...form } = { ...FORM, doctor: 'Dr. Rao', intent: 'prefill', service };
    serve(pageProps({ action: { form: posted(form), result: { status: 204, body: null } } }));
    expect(field('department').value).toBe(department);
    for (const name of ['firstName', 'lastName', 'email', 'phone', 'doctor', 'date', 'time', 'message'] as const) {
      expect(field(name).value).toBe(form[name]);
    }
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('a doctor who is picked first', () => {
  it('brings the department along', async () => {
    await open();
    await act(async () => type('doctor', 'Dr. Nandini Iyengar'));
    expect(field('department').value).toBe('Cardiology');
    await waitFor(() => expect(api.reads.at(-1)).toContain('doctor=doc-06'));
  });
});

describe('the confirmation', () => {
  const appointment = { ...BOOKED, doctorId: 'doc-06', notes: 'Cardiology | Preferred: Dr. Nandini Iyengar' };

  it('says what, when, where, what for, and what to bring, as served', async () => {
    const main = serve(acted(201, appointment));
    const facts = [...main.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
    expect(facts.slice(0, 7)).toEqual([
      'PatientAsha Rao',
      'DateMonday 23 November 2026',
      'Time9:30 AM IST',
      'DepartmentCardiology',
      'DoctorDr. Nandini Iyengar',
      'Consultation fee₹800, Dr. Nandini Iyengar',
      'WhereSampige Hospital, 1 Main Road, Jayanagar, Bengaluru 560041',
    ]);
    expect(screen.getByRole('heading', { name: 'What to bring' })).toBeTruthy();
    expect(screen.getAllByRole('link', { name: '+91 80 0000 0108' })).toHaveLength(1);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('has a calendar file that needs no script', () => {
    serve(acted(201, appointment));
    const link = screen.getByRole('link', { name: 'Add to calendar' });
    expect(link.getAttribute('download')).toBe('appointment.ics');
    const [kind, text = ''] = (link.getAttribute('href') ?? '').split(',');
    expect(kind).toBe('data:text/calendar;charset=utf-8');
    expect(decodeURIComponent(text)).toBe(BOOKED.calendar);
  });

  it('has the link to change it, with its secret behind the #, and says what it is worth', async () => {
    const main = await open(acted(201, appointment));
    const link = screen.getByRole('link', { name: 'Change or cancel this appointment' });
    expect(link.getAttribute('href')).toBe(`/appointment/manage#SH-7K3M-9QXD.${SECRET}`);
    expect(main.textContent).toContain(`${location.origin}/appointment/manage#SH-7K3M-9QXD.${SECRET}`);
    expect(main.textContent).toContain('Whoever has it can change or cancel the appointment');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain(SECRET);
  });

  it('has no secret where none was given', () => {
    const main = serve(acted(201, { ...appointment, secret: '', calendar: '' }));
    expect(main.querySelectorAll('[href*=manage], [download]')).toHaveLength(0);
  });

  it('keeps the secret out of the receipt, which the gateway shows by itself', () => {
    const request = inEngine(() => nativeAction(bookingForm)(posted(FORM), pageProps().now));
    expect(Object.values(request?.receipt?.facts ?? {})).toEqual(['reference', 'date', 'time']);
  });

  it('is shared without the secret, where the browser can', async () => {
    const share = vi.fn(async (_: ShareData) => undefined);
    Object.defineProperty(navigator, 'share', { configurable: true, value: share });
    await open(acted(201, appointment));
    fireEvent.click(screen.getByRole('button', { name: 'Share' }));
    expect(share.mock.calls[0]?.[0].text).toContain('Time: 9:30 AM IST');
    expect(JSON.stringify(share.mock.calls)).not.toContain(SECRET);
    Reflect.deleteProperty(navigator, 'share');
  });
});

describe('W1: a booking that failed', () => {
  const FAILED = 'Failed to book appointment. Please try again.';
  const refusals: [string, { status: number; body: object }, string][] = [
    ['429', { status: 429, body: {} }, 'Rate limit exceeded. Please try again later.'],
    ['409', problem('SLOT_TAKEN', 'taken', 409), '9:30 AM on Monday 23 November 2026 was just taken by someone else.'],
    ['503', { status: 503, body: {} }, 'This does not work right now. Everything you typed is still here.'],
    ['422', problem('REQUEST_ID_REUSED', 'x', 422), 'An earlier try with other details has reached us already.'],
    ['400', problem('DAY_CLOSED', 'The hospital is closed on that day.'), 'The hospital is closed on that day.'],
  ];

  it.each(refusals)('with %s says why in the page', async (_, refusal, words) => {
    api.answers = [refusal];
    const main = await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await book();
    const alert = await screen.findByRole('alert', {}, { timeout: 5000 });
    expect(alert.textContent).toContain(FAILED);
    expect(alert.textContent).toContain(words);
    expect(document.activeElement).toBe(alert);
    expect(document.title).toMatch(/^Error: /);
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each(refusals)('with %s says why without script', (_, { status, body }, words) => {
    serve(acted(status, body));
    expect(screen.getByRole('alert').textContent).toContain(FAILED);
    expect(screen.getByRole('alert').textContent).toContain(words);
  });

  it('without an answer says so, and whom to call', async () => {
    vi.stubGlobal('fetch', vi.fn((path: string, init?: RequestInit) => path === '/api/appointments' ? Promise.reject(new TypeError('cut')) : respond(path, init))); // prettier-ignore
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await book();
    const alert = await screen.findByRole('alert', {}, { timeout: 5000 });
    expect(alert.textContent).toContain(`${FAILED}We got no answer.`);
    expect(alert.querySelector('a')?.getAttribute('href')).toBe('tel:+918000000141');
  });
});

describe('a rule of the service', () => {
  const words = 'You have three open appointments already.';
  it.each(['APPOINTMENTS_MAX', 'SAME_DAY'])('%s is said in its words, with whom to call', async (reason) => {
    api.answers = [problem(reason, words)];
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await book();
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain(words);
    expect(alert.querySelector('a')?.getAttribute('href')).toBe('tel:+918000000141');
    expect([field('firstName').value, chosenTime()]).toEqual(['Asha', '9:30 AM']);
  });

  it('is said without script too', () => {
    const { status, body } = problem('SAME_DAY', words);
    serve(acted(status, body));
    expect(screen.getByRole('alert').textContent).toContain(words);
    expect(screen.getByRole('alert').querySelector('a')?.getAttribute('href')).toBe('tel:+918000000141');
  });

  it('names other times without script', () => {
    const metadata = { alternatives: '2026-11-24 9:30 AM, nonsense' };
    const main = serve(acted(409, { reason: 'SLOT_TAKEN', metadata }));
    expect(main.querySelector('[role=alert]')?.textContent).toContain('Tue 24 Nov, 9:30 AM IST');
    expect(main.querySelectorAll('[role=alert] li')).toHaveLength(1);
  });
});

describe('a day without free times', () => {
  const chooseFullDay = async () => {
    api.taken = FULL;
    await act(async () => type('department', 'Cardiology'));
    fireEvent.click(await screen.findByRole('radio', { name: /^Mon 23 Nov Full/ }));
  };
  const join = () =>
    act(async () => fireEvent.click(screen.getByRole('button', { name: 'Tell me when a time comes free' })));

  it('offers the waitlist with what was typed, and ends in its own confirmation', async () => {
    api.answers = [{ status: 201, body: ENTRY }];
    const main = await open();
    fillPatient();
    await chooseFullDay();
    expect(screen.getByRole('status').textContent).toContain('Every time of Monday 23 November 2026 is taken');
    expect(screen.queryByRole('button', { name: 'Book Appointment' })).toBeNull();
    expect(await brokenRules(main)).toEqual([]);
    await join();
    const heading = await screen.findByRole('heading', { name: 'You are on the waitlist' });
    expect(document.activeElement).toBe(heading);
    expect(document.title).toMatch(/^You are on the waitlist/);
    expect(api.posts).toHaveLength(1);
    expect(api.posts[0]).toMatchObject({
      path: '/waitlist-entries',
      body: {
        patientName: 'Asha Rao', email: 'asha@example.com', phone: '98450 12345',
        department: 'Cardiology', doctorId: '', date: '2026-11-23',
      },
    }); // prettier-ignore
    expect(api.posts[0]?.key).not.toBe('');
    expect(main.textContent).toContain('WL-7K3M-9QXD');
    expect(screen.getByRole('link', { name: 'See or leave the waitlist' }).getAttribute('href')).toBe(
      `/appointment/manage#WL-7K3M-9QXD.${SECRET}`,
    );
    expect(sessionStorage.length).toBe(0);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('takes nothing that was typed away', async () => {
    await open();
    fillPatient();
    await chooseFullDay();
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
    fireEvent.click(screen.getByRole('radio', { name: /^Tue 24 Nov/ }));
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveProperty('value', 'Check-up');
  });

  it('W12: says so when the entry was received and there is nothing of it to show', async () => {
    api.answers = [{ status: 202, body: {} }];
    await open();
    fillPatient();
    await chooseFullDay();
    await join();
    expect((await screen.findByRole('alert')).textContent).toContain('Your form was received');
    expect(document.activeElement).toBe(screen.getByRole('alert'));
  });

  it('asks for the person first', async () => {
    await open();
    await chooseFullDay();
    await join();
    expect(document.activeElement).toBe(screen.getByRole('alert'));
    expect(field('phone').getAttribute('aria-invalid')).toBe('true');
    expect(api.posts).toEqual([]);
  });

  it('says why it could not be done, and is one thing when it is pressed again', async () => {
    api.answers = [{ status: 500, body: {} }, problem('WAITLIST_MAX', 'You wait for four days already.')];
    await open();
    fillPatient();
    await chooseFullDay();
    await join();
    expect(screen.getByRole('alert').textContent).toContain('You could not be put on the waitlist. Please try again.');
    await join();
    expect(screen.getByRole('alert').textContent).toContain('You wait for four days already.');
    expect(api.posts[1]).toEqual(api.posts[0]);
    expect(field('firstName').value).toBe('Asha');
  });

  it('shows the time that has come free meanwhile', async () => {
    api.answers = [problem('NOT_FULL', '')];
    await open();
    fillPatient();
    await chooseFullDay();
    api.taken = FULL.slice(1);
    await join();
    expect(await screen.findByRole('radio', { name: '9:00 AM' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Book Appointment' })).toBeTruthy();
  });

  it('is found without script too, and its waitlist is a button of the same form', async () => {
    const asked = acted(200, { days: days('2026-11-23', '2026-11-29', FULL) }, { intent: 'times' });
    const main = serve(asked);
    const button = main.querySelector<HTMLButtonElement>('button[value=waitlist]');
    expect(button?.textContent).toBe('Tell me when a time on Monday 23 November 2026 comes free');
    expect([field('fullDay').value, field('date').value]).toEqual(['2026-11-23', '2026-11-24']);
    expect(await brokenRules(main)).toEqual([]);
    const post = { ...FORM, intent: 'waitlist', fullDay: '2026-11-23', date: '2026-11-24', time: '' };
    expect(inEngine(() => nativeAction(bookingForm)(posted(post), asked.now))).toMatchObject({
      method: 'POST',
      path: '/waitlist-entries',
      body: { date: '2026-11-23', patientName: 'Asha Rao' },
      receipt: { facts: { Reference: 'reference', Date: 'date' } },
    });
  });

  it('is no closed day', () => {
    const main = serve(acted(200, { days: days('2026-11-22', '2026-11-24') }, { intent: 'times' }));
    expect(main.textContent).toContain('Closed on Sundays. Choose a day from Monday to Saturday. This is the next day');
    expect([field('fullDay').value, field('date').value]).toEqual(['', '2026-11-23']);
    expect(main.textContent).not.toContain('is taken');
    expect(main.querySelector('button[value=waitlist]')).toBeNull();
  });

  it('has its native answers', async () => {
    const change = { intent: 'waitlist', fullDay: '2026-11-23', date: '2026-11-24' };
    await open(acted(201, ENTRY, change));
    expect(screen.getByRole('heading', { name: 'You are on the waitlist' })).toBeTruthy();
    document.body.replaceChildren();
    serve(acted(204, null, { ...change, lastName: '' }));
    expect(screen.getByRole('link', { name: 'Enter the last name of the patient' })).toBeTruthy();
    expect(document.querySelector('button[value=waitlist]')).toBeTruthy();
    document.body.replaceChildren();
    serve(acted(503, null, change));
    expect(screen.getByRole('alert').textContent).toContain('You could not be put on the waitlist.');
  });
});
