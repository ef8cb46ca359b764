// @vitest-environment happy-dom
/** What a form shows and stores: without script, with errors, as a draft, and after late hydration. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ApiProblem, RATE_LIMIT_TEXT } from '@hospital/api/problem';
import { brokenRules } from '@hospital/ui/accessibility';
import { defineForm } from '../src/declaration.ts';
import { nativeAction } from '../src/native.ts';
import { nativeTitle } from '../src/title.ts';
import { outcomeOfAction, outcomeOfProblem, statusOf } from '../src/outcome.ts';
import { posted, reply } from '../src/testing.ts';
import {
  FIELDS,
  aServerForEachCase,
  answered,
  fill,
  hydrate,
  keys,
  leave,
  letter,
  now,
  page,
  posts,
  press,
  serve,
  site,
  store,
  type,
} from './letter.tsx';

aServerForEachCase();

describe('without script', () => {
  it('is a native form with its part and an empty key', () => {
    const form = serve(null).querySelector('form') as HTMLFormElement;
    expect([form.method, form.getAttribute('action')]).toEqual(['post', '/letter']);
    expect([...new FormData(form)]).toEqual([
      ['name', ''],
      ['message', ''],
      ['secret', ''],
      ['requestId', ''],
      ['part', 'test:/letter'],
    ]);
  });

  it('posts the same request as with script, with a receipt', () => {
    expect(nativeAction(letter)(posted({ name: 'Asha', ways: ['phone', 'email'], part: 'x' }), now)).toEqual({
      method: 'POST',
      path: '/letters',
      body: { patientName: 'Asha', message: '', ways: ['phone', 'email'] },
      receipt: { title: 'Your letter has come', facts: { Number: 'number' } },
    });
    expect(nativeAction(letter)(posted({ name: 'Asha', intent: 'back' }), now)).toBeNull();
    expect(nativeAction(letter)(posted({ name: '' }), now)).toBeNull();
    expect(nativeAction(letter)(posted({ name: 'Asha', intent: 'constructor' }), now)?.method).toBe('POST');
  });

  it('keeps a secret in its header and the version in If-Match, with another method', () => {
    const change = defineForm({
      ...letter,
      request: ({ name, secret }) => ({
        method: 'PUT',
        template: '/letters/{id}',
        params: { id: 'a/b' },
        headers: { 'If-Match': '"3"', 'X-Letter-Secret': secret },
        body: { patientName: name },
      }),
    });
    expect(nativeAction(change)(posted({ name: 'Asha', secret: 's' }), now)).toEqual({
      method: 'PUT',
      path: '/letters/a%2Fb',
      headers: { 'If-Match': '"3"', 'X-Letter-Secret': 's' },
      body: { patientName: 'Asha' },
    });
  });

  it.each([
    ['made', answered(201, { number: 'L-1' }), 'success', 200],
    ['made, with an answer that says nothing', answered(201, null), 'received', 200],
    ['refused', answered(400, { fields: [{ field: 'patientName', message: 'no' }, null] }), 'refused', 400],
    ['refused without a field of ours', answered(400, { fields: [{ field: 'x', message: 'no' }] }), 'failed', 400],
    ['down', answered(503, null), 'failed', 503],
    ['answered by somebody else', answered(502, '<h1>no</h1>'), 'failed', 502],
  ])('shows the outcome %s', async (_, action, kind, status) => {
    const outcome = outcomeOfAction(letter, action, { now });
    expect([outcome.kind, statusOf(outcome, action)]).toEqual([kind, status]);
    const main = await page(action);
    if (kind !== 'success') expect(screen.getByRole('alert').textContent).not.toBe('');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('has the metadata of the reason, as with script', () => {
    const metadata = { alternatives: '2026-11-24 9:30 AM' };
    const taken = { title: 'Conflict', status: 409, reason: 'SLOT_TAKEN', metadata };
    const sent = { method: 'POST', template: '/letters', body: { patientName: 'Asha' } } as const;
    const expected = { kind: 'failed', reason: 'SLOT_TAKEN', detail: '', metadata };
    expect(outcomeOfAction(letter, answered(409, taken), { now })).toMatchObject({ ...expected, sent });
    const problemOf = (change = {}) => outcomeOfProblem(letter, sent, 409, new ApiProblem('', { ...taken, ...change }));
    expect(problemOf()).toEqual({ ...expected, sent });
    expect(problemOf({ metadata: {} })).not.toHaveProperty('metadata');
  });

  it('names the limit that was reached', () => {
    const sent = { method: 'POST', template: '/letters' } as const;
    const detailOf = (problem: object) => outcomeOfProblem(letter, sent, 429, problem);
    const limit = { detail: 'You keep three times already.' };
    expect(detailOf({ ...limit, reason: 'HOLDS_MAX' })).toMatchObject(limit);
    expect(detailOf({ ...limit, reason: 'RATE_LIMITED' })).toMatchObject({ detail: RATE_LIMIT_TEXT });
    expect(detailOf({})).toMatchObject({ detail: RATE_LIMIT_TEXT });
  });

  it('shows several values of a name as they were posted', () => {
    const main = serve({ form: posted({ ways: ['email'] }), result: { status: 503, body: null } });
    expect([...main.querySelectorAll('input:checked')].map((box) => (box as HTMLInputElement).value)).toEqual([
      'email',
    ]);
  });
});

describe('validation', () => {
  it('reports violations before sending, at their fields and in a focused summary', async () => {
    const main = await page();
    await press();
    const summary = screen.getByRole('alert');
    expect(document.activeElement).toBe(summary);
    expect(within(summary).getByRole('link', { name: 'Enter a name' }).getAttribute('href')).toBe('#name');
    expect(document.getElementById('name')?.getAttribute('aria-invalid')).toBe('true');
    expect(posts()).toEqual([]);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('shows a refusal of the API at the field of the refused member', async () => {
    site.replies = [
      reply.json(400, { status: 400, title: 'x', fields: [{ field: 'patientName', message: 'Use letters' }] }),
    ];
    await page();
    fill();
    await press();
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to send letter');
    expect(document.getElementById('name-error')?.textContent).toContain('Use letters');
  });
});

describe('U9: an error', () => {
  const links = () => screen.queryAllByRole('link').map(({ textContent }) => textContent);

  it('disappears when its field is corrected, also from the summary, and the focus stays', async () => {
    await page();
    await press();
    const field = document.getElementById('name') as HTMLInputElement;
    field.focus();
    type('message', 'Hello');
    expect(links()).toEqual(['Enter a name']);
    fill();
    expect(links()).toEqual([]);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.getElementById('name-error')).toBeNull();
    expect(field.getAttribute('aria-invalid')).not.toBe('true');
    expect(document.activeElement).toBe(field);
  });

  it('of the API disappears when its field changes, and the others stay', async () => {
    const fields = [
      { field: 'patientName', message: 'Use letters' },
      { field: 'message', message: 'Say more' },
    ];
    site.replies = [reply.json(400, { status: 400, title: 'x', fields })];
    await page();
    fill();
    await press();
    await screen.findByRole('alert');
    type('name', 'Ravi');
    expect(links()).toEqual(['Say more']);
    expect(document.getElementById('name-error')).toBeNull();
    type('name', '');
    type('message', 'More');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('of a native post disappears as well', async () => {
    const refused = { fields: [{ field: 'patientName', message: 'Use letters' }] };
    await page(answered(400, refused));
    fireEvent.input(document.getElementById('message') as HTMLElement);
    expect(links()).toEqual(['Use letters']);
    type('name', 'Ravi');
    expect(links()).toEqual([]);
  });

  it('does not take the focus from a field after Enter', async () => {
    await page();
    const field = document.getElementById('name') as HTMLInputElement;
    field.focus();
    await press();
    expect(document.activeElement).toBe(screen.getByRole('alert'));
    field.focus();
    fill();
    type('name', '');
    expect(document.activeElement).toBe(field);
  });
});

describe('W1: an alert', () => {
  it.each([
    ['429', answered(429, { reason: 'RATE_LIMITED' }), RATE_LIMIT_TEXT],
    ['409', answered(409, { reason: 'FULL' }), 'The box is full. Come back tomorrow.'],
    ['a rule of the service', answered(400, { reason: 'MAX', detail: 'Two are the most.' }), 'Two are the most.'],
    ['503', answered(503, null), 'This isn’t working right now.'],
  ])('has the text for %s, with or without content of the page', async (_, action, words) => {
    serve(action);
    const said = screen.getByRole('alert').textContent;
    expect(said).toContain('Failed to send letter. Please try again.');
    expect(said).toContain(words);
  });
});

describe('W11: the title', () => {
  const TITLE = 'Letter | Hospital';
  const done = { ...letter, done: 'Your letter was sent' } as typeof letter;

  it('begins with Error: after a failed native post, and names the result after a success', () => {
    const titleOf = (action: Parameters<typeof answered>) =>
      nativeTitle(done, TITLE, { action: answered(...action), now });
    expect(nativeTitle(done, TITLE, { action: null, now })).toBe(TITLE);
    expect(titleOf([503, null])).toBe(`Error: ${TITLE}`);
    expect(titleOf([400, { fields: [{ field: 'patientName', message: 'no' }] }])).toBe(`Error: ${TITLE}`);
    expect(titleOf([204, null, { name: '' }])).toBe(`Error: ${TITLE}`);
    expect(titleOf([201, { number: 'L-1' }])).toBe('Your letter was sent | Hospital');
  });

  it('follows the scripted submission', async () => {
    document.title = TITLE;
    site.replies = [reply.json(503, {}), reply.json(503, {}), store];
    await page(null, done);
    expect(document.title).toBe(TITLE);
    await press();
    expect(document.title).toBe(`Error: ${TITLE}`);
    fill();
    expect(document.title).toBe(TITLE);
    await press();
    await screen.findByRole('alert');
    await waitFor(() => expect(document.title).toBe(`Error: ${TITLE}`));
    await press();
    await screen.findByText('Number L-1');
    await waitFor(() => expect(document.title).toBe('Your letter was sent | Hospital'));
  });
});

describe('the draft', () => {
  const values = () => [...new FormData(document.querySelector('form') as HTMLFormElement)];

  it('survives a reload, without fields that must not be kept', async () => {
    await page();
    fill();
    type('message', 'Hello');
    type('secret', 'canary');
    await act(async () => fireEvent.click(screen.getByLabelText('email')));
    fireEvent.input(screen.getByLabelText('email'));
    await leave();
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('canary');
    await page();
    expect(values().slice(0, 4)).toEqual([
      ['name', 'Asha'],
      ['message', 'Hello'],
      ['ways', 'email'],
      ['secret', ''],
    ]);
  });

  it('keeps only the key of a submission with a field that must not be kept', async () => {
    site.replies = [reply.closed];
    await page();
    fill();
    type('secret', 'canary');
    await press();
    await screen.findByRole('alert');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('canary');
    expect(JSON.parse(sessionStorage.getItem('test.letter.draft') ?? '{}').attempt).toMatchObject({
      requestId: keys()[0],
      sent: '',
    });
  });

  it('does not replace what was typed before the script loaded', async () => {
    await page();
    fill();
    type('message', 'Old');
    await leave();
    const main = serve(null);
    (document.getElementById('message') as HTMLTextAreaElement).value = 'New';
    await hydrate(main, null);
    expect(values().slice(0, 2)).toEqual([
      ['name', 'Asha'],
      ['message', 'New'],
    ]);
  });

  it('is dropped if the form has other fields', async () => {
    await page();
    fill();
    await leave();
    const changed = { ...letter, fields: { ...FIELDS, more: { label: 'More' } } } as unknown as typeof letter;
    await page(null, changed);
    expect(values()[0]).toEqual(['name', '']);
    expect(sessionStorage.length).toBe(0);
  });

  it.each([
    '',
    '{',
    '{}',
    'null',
    '[]',
    '{"version":"name,message,ways,secret"}',
    '{"version":"name,message,ways,secret","attempt":{"sent":"{","state":"sending","at":9e15}}',
  ])('is ignored if damaged (%s)', async (text) => {
    sessionStorage.setItem('test.letter.draft', text);
    await page();
    fill();
    await press();
    expect(await screen.findByText('Number L-1')).toBeTruthy();
  });

  it('is not kept beyond 32,768 characters, and the form works without storage', async () => {
    await page();
    fill();
    type('message', 'x'.repeat(33_000));
    expect(sessionStorage.length).toBe(0);
    vi.stubGlobal('sessionStorage', { setItem: () => { throw new DOMException('full', 'QuotaExceededError'); }, removeItem: () => undefined }); // prettier-ignore
    type('message', 'short');
    await press();
    expect(await screen.findByText('Number L-1')).toBeTruthy();
  });
});

describe('late hydration', () => {
  it('keeps typed text, caret and focus', async () => {
    const action = answered(503, null);
    const main = serve(action);
    const field = document.getElementById('message') as HTMLTextAreaElement;
    field.focus();
    field.value = 'Half a sen';
    field.setSelectionRange(4, 4);
    await hydrate(main, action);
    expect(screen.getByRole('alert')).toBeTruthy();
    expect(document.activeElement).toBe(field);
    expect([field.value, field.selectionStart, field.selectionEnd]).toEqual(['Half a sen', 4, 4]);
    expect((document.getElementById('name') as HTMLInputElement).value).toBe('Asha');
  });

  it('focuses the alert if the visitor is idle', async () => {
    await page(answered(503, null));
    expect(document.activeElement).toBe(screen.getByRole('alert'));
  });

  it('does not change the page by itself', async () => {
    const main = serve(null);
    const before = main.innerHTML;
    await hydrate(main, null);
    expect(main.innerHTML).toBe(before);
  });
});
