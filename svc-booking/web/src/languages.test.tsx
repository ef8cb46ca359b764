/** The visitors' pages in Kannada and Hindi, as the gateway renders them. */
import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { posted } from '@hospital/form/testing';
import { englishWords } from '@hospital/form/testing-language';
import type { ActionOutcome, PageModule } from '@hospital/page';
import { setLanguage } from '@hospital/page/language';
import hi from '../messages/hi.json';
import kn from '../messages/kn.json';
import * as appointment from './appointment.tsx';
import { CLINIC, FORM, days, pageProps } from './appointment/fixtures.ts';
import * as homeAppointment from './home-appointment.tsx';
import * as homeNow from './home-now.tsx';
import * as manage from './manage.tsx';
import { APPOINTMENT, CANCELLED, ENTRY, MOVED, NEW_SECRET, OFFERED, SECRET } from './manage/fixtures.ts';
import * as pass from './pass.tsx';
import * as virtual from './virtual-consultation.tsx';

/** Texts of the kit's components, and what the fixtures' patient has typed. */
const ALLOWED = [
  'Error:',
  'Breadcrumb',
  'Home',
  'Call',
  '(opens in a new tab)',
  'Sampige Hospital',
  'Asha Rao',
  'Check-up',
  NEW_SECRET,
];

type Module = PageModule<never>;
type Props = ReturnType<typeof pageProps>;
const LINK = { reference: 'SH-7K3M-9QXD', secret: SECRET };
const DOWN = { ok: false, status: 503, body: null } as const;
const acted = (form: Record<string, string>, status: number, body: unknown, change: Partial<Props> = {}) =>
  pageProps({ ...change, action: { form: posted(form), result: { status, body } } as ActionOutcome });
const task = (name: string, status: number, body: unknown, form: object = {}) =>
  acted({ task: name, ...LINK, ...form }, status, body);
const BOOKED = { ...APPOINTMENT, attendant: CLINIC, secret: SECRET, preferredDoctor: 'Dr. Rao' };
const MOVE = { date: '2026-11-23', time: '10:00 AM', bookedDate: '2026-11-23', bookedTime: '9:30 AM' };
const refused = (field: string, message: string) => ({ status: 400, title: 'x', fields: [{ field, message }] });
const problem = (reason: string, detail: string) => ({ status: 400, title: 'x', reason, detail });

const { data } = pageProps();
const VIDEO = { feeRupees: 700, hours: { weekdays: ['Mon', 'Wed', 'Fri'], from: '6:00 PM', until: '8:30 PM' } };
const byVideo = data.departments.ok && {
  ...data.departments,
  body: { departments: data.departments.body.departments.map((one) => ({ ...one, video: VIDEO })) },
};
const CONSULTATION = {
  patientName: 'Asha Rao', patientEmail: 'asha@example.com', phone: '', date: '2026-11-23', description: '', department: 'cardiology',
}; // prettier-ignore
const consultation = (status: number, body: unknown, form: object = {}) =>
  acted({ ...CONSULTATION, ...form }, status, body, { data: { ...data, departments: byVideo } as Props['data'] });
const free = (departments: unknown) => ({ ...pageProps(), data: { departments, site: data.site } }) as Props;
const NEXT = { next: [{ doctor: 'doc-06', date: '2026-11-23', time: '4:00 PM', startsAt: '2026-11-23T10:30:00Z' }] };
const DOCTORS = {
  doctors: [{ id: 'doc-06', name: 'Dr. Nandini Iyengar', initials: 'NI', specialty: 'ಹೃದ್ರೋಗ', specialtyKey: 'cardiology', degrees: 'MBBS', image: '', languages: ['ಕನ್ನಡ'] }],
}; // prettier-ignore
const ok = (body: unknown) => ({ ok: true, status: 200, body });
const withDoctors = { data: { ...data, doctors: ok(DOCTORS), next: ok(NEXT) } as unknown as Props['data'] };
const now = (at: string) => ({ ...pageProps(withDoctors), now: at }) as Props;

const PAGES: [string, unknown, Props][] = [
  ['the form', appointment, pageProps(withDoctors)],
  ['the form from a link', appointment, pageProps({ query: { doctor: 'doc-06', date: '2026-11-23', time: '9:30 AM' } })],
  ['the form without data', appointment, pageProps({ data: { departments: DOWN, site: DOWN } })],
  ['the empty form', appointment, acted({}, 0, null)],
  ['wrong answers', appointment, acted({ ...FORM, email: 'x', phone: 'x', firstName: '=', lastName: '\u0000', date: '2026-11-22', message: 'x'.repeat(2001) }, 0, null)],
  ['an emergency', appointment, acted({ ...FORM, department: 'Emergency', date: '2027-11-22' }, 0, null)],
  ['a taken time', appointment, acted(FORM, 409, { ...problem('SLOT_TAKEN', 'x'), metadata: { alternatives: '2026-11-23 10:00 AM' } })],
  ['a full address', appointment, acted(FORM, 400, problem('APPOINTMENTS_MAX', 'This e-mail address already has 4 open appointments. Please call reception to book another one.'))],
  ['an unattended time', appointment, acted(FORM, 400, refused('time', 'No one sees patients in Cardiology at 9:30 AM. Choose another time.'))],
  ['a day off', appointment, acted(FORM, 400, refused('date', 'This doctor does not see patients on Mondays. Choose another day or another doctor.'))],
  ['a name too long', appointment, acted(FORM, 400, refused('patientName', 'Shorten this to 120 characters'))],
  ['no answer', appointment, acted(FORM, 503, null)],
  ['too many calls', appointment, acted(FORM, 429, null)],
  ['a reused key', appointment, acted(FORM, 400, problem('REQUEST_ID_REUSED', 'x'))],
  ['free times', appointment, acted({ ...FORM, intent: 'times' }, 200, { days: days('2026-11-23', '2026-11-29', ['2026-11-23 9:00 AM']) })],
  ['free times of a later day', appointment, acted({ ...FORM, intent: 'times' }, 200, { days: days('2026-11-22', '2026-11-29') })],
  ['no free times', appointment, acted({ ...FORM, intent: 'times' }, 200, { days: [] })],
  ['a booking', appointment, acted(FORM, 201, BOOKED)],
  ['a place on the waiting list', appointment, acted({ ...FORM, intent: 'waitlist' }, 201, { ...ENTRY, secret: SECRET })],
  ['a free day', appointment, acted({ ...FORM, intent: 'waitlist' }, 400, problem('NOT_FULL', 'x'))],
  ['home: the form', homeAppointment, pageProps()],
  ['home: without data', homeAppointment, free(DOWN)],
  ['home: free doctors', homeNow, now('2026-11-23T06:30:00Z')],
  ['home: at night', homeNow, now('2026-11-23T20:30:00Z')],
  ['no pass', pass, pageProps()],
  ['manage', manage, pageProps()],
  ['manage: wrong link', manage, task('find', 204, null, { reference: 'x' })],
  ['manage: unknown', manage, task('find', 404, { reason: 'NOT_FOUND' })],
  ['manage: replaced link', manage, task('find', 400, { reason: 'LINK_REPLACED' })],
  ['manage: link sent', manage, task('link', 200, {})],
  ['manage: wrong reference', manage, task('code', 204, null, { reference: 'WL-1', phone: '1' })],
  ['manage: code sent', manage, task('code', 200, {}, { phone: '98450 12345', again: 'yes' })],
  ['manage: wrong code', manage, task('open', 400, { reason: 'CODE_WRONG' }, { phone: '98450 12345', code: '123456' })],
  ['manage: too many codes', manage, task('open', 429, problem('CODE_TRIES_MAX', 'x'), { phone: '98450 12345', code: '123456' })],
  ['manage: an appointment', manage, task('find', 200, BOOKED)],
  ['manage: a cancelled appointment', manage, task('cancel', 200, CANCELLED, { etag: 'v1' })],
  ['manage: free times', manage, task('move', 200, { days: days('2026-11-24', '2026-11-30') }, { department: 'cardiology', intent: 'times', date: '2026-11-24', bookedDate: '2026-11-23', bookedTime: '9:30 AM' })],
  ['manage: moved', manage, task('move', 200, MOVED, MOVE)],
  ['manage: a taken time', manage, task('move', 409, { reason: 'SLOT_TAKEN' }, MOVE)],
  ['manage: changed', manage, task('change', 200, APPOINTMENT, { patientName: 'Asha Rao', email: 'asha@example.com', phone: '98450 12345' })],
  ['manage: changed meanwhile', manage, task('change', 412, { reason: 'ETAG_MISMATCH' }, { patientName: 'Asha Rao', email: 'asha@example.com', phone: '98450 12345' })],
  ['manage: not cancelled', manage, task('cancel', 503, null, { etag: 'v1' })],
  ['manage: moved too often', manage, task('move', 400, problem('MOVES_MAX', 'This appointment has been changed too often. Please call reception to change it again.'), MOVE)],
  ['manage: waiting', manage, task('find', 200, ENTRY, { reference: ENTRY.reference })],
  ['manage: offered', manage, task('find', 200, OFFERED, { reference: ENTRY.reference })],
  ['manage: accepted', manage, task('accept', 200, { ...APPOINTMENT, secret: NEW_SECRET }, { reference: ENTRY.reference })],
  ['manage: left', manage, task('leave', 200, { ...ENTRY, state: 'WAITLIST_STATE_ENDED' }, { reference: ENTRY.reference })],
  ['video', virtual, pageProps({ data: { ...data, departments: byVideo } as Props['data'] })],
  ['video: wrong answers', virtual, consultation(0, null, { patientName: '', patientEmail: '', date: '2026-11-24' })],
  ['video: failed', virtual, consultation(503, null)],
  ['video: too many', virtual, consultation(400, problem('NETWORK_CONSULTATIONS_MAX', 'Too many consultation requests from your network are waiting for a reply. Please call us to request another one.'))],
  ['video: requested', virtual, consultation(201, { id: '1', reference: 'VC-7K3M-9QXD', date: '2026-11-23', patientName: 'Asha Rao', department: 'cardiology' })],
]; // prettier-ignore

afterEach(() => setLanguage(undefined));

describe.each(['kn', 'hi'] as const)('in %s', (language) => {
  it.each(PAGES)('%s: has no English word', (_, page, props) => {
    const module = page as Module;
    setLanguage(language);
    const html = renderToString(createElement(module.default, props as never), { identifierPrefix: 'f0-' });
    const { title, description, keywords } = module.head?.(props as never) ?? { title: '' };
    const posted = props.action && module.action?.(props.action.form, props.now, { params: {}, query: {} });
    const { receipt } = posted ?? {};
    const words = [title, description, keywords, receipt?.title, receipt?.text, ...Object.keys(receipt?.facts ?? {})];
    // The names of the fixtures' own data have translations.
    const { site, ...rest } = props.data;
    const own = [site, props.action?.form, rest.doctors, rest.profiles, 'Dr. Rao'];
    expect(englishWords(`${html} ${words.join('\n')}`, own, ALLOWED)).toEqual([]);
  });
});

it('translates the names of the roster', () => {
  const roster = readFileSync(new URL('../../config/resources.toml', import.meta.url), 'utf8');
  const names = [...roster.matchAll(/^(?:name|place) = "(.*)"$/gm)].map(([, name]) => name as string);
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !(name in kn) || !(name in hi))).toEqual([]);
});
