// @vitest-environment happy-dom
/** Results of the form (confirmation and refusal), and the attendants. */
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { nativeAction } from '@hospital/form/native';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { FORM, IYENGAR, days, pageProps } from './fixtures.ts';
import { bookingForm } from './form.ts';
import {
  BOOKED,
  SECRET,
  TITLE,
  aPageForEachCase,
  acted,
  api,
  book,
  chooseTime,
  chosenTime,
  field,
  fillPatient,
  leave,
  open,
  problem,
  respond,
  serve,
  type,
  valueOf,
} from './opened.tsx';

aPageForEachCase();

describe('U2: the doctor or clinic', () => {
  const cards = () => screen.getAllByRole('radio', { name: /^(Dr\.|First|.* clinic)/ });
  const textOf = (name: string | RegExp) => screen.getByRole('radio', { name }).closest('label')?.textContent;

  it('is a card with fee, and with the hours of a clinic', async () => {
    const main = await open();
    await act(async () => type('department', 'Cardiology'));
    expect(cards().map((radio) => radio.getAttribute('aria-label'))).toEqual([
      'First free',
      'Dr. Nandini Iyengar',
      'Dr. Chandrashekar Rao',
      'Cardiology clinic, ECG and follow-up',
    ]);
    expect(textOf('Dr. Nandini Iyengar')).toContain('₹800');
    expect(textOf(/^Cardiology clinic/)).toContain('Monday to Saturday, 9:00 AM to 1:00 PM');
    // Without the attendant who is booked by name only.
    expect(textOf('First free')).not.toContain('Dr. Chandrashekar Rao');
    await waitFor(() => expect(textOf('First free')).toContain('Next free: today, 9:00 AM'));
    expect(textOf('Dr. Nandini Iyengar')).toContain('Next free: today, 2:00 PM');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('is chosen by its card', async () => {
    await open();
    await act(async () => type('department', 'Cardiology'));
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'Dr. Nandini Iyengar' })));
    expect([valueOf('doctor'), valueOf('picked')]).toEqual(['Dr. Nandini Iyengar', 'doc-06 Dr. Nandini Iyengar']);
    await waitFor(() => expect(api.reads.at(-1)).toContain('doctor=doc-06'));
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'First free' })));
    expect([valueOf('doctor'), valueOf('picked')]).toEqual(['', '']);
    await act(async () => type('doctor', 'Dr. Somebody'));
    expect(screen.getByRole('radio', { name: 'First free' })).toHaveProperty('checked', false);
    await act(async () => type('department', 'General Medicine'));
    expect(valueOf('doctor')).toBe('Dr. Somebody');
  });

  it('of another department is dropped with it', async () => {
    await open();
    await act(async () => type('department', 'Cardiology'));
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'Dr. Nandini Iyengar' })));
    await act(async () => type('department', 'General Medicine'));
    expect(screen.getByRole('radio', { name: 'First free' })).toHaveProperty('checked', true);
    expect(valueOf('doctor')).toBe('');
  });

  it('offers only the times of a chosen clinic', async () => {
    await open();
    await act(async () => type('department', 'Cardiology'));
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: /^Cardiology clinic/ })));
    fireEvent.click(await screen.findByRole('radio', { name: /^Mon 23 Nov/ }));
    expect(screen.getByRole('radio', { name: '9:30 AM' })).toHaveProperty('disabled', false);
    expect(screen.getByRole('radio', { name: /^2:30 PM/ })).toHaveProperty('disabled', true);
  });

  it('is named beside the chosen time and in the booking', async () => {
    const main = await open();
    await chooseTime('9:30 AM');
    expect(main.textContent).toContain('At 9:30 AM you see Cardiology clinic, ECG and follow-up. ₹600');
    const check = screen.getByRole('group', { name: 'Step 5 of 5: Check and book' });
    expect(check.textContent).toContain('Cardiology clinic, ECG and follow-up₹600, Outpatient block, first floor');
    expect(check.textContent).toContain('Monday 23 November 2026, 9:30 AM IST');
    fireEvent.click(screen.getByRole('radio', { name: '2:30 PM' }));
    expect(main.textContent).toContain('At 2:30 PM you see Dr. Nandini Iyengar. ₹800');
    await act(async () => type('doctor', 'Dr. Somebody'));
    expect(main.textContent).toContain('You asked for Dr. Somebody. We’ll pass this on but can’t promise it.');
  });

  it('is named without script, once times are requested', () => {
    const free = days('2026-11-23', '2026-11-29');
    const slots = free[0]?.slots
      .slice(0, 3)
      .map((slot, at) => (at < 2 ? slot : { ...slot, resource: IYENGAR.resource }));
    const asked = [{ ...free[0], slots }, ...free.slice(1)];
    const main = serve(acted(200, { days: asked }, { intent: 'times' }));
    expect(main.textContent).toContain('9:00 AM, 9:30 AM: You see Cardiology clinic, ECG and follow-up. ₹600');
    expect(main.textContent).toContain('10:00 AM: You see Dr. Nandini Iyengar. ₹800');
  });

  it('is served for the department and the doctor in the URL', () => {
    serve(pageProps({ query: { department: 'cardiology', doctor: 'doc-06' } }));
    expect(screen.getByRole('radio', { name: 'Dr. Nandini Iyengar' })).toHaveProperty('checked', true);
    document.body.replaceChildren();
    serve(pageProps({ query: { department: 'general-medicine' } }));
    expect(textOf(/^General medicine clinic/)).toContain('Fee: please ask reception');
  });
});

describe('the confirmation', () => {
  const appointment = { ...BOOKED, attendant: IYENGAR, preferredDoctor: 'dr. nandini iyengar' };

  it('shows visit, time, place, reason and what to bring, as served', async () => {
    const main = serve(acted(201, appointment));
    const facts = [...main.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
    expect(facts.slice(0, 7)).toEqual([
      'PatientAsha Rao',
      'DateMonday 23 November 2026',
      'Time9:30 AM IST',
      'DepartmentCardiology',
      'DoctorDr. Nandini Iyengar',
      'Consultation fee₹800',
      'WhereOutpatient block, first floor, Sampige Hospital, 1 Main Road, Jayanagar, Bengaluru 560041',
    ]);
    expect(screen.getByRole('heading', { name: 'What to bring' })).toBeTruthy();
    expect(screen.getAllByRole('link', { name: '+91 80 0000 0108' })).toHaveLength(1);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('U2: names the clinic with fee and place, and the requested doctor', () => {
    const main = serve(acted(201, { ...BOOKED, preferredDoctor: 'Dr. Rao' }));
    const facts = [...main.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
    expect(facts.slice(3, 8)).toEqual([
      'DepartmentCardiology',
      'ClinicCardiology clinic, ECG and follow-up',
      'Preferred doctorDr. Rao',
      'Consultation fee₹600',
      'WhereOutpatient block, first floor, Sampige Hospital, 1 Main Road, Jayanagar, Bengaluru 560041',
    ]);
  });

  it('has a calendar file without script', () => {
    serve(acted(201, appointment));
    const link = screen.getByRole('link', { name: 'Add to calendar' });
    expect(link.getAttribute('download')).toBe('appointment.ics');
    const [kind, text = ''] = (link.getAttribute('href') ?? '').split(',');
    expect(kind).toBe('data:text/calendar;charset=utf-8');
    expect(decodeURIComponent(text)).toBe(BOOKED.calendar);
  });

  it('has the link to change it, with its secret in the fragment, and a warning', async () => {
    const main = await open(acted(201, appointment));
    const link = screen.getByRole('link', { name: 'Change or cancel this appointment' });
    expect(link.getAttribute('href')).toBe(`/appointment/manage#SH-7K3M-9QXD.${SECRET}`);
    expect(main.textContent).toContain(`${location.origin}/appointment/manage#SH-7K3M-9QXD.${SECRET}`);
    expect(main.textContent).toContain('Anyone with it can change or cancel the appointment');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain(SECRET);
  });

  const paper = () => document.querySelector('.printed');

  it('U6: prints the link as a QR code, with instructions for visitors without script or phone', async () => {
    serve(acted(201, appointment));
    expect(paper()?.textContent).toContain(
      'go to 127.0.0.1:8080/appointment/manage and give your reference and phone number',
    );
    expect(paper()?.querySelector('svg')).toBeNull();
    document.body.replaceChildren();
    const main = await open(acted(201, appointment));
    const code = await screen.findByRole('img', { name: 'QR code of the link to change or cancel' });
    expect(code.getAttribute('viewBox')).toMatch(/^-4 -4 (\d+) \1$/);
    expect(paper()?.textContent).toContain('scan this code, or go to');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('has no secret if the response has none', () => {
    const main = serve(acted(201, { ...appointment, secret: '', calendar: '' }));
    expect(main.querySelectorAll('[href*=manage], [download], .printed')).toHaveLength(0);
  });

  it('keeps the secret out of the receipt that the gateway shows', () => {
    const request = inEngine(() => nativeAction(bookingForm)(posted(FORM), pageProps().now));
    expect(Object.values(request?.receipt?.facts ?? {})).toEqual(['reference', 'date', 'time']);
  });

  it('is shown again after a reload and on the way back, but not on a new visit', async () => {
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await book();
    await screen.findByText('SH-7K3M-9QXD');
    await leave();
    document.title = TITLE;
    const load = vi.spyOn(performance, 'getEntriesByType');
    load.mockReturnValue([{ type: 'reload' } as PerformanceNavigationTiming]);
    const main = await open();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your appointment is booked');
    expect(document.title).toBe('Your appointment is booked | Sampige Hospital');
    expect(main.textContent).toContain('It doesn’t show changes made since.');
    expect(screen.getByRole('link', { name: /Change or cancel/ }).getAttribute('href')).toContain(SECRET);
    expect(document.querySelector('form')).toBeNull();
    await leave();
    // A link to the same address keeps the state of the entry.
    load.mockReturnValue([{ type: 'navigate' } as PerformanceNavigationTiming]);
    await open();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Book an appointment');
  });

  it('of another release that lacks a part is not shown again', async () => {
    history.replaceState({ booked: { reference: 'SH-7K3M-9QXD' } }, '');
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'reload' } as PerformanceNavigationTiming]);
    await open();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Book an appointment');
  });

  it('is shared without the secret, if the browser supports it', async () => {
    const share = vi.fn(async (_: ShareData) => undefined);
    Object.defineProperty(navigator, 'share', { configurable: true, value: share });
    await open(acted(201, appointment));
    fireEvent.click(screen.getByRole('button', { name: 'Share' }));
    expect(share.mock.calls[0]?.[0].text).toContain('Time: 9:30 AM IST');
    expect(JSON.stringify(share.mock.calls)).not.toContain(SECRET);
    Reflect.deleteProperty(navigator, 'share');
  });
});

describe('W1, S4: a booking that failed', () => {
  const FAILED = 'Failed to book appointment. Please try again.';
  const refusals: [string, { status: number; body: object }, string][] = [
    ['429', { status: 429, body: {} }, 'Rate limit exceeded. Please try again later.'],
    ['409', problem('SLOT_TAKEN', 'taken', 409), '9:30 AM on Monday 23 November 2026 was just taken by someone else.'],
    ['503', { status: 503, body: {} }, 'This isn’t working right now. Everything you typed is still here.'],
    ['422', problem('REQUEST_ID_REUSED', 'x', 422), 'We may already have this form.'],
    ['400', problem('DAY_CLOSED', 'The hospital is closed on that day.'), 'The hospital is closed on that day.'],
  ];

  it.each(refusals)('with %s shows the reason in the page', async (_, refusal, words) => {
    api.answers = [refusal];
    const main = await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await book();
    const alert = await screen.findByRole('alert', {}, { timeout: 5000 });
    expect(alert.textContent).toContain(FAILED);
    expect(alert.textContent).toContain(words);
    await waitFor(() => expect(document.activeElement).toBe(alert));
    await waitFor(() => expect(document.title).toMatch(/^Error: /));
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each(refusals)('with %s shows the reason without script', (_, { status, body }, words) => {
    serve(acted(status, body));
    expect(screen.getByRole('alert').textContent).toContain(FAILED);
    expect(screen.getByRole('alert').textContent).toContain(words);
  });

  it('without a response tells so, with the number of reception', async () => {
    vi.stubGlobal('fetch', vi.fn((path: string, init?: RequestInit) => path === '/api/appointments' ? Promise.reject(new TypeError('cut')) : respond(path, init))); // prettier-ignore
    await open();
    fillPatient();
    await chooseTime('9:30 AM');
    await book();
    const alert = await screen.findByRole('alert', {}, { timeout: 5000 });
    expect(alert.textContent).toContain(`${FAILED}We didn’t get a reply.`);
    expect(alert.querySelector('a')?.getAttribute('href')).toBe('tel:+918000000141');
  });
});

describe('a rule of the service', () => {
  const words = 'You have three open appointments already.';
  it.each(['APPOINTMENTS_MAX', 'SAME_DAY'])('shows the text of %s, with the number of reception', async (reason) => {
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

  it('is shown without script too', () => {
    const { status, body } = problem('SAME_DAY', words);
    serve(acted(status, body));
    expect(screen.getByRole('alert').textContent).toContain(words);
    expect(screen.getByRole('alert').querySelector('a')?.getAttribute('href')).toBe('tel:+918000000141');
  });

  it('offers other times without script', () => {
    const metadata = { alternatives: '2026-11-24 9:30 AM, nonsense' };
    const main = serve(acted(409, { reason: 'SLOT_TAKEN', metadata }));
    expect(main.querySelector('[role=alert]')?.textContent).toContain('Tue 24 Nov, 9:30 AM IST');
    expect(main.querySelectorAll('[role=alert] li')).toHaveLength(1);
  });
});
