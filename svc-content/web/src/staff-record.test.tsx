// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { DOWN, MISSING, NOW, failed, ok } from '../test/answers.ts';
import type { Body } from './desk/body.ts';
import { EDITOR, READER, WRITER, acted, pressed, problem, recordOf } from './desk/fixtures.ts';
import { GROUPS } from './desk/kinds.ts';
import type { ContentRecord } from './desk/records.ts';
import StaffRecord, { action, head, status } from './staff-record.tsx';

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

describe('the page', () => {
  it.each(GROUPS.flatMap(({ kinds }) => kinds.map(({ form }) => form.kind)))('of %s shows its form', async (kind) => {
    const given = props(recordOf(kind));
    const main = serve(given);
    expect([status(given), result()]).toEqual([200, undefined]);
    expect(main.querySelectorAll('input, textarea, select').length).toBeLessThan(97);
    expect(buttons()).toContain('Save draft');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('shows state, change, schedule, and what prevents publication beside its field', async () => {
    const record = recordOf('doctor', {
      version: 4,
      liveVersion: 3,
      authorName: 'Ravi Pai',
      publishVersion: 4,
      publishTime: '2026-12-05T03:30:00Z',
      unpublishTime: '2026-12-31T12:30:00Z',
      problems: [
        { field: 'timings', message: 'must not be empty', record: '' },
        { field: 'education[1]', message: 'must have at most 160 characters', record: '' },
        { field: '', message: 'does not fit', record: '' },
        { field: 'doctors[0]', message: 'is not a listed doctor', record: 'specialty/radiology' },
      ],
    });
    const main = serve(props(record));
    expect(main.textContent).toContain('Live, newer draft');
    expect(main.textContent).toContain('Version 4. Changed by Ravi Pai, Fri 20 November 2026, 9:30 AM IST.');
    expect(main.textContent).toContain('Version 4 will be published on Sat 5 December 2026, 9:00 AM IST.');
    const summary = within(screen.getByRole('alert'));
    const links = summary.getAllByRole('link').map((one) => [one.getAttribute('href'), one.textContent]);
    expect(links).toEqual([
      ['#body.timings', 'Timings: must not be empty'],
      ['#body.education', 'Education: must have at most 160 characters'],
      ['#fields', 'does not fit'],
    ]);
    for (const [href] of links) expect(document.getElementById((href ?? '').slice(1))).not.toBeNull();
    expect(document.getElementById('body.timings-error')?.textContent).toContain('must not be empty');
    expect(screen.getByRole('link', { name: 'specialty/radiology' }).getAttribute('href')).toBe(
      '/staff/content/specialty/radiology',
    );
    expect(buttons().filter((one) => /ublish/.test(one ?? ''))).toEqual([]);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('offers only what the person may do', async () => {
    const draft = recordOf('doctor', { version: 2 });
    serve(props(draft, { staff: WRITER }));
    expect(buttons().join()).not.toMatch(/ublish|rchive/);
    document.body.replaceChildren();
    const main = serve(props(draft, { staff: READER }));
    expect(buttons()).toEqual([]);
    expect(main.textContent).toContain('KMC 000101');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('offers a preview of every kind', () => {
    serve(props(recordOf('post', { version: 2 }), { staff: WRITER }));
    const link = screen.getByRole('link', { name: 'Preview version 2' });
    expect(link.getAttribute('href')).toMatch(/^\/staff\/content\/post\/[\w-]+\/preview$/);
  });

  it('presses Save when Enter is pressed in a field', () => {
    const main = serve(props(recordOf('surgery', { version: 2 })));
    expect(main.querySelector('form button')?.getAttribute('value')).toBe('save');
  });

  it('shows who else edits, and not oneself', () => {
    expect(serve(props(recordOf('doctor', { editorName: 'Ravi Pai' }))).textContent).toContain(
      'Ravi Pai is editing this now',
    );
    document.body.replaceChildren();
    expect(serve(props(recordOf('doctor', { editorName: 'Esha Iyer' }))).textContent).not.toContain('is editing this');
  });

  it.each([
    [MISSING, 404, 'There is no such record'],
    [DOWN, 503, 'can’t be shown right now'],
    [failed(401), 401, 'Your sign-in has ended'],
    [failed(403), 403, 'Your role doesn’t include content records'],
    [undefined, 503, 'can’t be shown right now'],
    [ok({} as ContentRecord), 503, 'can’t be shown right now'],
  ] as const)('explains why it is not there: %#', async (record, code, text) => {
    const given = props(DOCTOR, { data: { record } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([code, 'Error: Content']);
    expect(screen.getByRole('alert').textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('of an unknown kind is missing', () => {
    const given = props(DOCTOR, { params: { kind: 'nothing', record: 'x' } });
    serve(given);
    expect(status(given)).toBe(404);
    expect(
      inEngine(() => action(pressed(DOCTOR, 'save'), NOW, { params: { kind: 'nothing', record: 'x' }, query: {} })),
    ).toBeNull();
  });

  it('tolerates sample data', () => {
    const sample = { kind: 'example-kind', recordId: 'example-recordId', etag: 'example-etag', title: 'example-title', state: 'example-state', body: {}, problems: [{ field: 'example-field', message: 'example-message', record: 'example-record' }], publishTime: 'example', version: 1 }; // prettier-ignore
    expect(serve(props(DOCTOR, { data: { record: ok(sample as unknown as ContentRecord) } })).textContent).toContain(
      'example-title',
    );
  });
});

describe('saving', () => {
  it('sends the whole body with the version that was seen', () => {
    const request = called(pressed(DOCTOR, 'save', { [ABOUT]: 'Short.\r\n' }));
    expect(request).toMatchObject({ method: 'PUT', path: '/records/doctor/doc-01', headers: { 'If-Match': '"e1"' } });
    expect(request?.body).toEqual({ body: { ...DOCTOR.body, about: 'Short.' } });
    for (const etag of ['', 'a\r\nx: 1']) expect(called(pressed(DOCTOR, 'save', { etag }))).toBeNull();
    for (const rest of ['{', '[]', 'x'.repeat(70_000)]) expect(called(pressed(DOCTOR, 'save', { rest }))).toBeNull();
    expect(called(pressed(DOCTOR, 'nothing'))).toBeNull();
  });

  it('confirms with the present record, and offers to publish it', async () => {
    const saved = recordOf('doctor', { version: 2, etag: 'e2', body: { ...(DOCTOR.body as Body), about: 'Short.' } });
    const given = after(pressed(DOCTOR, 'save', { [ABOUT]: 'Short.' }), 200, saved, saved);
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Saved: Dr. Vasundhara Hegde']);
    expect(result()).toContain('Saved as version 2');
    expect(result()).toContain('Publish this doctor now');
    expect([valueOf('etag'), valueOf(ABOUT)]).toEqual(['e2', 'Short.']);
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [0, 'may not have been saved'],
    [503, 'may not have been saved'],
    [401, 'Your sign-in has ended'],
    [403, 'Your role doesn’t include changes of the website’s content'],
    [429, 'Wait a minute'],
    [404, 'no longer exists'],
  ])('keeps what was typed after a failure: %i', async (code, text) => {
    const given = after(pressed(DOCTOR, 'save', { [ABOUT]: 'My "text" <b>' }), code, problem(code, 'ANY'));
    const main = serve(given);
    expect(status(given)).toBe(code || 400);
    expect(result()).toContain(text);
    expect([valueOf(ABOUT), valueOf('etag')]).toEqual(['My "text" <b>', 'e1']);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('keeps what was typed if the record can’t be read any more', () => {
    const given = after(pressed(DOCTOR, 'save', { [ABOUT]: 'Mine.' }), 503, null, DOCTOR, { data: { record: DOWN } });
    serve(given);
    expect([status(given), valueOf(ABOUT)]).toEqual([503, 'Mine.']);
  });

  it('names refused fields and their limits', async () => {
    const surgery = recordOf('surgery');
    const fields = [
      { field: 'body.cost.packages[1].to_rupees', message: 'must be at most 2000000' },
      { field: 'body.newer', message: 'is too long' },
    ];
    const given = after(pressed(surgery, 'save'), 400, problem(400, 'INVALID', fields), surgery);
    const main = serve(given);
    expect(status(given)).toBe(400);
    const links = within(screen.getByRole('alert')).getAllByRole('link');
    expect(links.map((one) => one.getAttribute('href'))).toEqual(['#body.cost.packages[1].to_rupees', '#fields']);
    const field = document.getElementById('body.cost.packages[1].to_rupees');
    expect(field?.closest('details')?.open).toBe(true);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('refuses a number that is none without a call', () => {
    const form = pressed(DOCTOR, 'save', { 'body.consultation_fee_rupees': '₹ 800', [ABOUT]: 'Mine.' });
    expect(called(form)).toBeNull();
    const given = after(form, 204, null);
    serve(given);
    expect([status(given), valueOf(ABOUT), valueOf('body.consultation_fee_rupees')]).toEqual([400, 'Mine.', '₹ 800']);
    expect(result()).toContain('enter digits only');
  });
});

describe('two people', () => {
  const theirs = recordOf('doctor', {
    version: 2,
    etag: 'e2',
    body: { ...(DOCTOR.body as Body), timings: '8:00 AM - 9:00 AM' },
  });

  it('see how their texts differ, and nothing typed is lost', async () => {
    const given = after(pressed(DOCTOR, 'save', { [ABOUT]: 'Mine.' }), 412, problem(412, 'ETAG_MISMATCH'), theirs);
    const main = serve(given);
    expect(status(given)).toBe(412);
    expect(result()).toContain('Another person has changed this doctor');
    expect(result()).toContain('8:00 AM - 9:00 AM 9:00 AM - 1:00 PM');
    expect(result()).toContain('Mine.');
    expect([valueOf(ABOUT), valueOf('etag')]).toEqual(['Mine.', 'e2']);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('pressing twice is no conflict', () => {
    const saved = recordOf('doctor', { version: 2, etag: 'e2', body: { ...(DOCTOR.body as Body), about: 'Mine.' } });
    const given = after(pressed(DOCTOR, 'save', { [ABOUT]: 'Mine.' }), 409, problem(409, 'ETAG_MISMATCH'), saved);
    serve(given);
    expect(result()).toContain('Saved as version 2');
  });

  it('nobody publishes what another person saved meanwhile', () => {
    const given = after(pressed(DOCTOR, 'publish'), 412, problem(412, 'ETAG_MISMATCH'), theirs);
    serve(given);
    expect(result()).toContain('Nothing was published');
    expect(result()).toContain('8:00 AM - 9:00 AM');
  });

  it('can mark what they edit, and keep what they typed', () => {
    const form = pressed(DOCTOR, 'edit', { [ABOUT]: 'Mine.' });
    expect(called(form)).toMatchObject({ method: 'POST', path: '/records/doctor/doc-01:edit', body: {} });
    serve(after(form, 200, { editorName: '' }, theirs));
    expect(result()).toContain('For 2 minutes');
    // The version that was opened: the next save must notice theirs.
    expect([valueOf(ABOUT), valueOf('etag')]).toEqual(['Mine.', 'e1']);
    document.body.replaceChildren();
    serve(after(form, 200, { editorName: 'Ravi Pai' }));
    expect(result()).toContain('Ravi Pai is editing this doctor now');
  });
});

describe('publishing', () => {
  const draft = recordOf('doctor', { version: 2, etag: 'e2' });

  it('is one call, or first a save if the form was changed', () => {
    expect(called(pressed(draft, 'publish'))).toMatchObject({
      method: 'POST',
      path: '/records/doctor/doc-01:publish',
      body: {},
      headers: { 'If-Match': '"e2"' },
    });
    expect(called(pressed(draft, 'publish', { [ABOUT]: 'Mine.' }))).toMatchObject({ method: 'PUT' });
    const saved = recordOf('doctor', { version: 3, etag: 'e3', body: { ...(DOCTOR.body as Body), about: 'Mine.' } });
    serve(after(pressed(draft, 'publish', { [ABOUT]: 'Mine.' }), 200, saved, saved));
    expect(result()).toContain('Saved as version 3');
    expect(result()).toContain('Publish this doctor now');
  });

  it('at a time is in India’s time', () => {
    const times = { publishTime: '2026-12-05T09:00', unpublishTime: '2026-12-31T18:00' };
    expect(called(pressed(draft, 'schedule', times))?.body).toEqual({
      publishTime: '2026-12-05T03:30:00Z',
      unpublishTime: '2026-12-31T12:30:00Z',
    });
    expect(called(pressed(draft, 'schedule', { publishTime: '2026-12-05T09:00' }))?.body).toEqual({
      publishTime: '2026-12-05T03:30:00Z',
    });
    const later = recordOf('doctor', { ...draft, publishVersion: 2, publishTime: '2026-12-05T03:30:00Z', etag: 'e3' });
    serve(after(pressed(draft, 'schedule', times), 200, later, later));
    expect(result()).toContain('It will be published on Sat 5 December 2026, 9:00 AM IST.');
  });

  it('names a time that is none, or that the service refuses', async () => {
    for (const typed of [{}, { publishTime: 'soon' }] as Record<string, string>[]) {
      const form = pressed(draft, 'schedule', typed);
      expect(called(form)).toBeNull();
      serve(after(form, 204, null, draft));
      expect(result()).toContain('Publish on: enter a date and a time');
      expect(document.getElementById('publishTime')?.closest('details')?.open).toBe(true);
      document.body.replaceChildren();
    }
    const times = { publishTime: '2020-12-05T09:00' };
    const past = problem(400, 'INVALID', [{ field: 'publishTime', message: 'must not be in the past' }]);
    const main = serve(after(pressed(draft, 'schedule', times), 400, past, draft));
    expect(result()).toContain('must not be in the past');
    expect(valueOf('publishTime')).toBe('2020-12-05T09:00');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('that would break the website names the field, and keeps the live version', () => {
    const fields = [{ field: 'education[1]', message: 'must have at most 160 characters' }];
    const given = after(pressed(draft, 'publish'), 400, problem(400, 'INVALID', fields), draft);
    serve(given);
    expect(status(given)).toBe(400);
    expect(screen.getByRole('alert').querySelector('a')?.getAttribute('href')).toBe('#body.education');
  });

  it('is undone for 10 minutes', () => {
    const recent = (createTime: string, versionBefore = 1) =>
      ok({
        publications: [
          {
            kind: 'doctor',
            recordId: 'doc-01',
            title: '',
            path: '',
            versionBefore,
            versionAfter: 2,
            authorName: '',
            createTime,
          },
        ],
      });
    const live = recordOf('doctor', { version: 2, liveVersion: 2, etag: 'e2' });
    const shown = (one: ReturnType<typeof recent>) => {
      document.body.replaceChildren();
      serve(props(live, { data: { record: ok(live), recent: one } }));
      return buttons().includes('Undo: back to version 1');
    };
    expect(shown(recent('2026-11-21T09:21:00Z'))).toBe(true);
    expect(valueOf('undoVersion')).toBe('1');
    expect(shown(recent('2026-11-21T09:19:00Z'))).toBe(false);
    expect(shown(recent('2026-11-21T09:29:00Z', 0))).toBe(false);
    expect(called(pressed(live, 'undo', { undoVersion: '1' }))).toMatchObject({
      path: '/records/doctor/doc-01:revert',
      body: { version: 1, publish: true },
    });
    for (const undoVersion of ['', '0', '-1', '1.5', 'x'])
      expect(called(pressed(live, 'undo', { undoVersion }))).toBeNull();
  });
});

describe('archiving', () => {
  it('asks once, names what and where its page leads to', async () => {
    const main = serve();
    const question = screen.getByText('Archive…').closest('details');
    expect(question?.open).toBe(false);
    expect(question?.textContent).toContain('“Dr. Vasundhara Hegde” leaves the website at once');
    expect(question?.textContent).toContain('Visitors of /doctor/dr-vasundhara-hegde are led to another page.');
    expect(question?.textContent).toContain('Empty: /doctors.');
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    serve(props(recordOf('site')));
    expect(screen.queryByText('Archive…')).toBeNull();
  });

  it('is one call, and keeps what was typed', () => {
    expect(called(pressed(DOCTOR, 'archive'))).toMatchObject({ path: '/records/doctor/doc-01:archive', body: {} });
    expect(called(pressed(DOCTOR, 'archive', { redirect: '/specialty/radiology' }))?.body).toEqual({
      redirect: '/specialty/radiology',
    });
    for (const redirect of ['//evil.example', 'https://evil.example', 'doctors', `/${'x'.repeat(200)}`]) {
      expect(called(pressed(DOCTOR, 'archive', { redirect }))).toBeNull();
    }
    const gone = recordOf('doctor', { state: 'archived', liveVersion: 0, etag: 'e2', redirect: '/doctors' });
    serve(after(pressed(DOCTOR, 'archive', { [ABOUT]: 'Mine.' }), 200, gone, gone));
    expect(result()).toContain('Its page leads to /doctors.');
    expect([valueOf(ABOUT), valueOf('etag')]).toEqual(['Mine.', 'e2']);
  });
});
