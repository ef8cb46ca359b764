// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { DEPARTMENTS, DOWN, NOW, ok } from '../test/answers.ts';
import type { Body } from './desk/body.ts';
import { EDITOR, acted, pressed, problem, recordOf } from './desk/fixtures.ts';
import type { ContentRecord } from './desk/records.ts';
import StaffRecord, { action, status } from './staff-record.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffRecord>;

const DOCTOR = recordOf('doctor');
const ABOUT = 'body.about';
const called = (form: Parameters<typeof action>[0], { kind, recordId }: ContentRecord = DOCTOR) =>
  inEngine(() => action(form, NOW, { params: { kind, record: recordId }, query: {} }));

function props(record: ContentRecord = DOCTOR, change: Partial<Props> = {}): Props {
  const { kind, recordId } = record;
  return {
    params: { kind, record: recordId },
    query: {},
    data: { record: ok(record), recent: ok({ publications: [] }) },
    action: null,
    now: NOW,
    path: `/staff/content/${kind}/${recordId}`,
    part: 'content:/staff/content/{kind}/{record}',
    staff: EDITOR,
    ...change,
  };
}

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffRecord {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const valueOf = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value;
const buttons = () => screen.queryAllByRole('button').map((one) => one.textContent);
const result = () => document.getElementById('result')?.textContent;
const after = (
  form: ReturnType<typeof pressed>,
  code: number,
  body: unknown,
  record = DOCTOR,
  change: Partial<Props> = {},
) => props(record, { action: acted(form, code, body), ...change });

describe('the roster of a doctor', () => {
  const WRITES: typeof EDITOR = { ...EDITOR, scopes: [...EDITOR.scopes, 'rosters:write'] };
  const shown = (record: ContentRecord, departments: typeof DEPARTMENTS = DEPARTMENTS, staff = WRITES) => {
    document.body.replaceChildren();
    return serve(props(record, { staff, data: { record: ok(record), departments } }));
  };
  const named = (body: Body = {}) =>
    recordOf('doctor', {
      recordId: 'doc-17',
      title: 'Dr. Asha Rao',
      body: { ...(DOCTOR.body as Body), specialty: 'Orthopaedics', ...body },
    });
  const link = () => screen.queryByRole('link', { name: 'Add the doctor’s roster' })?.getAttribute('href');

  it('is the next step, with id, name and department', async () => {
    const main = shown(named());
    expect(link()).toBe('/staff/rosters/doctor:doc-17?name=Dr.%20Asha%20Rao&department=orthopedics');
    expect(await brokenRules(main)).toEqual([]);
    shown(named({ specialty: 'Astrology' }));
    expect(link()).toBe('/staff/rosters/doctor:doc-17?name=Dr.%20Asha%20Rao');
    const withoutScope = shown(named(), DEPARTMENTS, EDITOR);
    expect(link()).toBeUndefined();
    expect(withoutScope.textContent).toContain('Ask a colleague who may change rosters (scope rosters:write)');
  });

  it('is no step for who has one, needs none, or can’t be looked up', () => {
    shown(recordOf('doctor', { recordId: 'doc-06' }));
    expect(link()).toBeUndefined();
    for (const body of [{ listed: false }, { closed_to_new_patients: true }]) {
      shown(named(body));
      expect(link()).toBeUndefined();
    }
    const main = shown(named(), DOWN);
    expect(main.textContent).not.toContain('roster');
    expect(main.querySelector('form')).not.toBeNull();
  });
});

describe('planned times', () => {
  const planned = recordOf('doctor', {
    version: 2, etag: 'e2', publishVersion: 2, publishTime: '2026-12-05T03:30:00Z', unpublishTime: '2026-12-31T12:30:00Z',
  }); // prettier-ignore

  it('are cancelled one by one, and each names what then happens', async () => {
    const main = serve(props(planned));
    const question = screen.getByText('Cancel the publication…').closest('details');
    expect(question?.open).toBe(false);
    expect(question?.textContent).toContain('is then not published on Sat 5 December 2026, 9:00 AM IST.');
    expect(question?.textContent).not.toContain('cancelled too');
    expect(screen.getByText('Keep it on the website…').closest('details')?.textContent).toContain(
      '“Dr. Vasundhara Hegde” then stays on the website after Thu 31 December 2026, 6:00 PM IST.',
    );
    expect(await brokenRules(main)).toEqual([]);
    expect(called(pressed(planned, 'unschedule:publish'))).toMatchObject({
      path: '/records/doctor/doc-01:unschedule', body: { publish: true }, headers: { 'If-Match': '"e2"' },
    }); // prettier-ignore
    expect(called(pressed(planned, 'unschedule:unpublish'))?.body).toEqual({ unpublish: true });
    for (const wrong of ['unschedule', 'unschedule:both']) expect(called(pressed(planned, wrong))).toBeNull();
  });

  it('that are left are named, and what was typed is kept', () => {
    const left = recordOf('doctor', { ...planned, etag: 'e3', publishVersion: 0, publishTime: null });
    serve(after(pressed(planned, 'unschedule:publish', { [ABOUT]: 'Mine.' }), 200, left, left));
    expect(result()).toContain('The time is cancelledIt leaves the website on Thu 31 December 2026, 6:00 PM IST.');
    expect([valueOf(ABOUT), valueOf('etag')]).toEqual(['Mine.', 'e3']);
    document.body.replaceChildren();
    serve(after(pressed(planned, 'unschedule:publish'), 412, problem(412, 'ETAG_MISMATCH'), left));
    expect(result()).toContain('Nothing was cancelled');
  });

  it('of a draft go together', () => {
    serve(props({ ...planned, state: 'draft', liveVersion: 0 }));
    expect(screen.getByText('Cancel the publication…').closest('details')?.textContent).toContain('cancelled too');
  });

  it('are not offered where there are none', () => {
    serve();
    expect(buttons().some((text) => text?.startsWith('Cancel') || text?.startsWith('Keep'))).toBe(false);
  });
});

describe('rows', () => {
  const surgery = recordOf('surgery');

  it('are added without a call, and nothing typed is lost', () => {
    const count = (main: HTMLElement) => main.querySelectorAll('[name^="body.faqs["][name$=".question"]').length;
    const before = count(serve(props(surgery)));
    document.body.replaceChildren();
    const form = pressed(surgery, 'add:faqs', { 'body.name': 'Mine' });
    expect(called(form, surgery)).toBeNull();
    const given = after(form, 204, null, surgery);
    expect(count(serve(given))).toBe(before + 1);
    expect([status(given), valueOf('body.name')]).toEqual([200, 'Mine']);
  });

  const questions = (main: HTMLElement) =>
    [...main.querySelectorAll<HTMLInputElement>('[name^="body.faqs["][name$=".question"]')].map(({ value }) => value);

  it.each([
    ['faqs:1:up', [1, 0]],
    ['faqs:0:down', [1, 0]],
    ['faqs:0:remove', [1]],
    ['faqs:0:up', [0, 1]],
    ['faqs:99:remove', [0, 1]],
    ['faqs:0:turn', [0, 1]],
    ['nothing:0:remove', [0, 1]],
  ])('are moved and removed without a call: %s', async (step, order) => {
    const faqs = (surgery.body?.faqs as Body[]).map((row, index) => ({ ...row, newer: index }));
    const record = recordOf('surgery', { body: { ...surgery.body, faqs } });
    const form = pressed(record, `row:${step}`, { 'body.name': 'Mine', 'body.faqs[0].question': 'My question?' });
    expect(called(form, record)).toBeNull();
    const given = after(form, 204, null, record);
    const main = serve(given);
    const asked = faqs.map(({ question }: Body, index) => (index === 0 ? 'My question?' : question));
    const others = asked.map((_, index) => index).slice(2);
    const wanted = [...order, ...others];
    expect(questions(main)).toEqual([...wanted.map((index) => asked[index]), '']);
    expect([status(given), valueOf('body.name')]).toEqual([200, 'Mine']);
    const rest = JSON.parse(valueOf('rest') ?? '{}') as { faqs: { newer: number }[] };
    expect(rest.faqs.map(({ newer }) => newer)).toEqual(wanted);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('keep their buttons apart, and stay open after a move', () => {
    const main = serve(after(pressed(surgery, 'row:faqs:1:up'), 204, null, surgery));
    const open = [...main.querySelectorAll<HTMLDetailsElement>('details[open]')].map(
      (one) => one.querySelector('summary b')?.textContent,
    );
    expect(open).toContain('Question 1');
    const [move] = screen.getAllByRole('button', { name: 'Move down: Question 1', hidden: true });
    expect(move?.getAttribute('formaction')).toBe('/staff/content/surgery/1#body.faqs');
    expect(screen.queryByRole('button', { name: 'Move up: Question 1', hidden: true })).toBeNull();
  });

  it('end where the gateway reads no more fields', () => {
    const page = recordOf('page');
    const section = Array.from({ length: 16 }, (_, index) => ({ id: `s${index}`, heading: 'H', paragraphs: ['P'] }));
    const main = serve(props(recordOf('page', { body: { ...page.body, section } })));
    expect(main.textContent).toContain('This form is full');
    expect(main.querySelectorAll('input, textarea, select').length).toBeLessThan(97);
  });
});
