// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import type { PageProps } from '@hospital/page';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { NOW } from '../test/answers.ts';
import { EDITOR, READER, acted, problem, recordOf } from './desk/fixtures.ts';
import { GROUPS } from './desk/kinds.ts';
import StaffRecordNew, { action, head, location, status } from './staff-record-new.tsx';

afterEach(() => document.body.replaceChildren());

function props(kind: string, change: Partial<PageProps> = {}): PageProps {
  return {
    params: { kind },
    query: {},
    data: {},
    action: null,
    now: NOW,
    path: `/staff/content/${kind}/new`,
    part: 'content:/staff/content/{kind}/new',
    staff: EDITOR,
    ...change,
  };
}

function serve(given: PageProps): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffRecordNew {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const called = (kind: string, form: Parameters<typeof action>[0]) =>
  inEngine(() => action(form, NOW, { params: { kind }, query: {} }));
const typed = (fields: Record<string, string>) => posted({ intent: 'create', ...fields });
const NAMED = typed({ 'body.id': 'doc-17', 'body.name': 'Dr. Asha & Rao', 'body.consultation_fee_rupees': '800' });

describe('a new record', () => {
  const kinds = GROUPS.flatMap(({ kinds }) => kinds.filter(({ one }) => one).map(({ form }) => form.kind));
  it.each(kinds)('has a form: %s', async (kind) => {
    const main = serve(props(kind));
    expect(main.querySelector('h1')?.textContent).toMatch(/^Add an? /);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('is one call, whose empty address is made from the name', () => {
    const request = called('doctor', NAMED);
    expect(request).toMatchObject({ method: 'POST', path: '/records/doctor' });
    const body = request?.body?.body as Record<string, unknown>;
    expect([body.id, body.slug, body.consultation_fee_rupees, body.timings]).toEqual([
      'doc-17',
      'dr-asha-and-rao',
      800,
      '',
    ]);
    const page = called('page', typed({ 'body.title': 'Fees (2027)' }))?.body?.body as Record<string, unknown>;
    expect([page.slug, page.section]).toEqual(['fees-2027', []]);
  });

  it.each([
    ['body.id', ''],
    ['body.id', 'Doc 17'],
    ['body.id', 'new'],
    ['body.id', 'x'.repeat(101)],
    ['body.consultation_fee_rupees', '8oo'],
  ])('without a usable %s makes no call: %#', (name, value) => {
    const form = typed({ 'body.id': 'doc-17', 'body.about': 'Mine.', [name]: value });
    expect(called('doctor', form)).toBeNull();
    const given = props('doctor', { action: acted(form, 204) });
    serve(given);
    expect([status(given), head(given).title]).toEqual([400, 'Error: Add a doctor']);
    expect(screen.getByRole('alert').querySelector('a')?.getAttribute('href')).toBe(`#${name}`);
    expect(document.querySelector<HTMLTextAreaElement>('[name="body.about"]')?.value).toBe('Mine.');
  });

  it('leads to its page once saved', () => {
    const record = recordOf('doctor', { recordId: 'doc-17', state: 'draft', liveVersion: 0 });
    const saved = props('doctor', { action: acted(NAMED, 201, record) });
    expect([status(saved), location(saved)]).toEqual([303, '/staff/content/doctor/doc-17']);
    const unread = props('doctor', { action: acted(NAMED, 201, null) });
    expect(location(unread)).toBe('/staff/content?kind=doctor&state=draft');
  });

  it.each([
    [409, 'RECORD_EXISTS', 'There is a record with this id'],
    [503, '', 'it is saved only once'],
    [0, '', 'it is saved only once'],
    [403, '', 'Your role doesn’t include'],
    [401, '', 'Your sign-in has ended'],
  ])('keeps what was typed after a failure: %i %s', async (code, reason, text) => {
    const given = props('doctor', { action: acted(NAMED, code, problem(code, reason)) });
    const main = serve(given);
    expect([status(given), location(given)]).toEqual([code || 400, null]);
    expect(document.getElementById('result')?.textContent).toContain(text);
    expect(document.querySelector<HTMLInputElement>('[name="body.name"]')?.value).toBe('Dr. Asha & Rao');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('is not offered to readers, nor of kinds with one record', () => {
    expect(serve(props('doctor', { staff: READER })).querySelector('form')).toBeNull();
    for (const kind of ['site', 'search', 'nothing']) {
      expect(status(props(kind))).toBe(404);
      expect(called(kind, NAMED)).toBeNull();
    }
  });
});
