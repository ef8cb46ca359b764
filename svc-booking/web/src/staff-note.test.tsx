// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { ASHA, DESK, LATE, NOW, acted, down, problem } from './desk/fixtures.ts';
import type { NoteProps } from './desk/note.ts';
import StaffNote, { action, head, status } from './staff-note.tsx';

afterEach(() => document.body.replaceChildren());

const found = (change: object = {}) => ({ ok: true as const, status: 200, body: { ...ASHA, ...change } });

function noteProps(change: Partial<NoteProps> = {}): NoteProps {
  return {
    params: { appointment: '1' },
    query: {},
    data: { appointment: found() },
    action: null,
    now: NOW,
    path: '/staff/note/1',
    part: 'booking:/staff/note/{appointment}',
    staff: DESK,
    ...change,
  };
}

const form = (note: string, more = {}) => posted({ id: '1', etag: '1', note, ...more });
const sent = (note: string, code: number, body: unknown, data: NoteProps['data']) =>
  noteProps({ action: acted(form(note), code, body), data });

function serve(given = noteProps()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffNote {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const result = () => document.getElementById('result') as HTMLElement;
const typed = () => screen.getByRole<HTMLTextAreaElement>('textbox').value;
const hidden = (name: string) => document.querySelector<HTMLInputElement>(`input[name=${name}]`)?.value;

describe('the note', () => {
  it('is shown in a form with its limit, beside the appointment', async () => {
    const main = serve(noteProps({ data: { appointment: found({ deskNote: 'Wheelchair\n<b>' }) } }));
    expect([status(noteProps()), head(noteProps()).title]).toEqual([200, 'Note for the desk']);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Asha Rao');
    expect(typed()).toBe('Wheelchair\n<b>');
    expect(main.textContent).toContain('At most 300 characters');
    expect([hidden('id'), hidden('etag')]).toEqual(['1', '1']);
    expect(main.querySelector('form')?.getAttribute('action')).toBe('/staff/note/1#result');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('of an older service is empty', () => {
    const { deskNote: _, ...old } = ASHA;
    serve(noteProps({ data: { appointment: { ok: true, status: 200, body: old as typeof ASHA } } }));
    expect(typed()).toBe('');
  });

  it('is saved by one call, with the version that the person saw', () => {
    expect(inEngine(() => action(form(' Wheelchair '), NOW))).toMatchObject({
      method: 'POST',
      path: '/appointments/1:setNote',
      headers: { 'If-Match': '"1"' },
      body: { note: 'Wheelchair' },
    });
  });

  it.each([
    ['a long note', form('x'.repeat(301))],
    ['another path', form('x', { id: '../departments' })],
    ['a header in the version', form('x', { etag: '1"\r\nX-Other: 1' })],
    ['no form', {}],
  ])('calls nothing for %s', (_, fields) => {
    expect(inEngine(() => action(fields, NOW))).toBeNull();
  });

  it('says that it is saved, or removed, and has the new version', async () => {
    const after = { deskNote: 'Wheelchair', etag: '2' };
    const given = sent('Wheelchair', 200, { ...ASHA, ...after }, { appointment: found(after) });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Saved: Note for the desk']);
    expect(within(main).getByRole('status').textContent).toContain('The note is saved');
    expect([typed(), hidden('etag')]).toEqual(['Wheelchair', '2']);
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    serve(sent('', 200, { ...ASHA, etag: '2' }, { appointment: found({ etag: '2' }) }));
    expect(result().textContent).toContain('The note is removed');
  });

  it('of a second press is saved too', () => {
    const given = sent('Wheelchair', 412, problem(412, 'ETAG_MISMATCH'), {
      appointment: found({ deskNote: 'Wheelchair', etag: '2' }),
    });
    serve(given);
    expect([status(given), result().textContent]).toEqual([200, 'The note is saved']);
  });

  it('of another person is kept, and so is what was typed', async () => {
    const given = sent('Mine', 412, problem(412, 'ETAG_MISMATCH'), {
      appointment: found({ deskNote: 'Theirs', etag: '2' }),
    });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([412, 'Error: Note for the desk']);
    expect(screen.getByRole('alert').textContent).toContain('The note is now: “Theirs”.');
    expect([typed(), hidden('etag')]).toEqual(['Mine', '2']);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('that is too long names the limit, and keeps what was typed', async () => {
    const given = sent('x'.repeat(301), 204, null, { appointment: found() });
    const main = serve(given);
    expect(status(given)).toBe(400);
    const link = within(result()).getByRole('link', { name: /300 characters/ });
    expect(link.getAttribute('href')).toBe('#note');
    expect(typed()).toHaveLength(301);
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    ['no reply', 504, null, { appointment: down }, 'so we don’t know if it was saved'],
    ['no reply, unchanged', 504, null, { appointment: found() }, 'We couldn’t save it'],
    ['another role', 403, null, { appointment: found() }, 'Your role doesn’t include changes'],
    ['erased', 400, { ...problem(400, 'ERASED'), detail: 'This person’s data was erased' }, { appointment: found() }, 'was erased'],
  ] as const)('was not saved: %s', (_, code, body, data, text) => {
    const given = sent('Mine', code, body, data);
    serve(given);
    expect(status(given)).toBeGreaterThanOrEqual(400);
    expect(result().textContent).toContain(text);
    expect(typed()).toBe('Mine');
  }); // prettier-ignore
});

it.each([
  ['unknown', { ok: false, status: 404, body: null }, 404, 'There is no such appointment'],
  ['down', down, 503, 'can’t be shown right now'],
] as const)('says why the appointment is not there: %s', async (_, appointment, code, text) => {
  const given = noteProps({ data: { appointment } });
  const main = serve(given);
  expect(status(given)).toBe(code);
  expect(main.textContent).toContain(text);
  expect(main.querySelector('textarea')).toBeNull();
  expect(await brokenRules(main)).toEqual([]);
});

it('cannot be written about an erased patient', () => {
  const main = serve(noteProps({ data: { appointment: { ok: true, status: 200, body: LATE } } }));
  expect(main.querySelector('textarea')).toBeNull();
  expect(main.textContent).toContain('The patient’s data was erased');
});

it('names no patient in titles and addresses', () => {
  const main = serve(noteProps({ data: { appointment: found({ deskNote: 'Wheelchair' }) } }));
  expect(JSON.stringify(head(noteProps()))).not.toMatch(/Asha|SH-|Wheelchair/);
  const addresses = [...main.querySelectorAll('[href], [action]')].map((one) =>
    [one.getAttribute('href'), one.getAttribute('action')].join(),
  );
  expect(addresses.join()).not.toMatch(/Asha|SH-|Wheelchair/);
});
