// @vitest-environment happy-dom
/** The page as served, and requesting a consultation with script. */
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { type Root, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Api, type Reply, inEngine, posted, reply, serveApi } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import type { Department } from '@hospital/api/types';
import { pageProps, site } from './appointment/fixtures.ts';
import VirtualConsultation, { action, head, status } from './virtual-consultation.tsx';

const DOWN = { ok: false, status: 503, body: null } as const;
type Props = Parameters<typeof VirtualConsultation>[0];

const NOW = '2026-11-21T09:30:00Z';
const FORM = {
  patientName: 'Asha Rao', patientEmail: 'asha@example.com', phone: '', date: '2026-11-22', description: 'Cough',
}; // prettier-ignore
const MADE = { id: '1', reference: 'VC-7K3M-9QXD', date: '2026-11-22', patientName: 'Asha Rao', time: '', link: '' };
const TITLE = 'Virtual consultation | Sampige Hospital';
const FAILURE = 'Failed to book consultation. Please try again.';

const { data } = pageProps();
const departments: Props['data']['departments'] = data.departments.ok
  ? {
      ...data.departments,
      body: { departments: data.departments.body.departments.map(withVideo), nextPageToken: '' },
    }
  : data.departments;
function withVideo(department: Department): Department {
  const hours = { weekdays: ['Mon', 'Wed', 'Fri'], from: '7:00 AM', until: '8:30 PM' };
  return department.name === 'Cardiology' ? { ...department, video: { feeRupees: 700, hours } } : department;
}
const props = (change: Partial<Props> = {}): Props => ({
  params: {}, query: {}, data: { departments, site: { ok: true, status: 200, body: site } }, action: null, now: NOW, path: '/virtual-consultation',
  part: 'booking:/virtual-consultation', ...change,
}); // prettier-ignore
const acted = (code: number, body: unknown, change = {}) =>
  props({ action: { form: posted({ ...FORM, ...change }), result: { status: code, body } } });

let root: Root | null = null;
let api: Api;
let answer: Reply;

beforeEach(async () => {
  (globalThis as Record<symbol, unknown>)[Symbol.for('hospital.api')] = undefined;
  answer = reply.json(201, MADE);
  api = await serveApi(() => answer);
  vi.stubGlobal('fetch', api.fetch);
  vi.spyOn(console, 'error').mockImplementation((...words) => expect.fail(`console.error: ${words.join(' ')}`));
});

afterEach(async () => {
  await act(async () => root?.unmount());
  root = null;
  cleanup();
  document.querySelector('main')?.remove();
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await api.close();
});

function serve(given: Props): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = renderToString(<VirtualConsultation {...given} />, { identifierPrefix: 'f0-' });
  document.body.append(main);
  return main;
}

async function open(given = props()) {
  const main = serve(given);
  await act(async () => {
    root = hydrateRoot(main, <VirtualConsultation {...given} />, {
      identifierPrefix: 'f0-',
      onRecoverableError: (error) => expect.fail(String(error)),
    });
  });
  return main;
}

const field = (name: string) => document.querySelector(`form [name=${name}]`) as HTMLInputElement;
/** The alert in the page; the notifications have another one. */
const alert = () => document.querySelector('main [role=alert]') as HTMLElement;
const button = () => screen.getByRole('button', { name: /Book consultation|Processing/ });

function fill(change: Partial<typeof FORM> = {}) {
  for (const [name, value] of Object.entries({ ...FORM, ...change })) {
    fireEvent.input(field(name), { target: { value } });
  }
}

describe('as served', () => {
  const pages: [string, Props][] = [
    ['plain', props()],
    ['without data', props({ data: { departments: DOWN, site: DOWN } })],
    ['refused', acted(400, { fields: [{ field: 'patientEmail', message: 'Enter an address' }] })],
    ['failed', acted(503, null)],
    ['too many', acted(400, { reason: 'CONSULTATIONS_MAX', detail: 'There are four open ones.' })],
    ['requested', acted(201, MADE)],
  ];

  it.each(pages)('%s: breaks no accessibility rule and hydrates without a mismatch', async (_, given) => {
    const main = await open(given);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('has the fields of the payload, four features and three steps', () => {
    serve(props());
    const names = [...document.querySelectorAll('form [name]')].map((element) => element.getAttribute('name'));
    expect([...new Set(names)]).toEqual([
      'department',
      ...Object.keys(FORM).slice(0, 4),
      'description',
      'requestId',
      'part',
    ]);
    expect([field('date').min, field('date').max]).toEqual(['2026-11-21', '2027-01-20']);
    const titles = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
    expect(titles).toEqual([
      'Quick Access', 'Secure Platform', 'Expert Doctors', 'Quality Care',
      'Book Appointment', 'Receive Confirmation', 'Start Consultation',
    ]); // prettier-ignore
    expect(head(props()).canonicalPath).toBe('/virtual-consultation');
  });

  it('reports the failure in the page, and keeps what was typed', () => {
    serve(acted(503, null));
    expect(alert().textContent).toContain(FAILURE);
    expect(field('description').value).toBe('Cough');
    expect(status(acted(503, null))).toBe(503);
  });

  it('names reception if four requests are open', () => {
    serve(acted(400, { reason: 'CONSULTATIONS_MAX', detail: 'There are four open ones.' }));
    expect(alert().textContent).toContain('There are four open ones.');
    expect(alert().querySelector('a[href="tel:+918000000141"]')).toBeTruthy();
  });

  it('confirms without sensitive details in print', () => {
    const main = serve(acted(201, MADE));
    expect(screen.getByRole('heading', { name: 'Your consultation is requested' })).toBeTruthy();
    expect(main.textContent).toContain('VC-7K3M-9QXD');
    expect(main.textContent).toContain('Sunday 22 November 2026');
    // U6: includes the patient, but not the description.
    expect(main.textContent).toContain('PatientAsha Rao');
    expect(main.textContent).not.toMatch(/Cough|example\.com/);
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
    expect(head(acted(201, MADE)).title).toBe('Your consultation is requested | Sampige Hospital');
    expect(head(acted(503, null)).title).toBe(`Error: ${TITLE}`);
    expect(document.querySelector('form')).toBeNull();
  });
});

describe('a native post', () => {
  const native = (change = {}) => inEngine(() => action(posted({ ...FORM, ...change }), NOW));

  it('calls the API, on a Sunday too', () => {
    expect(native({ patientName: ' Asha Rao ' })).toMatchObject({
      method: 'POST',
      path: '/consultations',
      body: FORM,
      receipt: { facts: { Reference: 'reference', Day: 'date' } },
    });
    expect(native({ patientEmail: '', phone: '98450 12345' })).not.toBeNull();
    expect(native({ date: '2026-11-21' })).not.toBeNull();
    expect(native({ date: '2027-01-20' })).not.toBeNull();
  });

  it.each([
    ['patientName', { patientName: ' ' }, 'Enter the name of the patient'],
    ['patientEmail', { patientEmail: '' }, 'Enter an e-mail address or a phone number so we can send you the link'],
    [
      'patientEmail',
      { patientEmail: 'asha', phone: '98450 12345' },
      'Enter an e-mail address such as name@example.com',
    ],
    ['phone', { phone: '12' }, 'Enter a phone number of 7 to 15 digits, such as +91 80 0000 0000'],
    ['date', { date: '' }, 'Choose a day'],
    ['date', { date: '2026-11-20' }, 'Choose today or a later day'],
    ['date', { date: '2027-01-21' }, 'Choose a day in the next 60 days'],
    ['date', { date: '2026-02-30' }, 'Choose today or a later day'],
    ['description', { description: 'x'.repeat(2001) }, 'Shorten this to 2000 characters'],
  ])('calls nothing if %s is wrong: %o', (name, change, words) => {
    expect(native(change)).toBeNull();
    serve(acted(204, null, change));
    expect(document.getElementById(`${name}-error`)?.textContent).toBe(`Error: ${words}`);
    expect(status(acted(204, null, change))).toBe(400);
  });
});

describe('with script', () => {
  it('shows Processing..., sends once under a key, and replaces the form by the reference', async () => {
    await open();
    fill();
    fireEvent.click(button());
    expect(button().textContent).toBe('Processing...');
    expect(button().getAttribute('aria-disabled')).toBe('true');
    expect(document.querySelector('form')?.getAttribute('aria-busy')).toBe('true');
    const heading = await screen.findByRole('heading', { name: 'Your consultation is requested' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(api.seen).toHaveLength(1);
    expect(api.seen[0]).toMatchObject({ method: 'POST', path: '/consultations', body: FORM });
    expect(api.seen[0]?.key).toMatch(/^[\x21-\x7e]{16,128}$/);
    expect(await screen.findByRole('button', { name: 'Print this page' })).toBeTruthy();
    expect(sessionStorage.length).toBe(0);
  });

  it('reports a failure in a toast and beside the button, and keeps what was typed', async () => {
    answer = reply.json(500, {});
    await open();
    fill();
    fireEvent.click(button());
    const notifications = await waitFor(() => {
      const section = document.querySelector('section[aria-label=Notifications]');
      expect(section?.textContent).toContain(FAILURE);
      return section;
    });
    expect(notifications?.querySelector('p')?.textContent).toBe('Error');
    expect(field('patientName').value).toBe('Asha Rao');
    expect(document.querySelector('form')?.textContent).toContain(FAILURE);
    answer = reply.json(201, MADE);
    fireEvent.click(button());
    await screen.findByText('VC-7K3M-9QXD');
    expect(new Set(api.seen.map(({ key }) => key)).size).toBe(1);
  });

  it('S7: reports a missing response after 8 s, and the next press is the same request', async () => {
    answer = reply.stalled;
    document.title = TITLE;
    await open();
    fill();
    fireEvent.click(button());
    await screen.findByText(/^We didn’t get a reply/, {}, { timeout: 12_000 });
    expect(button().textContent).toBe('Book consultation');
    expect(document.title).toBe(`Error: ${TITLE}`);
    answer = reply.json(201, MADE);
    fireEvent.click(button());
    await screen.findByText('VC-7K3M-9QXD');
    expect(new Set(api.seen.map(({ key }) => key)).size).toBe(1);
    await waitFor(() => expect(document.title).not.toMatch(/^Error/));
    expect(document.title).toBe('Your consultation is requested | Sampige Hospital');
  });

  it('shows refusals of the service at their fields', async () => {
    answer = reply.json(400, { fields: [{ field: 'date', message: 'The hospital is closed' }] });
    await open();
    fill();
    fireEvent.click(button());
    expect(await screen.findByRole('link', { name: 'The hospital is closed' })).toBeTruthy();
    expect(field('date').getAttribute('aria-invalid')).toBe('true');
  });
});

describe('U8: the departments', () => {
  const choice = () => document.querySelector('fieldset') as HTMLElement;
  const zone = (timeZone: string) => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype;
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockImplementation(function (this: Intl.DateTimeFormat) {
      return { ...resolvedOptions.call(this), timeZone };
    });
  };

  it('refuse a day without video calls before it is sent', async () => {
    await open();
    fill();
    fireEvent.click(screen.getByRole('radio', { name: /^Cardiology/ }));
    fireEvent.click(button());
    const words = 'Video calls with Cardiology: Monday, Wednesday and Friday. Choose one of these days';
    expect(await screen.findByRole('link', { name: words })).toBeTruthy();
    expect(api.seen).toEqual([]);
    fireEvent.input(field('date'), { target: { value: '2026-11-23' } });
    fireEvent.click(button());
    await screen.findByText('VC-7K3M-9QXD');
  });

  it('are served with fee, hours in IST and who calls', () => {
    zone('Europe/London');
    const main = serve(props());
    expect(choice().textContent).toContain('Cardiology ₹700');
    expect(choice().textContent).toContain('Monday, Wednesday and Friday, 7:00 AM to 8:30 PM IST');
    expect(choice().textContent).toContain('Dr. Nandini Iyengar');
    expect(choice().textContent).not.toContain('Chandrashekar Rao');
    expect(document.querySelectorAll('[name=department]')).toHaveLength(2);
    expect(main.textContent).not.toContain('London');
  });

  it('are left out if they are unknown', () => {
    serve(props({ data: { departments: DOWN, site: DOWN } }));
    expect(document.querySelectorAll('[name=department]')).toHaveLength(0);
    expect(button()).toBeTruthy();
  });

  it.each([
    ['Europe/London', '1:30 AM to 3:00 PM in London', '5 hours 30 minutes ahead of London'],
    ['America/New_York', '8:30 PM the day before to 10:00 AM in New York', '10 hours 30 minutes ahead of New York'],
  ])('show the hours in the zone of a visitor in %s', async (name, hours, ahead) => {
    zone(name);
    const main = await open();
    expect(choice().textContent).toContain(hours);
    expect(main.querySelector('header')?.textContent).toContain(ahead);
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each(['Asia/Kolkata', 'Asia/Colombo'])('show Indian time alone in %s', async (name) => {
    zone(name);
    const main = await open();
    expect(main.textContent).not.toMatch(/ahead of|Kolkata|Colombo/);
  });

  it('are sent only if one is chosen, and confirmed with name, fee and the difference of the clocks', async () => {
    zone('America/New_York');
    answer = reply.json(201, { ...MADE, department: 'cardiology', date: '2027-01-18' });
    await open();
    fill();
    fireEvent.click(screen.getByRole('radio', { name: /^Cardiology/ }));
    fireEvent.input(field('date'), { target: { value: '2026-11-23' } });
    fireEvent.click(button());
    await screen.findByText('VC-7K3M-9QXD');
    expect(api.seen[0]?.body).toEqual({ ...FORM, date: '2026-11-23', department: 'cardiology' });
    const facts = document.querySelector('main dl')?.textContent;
    expect(facts).toContain('DepartmentCardiology');
    expect(facts).toContain('Fee₹700');
    expect(facts).toContain('IST is 10 hours 30 minutes ahead of New York');
  });

  it('keeps the choice after a refusal without script', () => {
    serve(
      acted(400, { fields: [{ field: 'date', message: 'Choose one of these days' }] }, { department: 'cardiology' }),
    );
    expect((screen.getByRole('radio', { name: /^Cardiology/ }) as HTMLInputElement).checked).toBe(true);
    expect(document.getElementById('date-error')?.textContent).toBe('Error: Choose one of these days');
  });
});
