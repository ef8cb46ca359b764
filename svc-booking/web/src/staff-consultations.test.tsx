// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { Consultation } from '@hospital/api/types';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { pageProps } from './appointment/fixtures.ts';
import { seenText } from './desk/consultation-change.ts';
import type { ConsultationProps } from './desk/consultations.ts';
import { DESK, NOW, READER, TODAY, acted, down, problem } from './desk/fixtures.ts';
import StaffConsultation, { action, head, status } from './staff-consultation.tsx';
import StaffConsultations, { head as listHead, status as listStatus } from './staff-consultations.tsx';

afterEach(() => document.body.replaceChildren());

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const LINK = 'https://meet.example.com/room?id=1';

const ASHA: Consultation = {
  id: id(1), reference: 'VC-7K3M-9QXD', patientName: 'Asha Rao', phone: '98450 12345',
  patientEmail: 'asha@example.com', description: 'Knee pain.\nWorse at night.', date: '2026-11-24', time: '', link: '',
  etag: '1', department: 'cardiology', status: 'CONSULTATION_STATUS_REQUESTED', createTime: '2026-11-20T04:00:00Z',
  language: '', doctorId: '', doctorName: '', doctorRegistration: '', doctors: [
    { doctorId: 'doc-06', name: 'Dr. Nandini Iyengar', registration: 'KMC 000106' },
    { doctorId: 'doc-07', name: 'Dr. Om <Prakash>', registration: '' },
  ],
}; // prettier-ignore
const PHONED: Consultation = {
  ...ASHA, id: id(2), reference: 'VC-2222-3333', patientName: 'Bhavana "B" <Gowda>', patientEmail: '', department: '',
  date: TODAY, createTime: '2026-11-21T04:00:00Z',
}; // prettier-ignore
const SCHEDULED: Consultation = {
  ...ASHA, id: id(3), reference: 'VC-4444-5555', time: '4:30 PM', link: LINK, etag: '2', patientName: 'Chetan',
  status: 'CONSULTATION_STATUS_SCHEDULED', createTime: '2026-11-19T04:00:00Z', date: '2026-11-23',
  doctorId: 'doc-06', doctorName: 'Dr. Nandini Iyengar', doctorRegistration: 'KMC 000106',
}; // prettier-ignore
/** As an older service sends it: without any member of the doctor. */
const OLDER = Object.fromEntries(
  Object.entries(SCHEDULED).filter(([name]) => !name.startsWith('doctor')),
) as unknown as Consultation;
const CANCELLED: Consultation = { ...ASHA, id: id(4), etag: '3', status: 'CONSULTATION_STATUS_CANCELLED' };

const departments = (() => {
  const { departments: read } = pageProps().data;
  if (!read.ok) throw new Error('no departments');
  const video = { feeRupees: 500, hours: { weekdays: ['Mon', 'Tue'], from: '4:00 PM', until: '6:00 PM' } };
  return { ...read, body: { departments: read.body.departments.map((one) => ({ ...one, video })) } };
})();

const listed = (consultations: Consultation[], nextPageToken = '') => ({
  ok: true as const,
  status: 200,
  body: { consultations, nextPageToken },
});

function listProps(change: Partial<ConsultationProps> = {}): ConsultationProps {
  return {
    params: {}, query: {}, data: { departments, list: listed([SCHEDULED, ASHA, PHONED]) }, action: null, now: NOW,
    path: '/staff/consultations', part: 'booking:/staff/consultations', staff: DESK, ...change,
  };
} // prettier-ignore

function oneProps(one: Consultation, change: Partial<ConsultationProps> = {}): ConsultationProps {
  return listProps({
    params: { consultation: one.id },
    data: { departments, consultation: { ok: true, status: 200, body: one } },
    path: `/staff/consultations/${one.id}`,
    part: 'booking:/staff/consultations/{consultation}',
    ...change,
  });
}

function serve(element: React.ReactElement): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(element, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}
const list = (given = listProps()) => serve(<StaffConsultations {...given} />);
const open = (given: ConsultationProps) => serve(<StaffConsultation {...given} />);

const headings = () => screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent);
const namesOf = () => [...document.querySelectorAll('[data-row] h3')].map((one) => one.textContent);
const result = () => document.getElementById('result') as HTMLElement;
const form = () => screen.getByRole('form', { name: 'Time and link' }) as HTMLFormElement;

/** Values of the form. The DOM of the tests takes the first option instead of the selected one. */
function typed(): Record<string, FormDataEntryValue> {
  const chosen = (name: string) => {
    const option = form().querySelector(`select[name=${name}] option[selected]`);
    return option?.getAttribute('value') ?? option?.textContent ?? '';
  };
  return { ...Object.fromEntries(new FormData(form())), time: chosen('time'), doctorId: chosen('doctorId') };
}

describe('the list', () => {
  it('has the newest request first, with its wanted day and its state', async () => {
    const main = list();
    expect(listStatus(listProps())).toBe(200);
    expect(namesOf()).toEqual(['Bhavana "B" <Gowda>', 'Asha Rao', 'Chetan']);
    expect(headings()).toEqual([
      'Requested today',
      'Requested Friday 20 November 2026',
      'Requested Thursday 19 November 2026',
    ]);
    for (const text of [
      'For Tuesday 24 November 2026, Cardiology',
      'For Monday 23 November 2026, 4:30 PM IST, Dr. Nandini Iyengar',
    ])
      expect(main.textContent).toContain(text);
    expect(main.textContent).toContain('The wanted day is today.');
    expect(main.textContent).not.toContain('Language:');
    expect(screen.getByRole('link', { name: 'Asha Rao' }).getAttribute('href')).toBe(`/staff/consultations/${id(1)}`);
    const counts = within(screen.getByRole('navigation', { name: 'By status' })).getAllByRole('link');
    expect(counts.map((one) => one.textContent)).toEqual([
      'All 3', 'Requested 2', 'Scheduled 1', 'Completed 0', 'No-show 0', 'Cancelled 0',
    ]); // prettier-ignore
    expect(counts[1]?.getAttribute('href')).toBe('/staff/consultations?status=requested');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('of several pages keeps the order of the days, and says so', async () => {
    const query = { status: 'requested' };
    const main = list(listProps({ query, data: { list: listed([ASHA, PHONED], 'x.1') } }));
    expect(headings()).toEqual(['For Tuesday 24 November 2026', 'For today']);
    expect(main.textContent).toContain('in the order of days');
    expect(screen.getByRole('link', { name: 'Later days' }).getAttribute('href')).toBe(
      '/staff/consultations?status=requested&pageToken=x.1',
    );
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    ['', 'There are no consultations'],
    ['requested', 'No request waits for a time'],
    ['CONSULTATION_STATUS_CANCELLED', 'No consultation was cancelled'],
  ])('explains what empty means: "%s"', (wanted, text) => {
    expect(list(listProps({ query: { status: wanted }, data: { list: listed([]) } })).textContent).toContain(text);
  });

  it.each([
    ['down', 503, 'The consultations can’t be shown right now'],
    ['another role', 403, 'Your role doesn’t include consultations'],
    ['an unknown filter', 400, 'There is no list for this filter'],
  ])('says why it is not there: %s', async (_, code, text) => {
    const given = listProps({ data: { list: { ok: false, status: code, body: null } } });
    const main = list(given);
    expect([listStatus(given), listHead(given).title]).toEqual([code, 'Error: Video consultations']);
    expect(screen.getByRole('alert').textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('names a language other than English', () => {
    const main = list(listProps({ data: { departments, list: listed([{ ...ASHA, language: 'kn' }]) } }));
    expect(main.textContent).toContain('Cardiology. Language: Kannada');
    document.body.replaceChildren();
    const one = { ...ASHA, language: 'hi' };
    expect(open(oneProps(one)).textContent).toContain('LanguageHindi');
  });

  it('marks a request whose day has passed', () => {
    const main = list(listProps({ data: { list: listed([{ ...ASHA, date: '2026-11-20' }]) } }));
    expect(main.textContent).toContain('The wanted day has passed without a time.');
  });
});

const VALUES = {
  date: '2026-11-24', time: '4:30 PM', link: LINK, doctors: '1', doctorId: 'doc-06', doctorRegistration: '',
}; // prettier-ignore
const fields = (one: Consultation, change: Record<string, string> = VALUES) =>
  posted({ seen: seenText(one), ...change });
const run = (values: ReturnType<typeof posted>) => inEngine(() => action(values, NOW));
const sent = (one: Consultation, code: number, body: unknown, change: Record<string, string> = VALUES, seen = one) =>
  oneProps(one, { action: acted(fields(seen, change), code, body) });

describe('a request', () => {
  it('has its facts, the form of the time and the link, and who is notified', async () => {
    const main = open(oneProps(ASHA));
    expect([status(oneProps(ASHA)), head(oneProps(ASHA)).title]).toEqual([200, 'Video consultation']);
    for (const text of ['Asha Rao', 'Wanted dayTuesday 24 November 2026', 'Cardiology', 'VC-7K3M-9QXD', 'at night.'])
      expect(main.textContent).toContain(text);
    expect(form().getAttribute('action')).toBe(`/staff/consultations/${id(1)}#result`);
    expect(typed()).toMatchObject({ date: '2026-11-24', time: '', link: '' });
    expect(form().textContent).toContain(
      'We’ll e-mail the day, the time, the link and the doctor with the registration number to asha@example.com.',
    );
    const doctor = form().querySelector('select[name=doctorId]') as HTMLSelectElement;
    expect([...doctor.options].map((option) => [option.value, option.textContent])).toEqual([
      ['', 'Choose'],
      ['doc-06', 'Dr. Nandini Iyengar (KMC 000106)'],
      ['doc-07', 'Dr. Om <Prakash> (no number yet)'],
    ]);
    expect(form().textContent).toContain('Cardiology by video: Monday and Tuesday, 4:00 PM to 6:00 PM.');
    expect(screen.getByRole('button', { name: 'Schedule the consultation' })).toBeDefined();
    const question = main.querySelector('details') as HTMLElement;
    expect(question.textContent).toContain('Asha Rao, Tuesday 24 November 2026. A change can’t be undone.');
    expect(within(question).getAllByRole('button', { hidden: true })).toHaveLength(1);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('without an e-mail address is to be answered by phone', () => {
    expect(open(oneProps(PHONED)).textContent).toContain('call 98450 12345 and tell the patient the day, the time');
  });

  it('has no form without the scope, or once it has ended', async () => {
    const main = open(oneProps(ASHA, { staff: READER }));
    expect(main.querySelector('form')).toBeNull();
    expect(main.textContent).toContain('You can see consultations but not change them.');
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    expect(open(oneProps(CANCELLED)).querySelector('form')).toBeNull();
  });

  it.each([
    ['unknown', 404, 404, 'There is no such consultation'],
    ['no id', 400, 404, 'There is no such consultation'],
    ['down', 503, 503, 'The consultations can’t be shown right now'],
  ])('explains why it is not there: %s', async (_, code, wanted, text) => {
    const given = oneProps(ASHA, { data: { consultation: { ...down, status: code } } });
    const main = open(given);
    expect([status(given), head(given).title]).toEqual([wanted, 'Error: Video consultation']);
    expect(screen.getByRole('alert').textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('a schedule', () => {
  it('is one call with the version that the person saw', () => {
    expect(run(fields(ASHA))).toMatchObject({
      method: 'PUT',
      path: `/consultations/${id(1)}`,
      headers: { 'If-Match': '"1"' },
      body: {
        date: '2026-11-24', time: '4:30 PM', link: LINK, doctorId: 'doc-06', doctorRegistration: '',
        status: 'CONSULTATION_STATUS_SCHEDULED',
      },
      receipt: { facts: { Reference: 'reference' } },
    }); // prettier-ignore
  });

  it('has no doctor with an older service, and says nothing of one', async () => {
    const main = open(oneProps(OLDER));
    expect(main.querySelector('[name^=doctor]')).toBeNull();
    expect(main.textContent).not.toMatch(/undefined|null|Doctor/);
    expect(form().textContent).toContain('We’ll e-mail the day, the time and the link to asha@example.com.');
    const { date, time, link } = VALUES;
    expect(run(fields(OLDER, { date, time, link }))).toMatchObject({ method: 'PUT' });
    expect(run(fields(OLDER, { date, time, link }))?.body).not.toHaveProperty('doctorId');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('keeps the present doctor with the number that the patient was told', () => {
    const corrected = [{ doctorId: 'doc-06', name: 'Dr. Nandini Iyengar', registration: 'KMC 999999' }];
    const left = [{ doctorId: 'doc-07', name: 'Dr. Om <Prakash>', registration: '' }];
    for (const doctors of [corrected, left]) {
      open(oneProps({ ...SCHEDULED, doctors }));
      expect(typed()).toMatchObject({ doctorId: 'doc-06', doctorRegistration: '' });
      expect(form().textContent).toContain('Dr. Nandini Iyengar (KMC 000106)');
      expect(form().textContent).not.toContain('KMC 999999');
      document.body.replaceChildren();
    }
  });

  it('of a doctor without a number names the field', () => {
    const refused = [{ field: 'doctorRegistration', message: 'Give the doctor’s registration number.' }];
    const given = sent(
      ASHA, 400, { ...problem(400, 'INVALID_ARGUMENT'), fields: refused }, { ...VALUES, doctorId: 'doc-07' },
    ); // prettier-ignore
    open(given);
    expect(document.getElementById('doctorRegistration-error')?.textContent).toContain(
      'Give the doctor’s registration',
    );
    expect(typed()).toMatchObject({ ...VALUES, doctorId: 'doc-07' });
  });

  it.each([
    [{ date: '' }, 'date', 'Choose a day'],
    [{ time: '' }, 'time', 'Choose a time'],
    [{ link: '' }, 'link', 'https address'],
    [{ link: 'http://meet.example.com/1' }, 'link', 'https address'],
    [{ link: 'https://asha:secret@meet.example.com' }, 'link', 'https address'],
    [{ link: 'https://meet.example.com/a room' }, 'link', 'https address'],
    [{ link: `https://meet.example.com/${'x'.repeat(500)}` }, 'link', '500 characters'],
    [{ doctorId: '' }, 'doctorId', 'Choose the doctor'],
    [{ doctorRegistration: '7'.repeat(41) }, 'doctorRegistration', '40 characters'],
  ])('without %o names the field and calls nothing', async (change, field, text) => {
    expect(run(fields(ASHA, { ...VALUES, ...change }))).toBeNull();
    const given = sent(ASHA, 204, null, { ...VALUES, ...change });
    const main = open(given);
    expect([status(given), head(given).title]).toEqual([400, 'Error: Video consultation']);
    expect(
      within(result())
        .getByRole('link', { name: new RegExp(text) })
        .getAttribute('href'),
    ).toBe(`#${field}`);
    expect(document.getElementById(`${field}-error`)?.textContent).toContain(text);
    expect(typed()).toMatchObject({ ...VALUES, ...change });
    expect(await brokenRules(main)).toEqual([]);
  });

  it('that the service refuses names the field', () => {
    const refused = [{ field: 'time', message: 'Choose a future time' }];
    const given = sent(ASHA, 400, { ...problem(400, 'INVALID_ARGUMENT'), fields: refused });
    open(given);
    expect(status(given)).toBe(400);
    expect(document.getElementById('time-error')?.textContent).toContain('Choose a future time');
  });

  it('that is saved says who is notified', async () => {
    const saved = { ...SCHEDULED, id: id(1) };
    const given = sent(saved, 200, saved, VALUES, ASHA);
    const main = open(given);
    expect([status(given), head(given).title]).toEqual([200, 'Saved: Video consultation']);
    expect(within(main).getByRole('status').textContent).toContain('We’ll e-mail the day, the time, the link');
    expect(main.textContent).toContain('Time4:30 PM IST');
    expect(main.textContent).toContain('DoctorDr. Nandini Iyengar (KMC 000106)');
    expect(screen.getByRole('button', { name: 'Save and notify the patient' })).toBeDefined();
    expect(await brokenRules(main)).toEqual([]);
  });

  it('sent twice or without a change notifies nobody again', () => {
    const same = { ...SCHEDULED, date: VALUES.date };
    open(sent(same, 412, problem(412, 'ETAG_MISMATCH'), VALUES, ASHA));
    expect(result().textContent).toContain('nothing new was sent');
    document.body.replaceChildren();
    open(sent(same, 200, same));
    expect(result().textContent).toContain('nothing new was sent');
  });

  it('after another person’s change shows it, and keeps what was typed', async () => {
    const before = { ...SCHEDULED, etag: '1', time: '', status: ASHA.status, doctorName: '', doctorRegistration: '' };
    const given = sent(SCHEDULED, 412, problem(412, 'ETAG_MISMATCH'), { ...VALUES, time: '5:00 PM' }, before);
    const main = open(given);
    expect(status(given)).toBe(412);
    expect([...result().querySelectorAll('dl > div')].map((one) => one.textContent)).toEqual([
      'StatusRequested Scheduled',
      'Timenone 4:30 PM',
      'Doctornone Dr. Nandini Iyengar',
      'Registration numbernone KMC 000106',
    ]);
    const { seen, ...values } = typed();
    expect(values).toMatchObject({ ...VALUES, time: '5:00 PM' });
    expect(seen).toContain('\t2\t');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    ['no reply', 504, null, 'the consultation is unchanged'],
    ['another role', 403, problem(403, 'SCOPE_MISSING'), 'Your role doesn’t include changes of consultations'],
    ['too many', 429, null, 'Wait a minute'],
  ])('explains a failure: %s', (_, code, body, text) => {
    const given = sent(ASHA, code, body);
    open(given);
    expect(status(given)).toBe(code);
    expect(result().textContent).toContain(text);
    expect(typed()).toMatchObject(VALUES);
  });

  it('whose result is unknown says so', () => {
    open(oneProps(ASHA, { action: acted(fields(ASHA), 504), data: { consultation: down } }));
    expect(result().textContent).toContain('may not have been saved');
  });
});

describe('an end', () => {
  it.each([
    ['completed', SCHEDULED, 'COMPLETED'],
    ['no_show', SCHEDULED, 'NO_SHOW'],
    ['cancelled', SCHEDULED, 'CANCELLED'],
    ['cancelled', ASHA, 'CANCELLED'],
  ])('sets %s', (to, one, word) => {
    expect(run(fields(one, { to }))).toMatchObject({
      method: 'PUT',
      path: `/consultations/${one.id}`,
      headers: { 'If-Match': `"${one.etag}"` },
      body: { status: `CONSULTATION_STATUS_${word}` },
    });
  });

  it.each([
    ['a state that is not allowed', fields(ASHA, { to: 'completed' })],
    ['an end of an ended one', fields(CANCELLED, { to: 'cancelled' })],
    ['an unknown state', fields(SCHEDULED, { to: 'constructor' })],
    ['a header in the version', fields({ ...SCHEDULED, etag: '1"\r\nX-Other: 1' }, { to: 'completed' })],
    ['no form', posted({})],
  ])('calls nothing for %s', (_, values) => {
    expect(run(values)).toBeNull();
  });

  it('is asked first, and says who is notified', async () => {
    const main = open(oneProps(SCHEDULED));
    const question = main.querySelector('details') as HTMLDetailsElement;
    expect(question.open).toBe(false);
    expect(question.textContent).toContain('We’ll e-mail that it is cancelled to asha@example.com.');
    expect([...question.querySelectorAll('button')].map((one) => one.getAttribute('aria-label'))).toEqual([
      'Mark as completed: Chetan',
      'Mark as no-show: Chetan',
      'Cancel the consultation: Chetan',
    ]);
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    const given = sent(CANCELLED, 200, CANCELLED, { to: 'cancelled' }, { ...ASHA, id: CANCELLED.id });
    open(given);
    expect(within(document.body).getByRole('status').textContent).toContain('The consultation is cancelled');
    expect(document.querySelector('form')).toBeNull();
  });

  it('is refused if the form is not one of this page', () => {
    const given = oneProps(ASHA, { action: acted(posted({ to: 'cancelled' }), 204) });
    open(given);
    expect(result().textContent).toContain('Nothing was changed');
    expect(status(given)).toBe(400);
  });
});

it('names no patient in titles and addresses', () => {
  const main = list();
  const addresses = [...main.querySelectorAll('[href]')].map((one) => String(one.getAttribute('href')));
  expect(addresses.filter((one) => !one.startsWith('tel:')).join()).not.toMatch(/Asha|asha|VC-/);
  for (const given of [oneProps(ASHA), sent(ASHA, 504, null)])
    expect(JSON.stringify(head(given))).not.toMatch(/Asha|asha|VC-/);
});
