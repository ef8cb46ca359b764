/** The visitors' pages in Kannada and Hindi, as the gateway renders them. */
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { posted } from '@hospital/form/testing';
import { englishWords } from '@hospital/form/testing-language';
import type { PageModule, PageProps } from '@hospital/page';
import { setLanguage } from '@hospital/page/language';
import { EVENT, SITE, absent, ok } from '../test/answers.ts';
import * as contact from './contact.tsx';
import * as homeContact from './home-contact.tsx';
import * as newsletter from './newsletter.tsx';
import * as confirm from './newsletter-confirm.tsx';
import * as unsubscribe from './newsletter-unsubscribe.tsx';
import { type HoursLine, openState } from './place/hours.ts';
import * as registration from './registration.tsx';
import * as cancel from './registration-cancel.tsx';

/** Texts of the kit's components, and the label of a field that nobody sees. */
const ALLOWED = [
  'Error:',
  'Breadcrumb',
  'Home',
  'Call',
  '(opens in a new tab)',
  'Go Back',
  'Website (leave this empty)',
];

type Module = PageModule<never>;
const page = (change: object = {}): PageProps => ({
  params: {}, query: {}, data: { site: ok(SITE) }, action: null, now: '2026-11-21T09:30:00Z', path: '/x', part: '', ...change,
}); // prettier-ignore
const acted = (form: Record<string, string>, status: number, body: unknown, change: object = {}) =>
  page({ ...change, action: { form: posted(form), result: { status, body } } });
const problem = (reason: string, detail: string) => ({ status: 400, title: 'x', reason, detail });
const MESSAGE = {
  firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com', phone: '98450 12345', subject: 'ಪಾರ್ಕಿಂಗ್', message: '?',
}; // prettier-ignore
const SENT = { id: '1', reference: 'MS-7K3M-9QXD', name: 'Asha Rao', email: 'asha@example.com' };
const event = (change: object = {}, places = 0) => ({
  data: { site: ok(SITE), event: ok({ ...EVENT, ...change }), places: ok({ places: 40, left: places }) },
  params: { id: EVENT.id },
});
const PERSON = { name: 'Asha Rao', phone: '080 0000 0199', email: '', people: '3', event: EVENT.id, about: 'x' };
const REGISTERED = { reference: 'MS-7K3M-9QXD', name: 'Asha Rao', registration: { eventId: EVENT.id, people: 3 } };
const TOKEN = { query: { token: 'nl1.x' } };
const link = (module: unknown, name: string): [string, unknown, PageProps][] => [
  [`${name}: asked`, module, page(TOKEN)],
  [`${name}: incomplete`, module, page()],
  [`${name}: done`, module, acted({ token: 'nl1.x' }, 200, {})],
  [`${name}: unknown`, module, acted({ token: 'nl1.x' }, 404, null)],
  [`${name}: failed`, module, acted({ token: 'nl1.x' }, 503, null)],
];

const PAGES: [string, unknown, PageProps][] = [
  ['contact', contact, page()],
  ['contact without data', contact, page({ data: { site: absent() } })],
  ['contact: wrong answers', contact, acted({ ...MESSAGE, firstName: '', lastName: '', subject: '', message: '' }, 0, null)],
  ['contact: failed', contact, acted(MESSAGE, 503, null)],
  ['contact: too many', contact, acted(MESSAGE, 429, problem('MESSAGES_MAX', 'Too many messages came from your network. Please call reception at +91 80 0000 0100, or try again in an hour.'))],
  ['contact: own address', contact, acted(MESSAGE, 400, { status: 400, title: 'x', fields: [{ field: 'email', message: 'Enter your own e-mail address, not the hospital\'s' }] })],
  ['contact: sent', contact, acted(MESSAGE, 201, SENT)],
  ['contact: sent without a reference', contact, acted(MESSAGE, 201, { ...SENT, reference: '', name: '' })],
  ['home', homeContact, page()],
  ['newsletter', newsletter, page()],
  ['newsletter: wrong', newsletter, acted({ email: 'x' }, 0, null)],
  ['newsletter: failed', newsletter, acted({ email: 'asha@example.com' }, 503, null)],
  ['newsletter: sent', newsletter, acted({ email: 'asha@example.com' }, 200, {})],
  ...link(confirm, 'confirm'),
  ...link(unsubscribe, 'unsubscribe'),
  ...link(cancel, 'cancel'),
  ['registration', registration, page(event({ price: 100 }, 1))],
  ['registration: full', registration, page(event())],
  ['registration: cancelled', registration, page(event({ cancelled: 'ರದ್ದಾಗಿದೆ.' }, 3))],
  ['registration: over', registration, page(event({ past: true }, 3))],
  ['registration: no event', registration, page({ data: { site: ok(SITE), event: absent(404) } })],
  ['registration: wrong answers', registration, acted({ ...PERSON, name: '', phone: 'x', people: '11' }, 0, null, event({}, 3))],
  ['registration: too few places', registration, acted(PERSON, 400, problem('EVENT_FULL', 'Only 2 places are left. Please choose fewer people.'), event({}, 2))],
  ['registration: no place', registration, acted(PERSON, 400, problem('EVENT_FULL', 'This event is full: all places are taken.'), event({}, 2))],
  ['registration: done', registration, acted(PERSON, 201, REGISTERED, event({}, 3))],
]; // prettier-ignore

afterEach(() => setLanguage(undefined));

describe.each(['kn', 'hi'] as const)('in %s', (language) => {
  it.each(PAGES)('%s: has no English word', (_, given, props) => {
    const module = given as Module;
    setLanguage(language);
    const html = renderToString(createElement(module.default, props as never), { identifierPrefix: 'f0-' });
    const { title, description, keywords } = module.head?.(props as never) ?? { title: '' };
    const { action } = props;
    const post = action && module.action?.(action.form, props.now, { params: props.params, query: props.query });
    const { receipt } = post ?? {};
    const words = [title, description, keywords, receipt?.title, receipt?.text, ...Object.keys(receipt?.facts ?? {})];
    const own = [SITE, EVENT, MESSAGE, action?.form, 'Asha Rao', 'Sampige Hospital'];
    expect(englishWords(`${html} ${words.join('\n')}`, own, ALLOWED)).toEqual([]);
  });

  it('knows when a place is open, although the text of its hours is translated', () => {
    setLanguage(language);
    const [booking, emergency, , visiting, weekdays] = SITE.hours.map((line) => ({ ...line, label: '-', hours: '-' }));
    const open = (line: HoursLine | undefined, now: string) => line && openState(line, now)?.open;
    expect(open(booking, '2026-11-21T09:30:00Z')).toBe(true);
    expect(open(booking, '2026-11-22T09:30:00Z')).toBe(false);
    expect(open(emergency, '2026-11-22T21:30:00Z')).toBe(true);
    expect(open(weekdays, '2026-11-22T09:30:00Z')).toBeUndefined();
    expect(open(visiting, '2026-11-21T09:30:00Z')).toBeUndefined();
  });
});
