// @vitest-environment happy-dom
/** A form of the kit in a page, against a real server that does what networks do. */
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ActionOutcome } from '@hospital/page';
import { brokenRules } from '@hospital/ui/accessibility';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import { type FieldDeclarations, defineForm } from './declaration.ts';
import { Form, FormAlert, SubmitButton } from './form.tsx';
import { nativeAction } from './native.ts';
import { outcomeOfAction, statusOf } from './outcome.ts';
import { type Api, type Reply, type Seen, posted, reply, serveApi } from './testing.ts';
import { useForm } from './use-form.ts';

const FIELDS = {
  name: { label: 'Name', required: true, payload: ['patientName'] },
  message: { label: 'Message', maxLength: 20_000 },
  ways: { label: 'Ways to reach you', several: true },
  secret: { label: 'Secret', keep: false },
} as const satisfies FieldDeclarations;

const letter = defineForm({
  id: 'test.letter',
  page: '/letter',
  fields: FIELDS,
  rules: ({ name }) => ({ name: !name && 'Enter a name' }),
  request: ({ name, message, ways }) => ({
    method: 'POST',
    template: '/letters',
    body: { patientName: name, message, ways },
    receipt: { title: 'Your letter has come', facts: { Number: 'number' } },
  }),
  intents: { back: { request: () => null } },
  outcome: (answer: { number?: string }) => (answer.number ? { number: answer.number } : null),
  failure: 'Failed to send letter. Please try again.',
  reasons: { FULL: 'The box is full. Come back tomorrow.' },
});
/** Without a field that no draft may hold, so that what was sent can be asked for again after a reload. */
const open = { ...letter, id: 'test.open', fields: { ...FIELDS, secret: { label: 'Secret' } } } as typeof letter;

const now = '2026-11-21T09:30:00Z';

function Page({ action, declaration }: { action: ActionOutcome | null; declaration: typeof letter }) {
  const form = useForm(declaration, { action, now, part: 'test:/letter' });
  if (form.outcome.kind === 'success') {
    return (
      <p>
        Number {form.outcome.answer.number}
        {form.outcome.earlier && ' of an earlier try'}
      </p>
    );
  }
  return (
    <Form form={form} context={{ now }}>
      <FormAlert form={form} />
      <TextInput {...form.field('name')} />
      <TextArea {...form.field('message')} />
      <fieldset>
        <legend>Ways to reach you</legend>
        {['phone', 'email'].map((way) => (
          <label key={way}>
            <input type="checkbox" name="ways" value={way} defaultChecked={form.initial.ways.includes(way)} /> {way}
          </label>
        ))}
      </fieldset>
      <TextInput {...form.field('secret')} />
      <SubmitButton form={form} context={{ now }} busy="Sending...">
        Send
      </SubmitButton>
    </Form>
  );
}

// A call pauses for a second before it asks again.
configure({ asyncUtilTimeout: 8000 });

let api: Api;
let root: Root | null = null;
/** What the server does with the next requests, the last one for ever. */
let replies: Reply[] = [];
/** What the server has made, by key, as the API does it: the same body again gets the same answer, another one 422. */
let made = new Map<string, { body: string; number: string }>();

/** The API: one letter for one key. */
const store: Reply = (response, request) => keep(request)(response, request);
/** The letter is stored, and the answer is lost. */
const lost: Reply = (response, request) => {
  keep(request);
  reply.closed(response, request);
};

function keep({ key, body }: Seen): Reply {
  const text = JSON.stringify(body);
  const known = made.get(key);
  if (known && known.body !== text) return reply.json(422, { status: 422, title: 'x', reason: 'REQUEST_ID_REUSED' });
  const { number } = known ?? { number: `L-${made.size + 1}` };
  made.set(key, { body: text, number });
  return reply.json(201, { number });
}

const tests = { fill: () => type('name', 'Asha') };

function type(name: string, value: string) {
  const field = document.querySelector(`[name=${name}]`) as HTMLInputElement;
  fireEvent.input(field, { target: { value } });
}

function serve(action: ActionOutcome | null, declaration = letter): HTMLElement {
  document.body.innerHTML = `<main>${renderToString(<Page action={action} declaration={declaration} />)}</main>`;
  return document.querySelector('main') as HTMLElement;
}

async function hydrate(main: HTMLElement, action: ActionOutcome | null, declaration = letter) {
  await act(async () => {
    root = hydrateRoot(main, <Page action={action} declaration={declaration} />, {
      onRecoverableError: (error) => expect.fail(String(error)),
    });
  });
}

async function page(action: ActionOutcome | null = null, declaration = letter): Promise<HTMLElement> {
  const main = serve(action, declaration);
  await hydrate(main, action, declaration);
  return main;
}

/** The page goes away as a browser drops it: nothing is awaited any more. What is in the tab's storage stays. */
async function leave() {
  await act(async () => root?.unmount());
  root = null;
}

const button = () => screen.getByRole('button') as HTMLButtonElement;
const press = () => act(async () => fireEvent.click(button()));
const posts = () => api.seen.filter(({ method }) => method === 'POST');
const keys = () => posts().map(({ key }) => key);
const answered = (status: number, body: unknown, form = { name: 'Asha' }): ActionOutcome => ({
  form: posted(form),
  result: { status, body },
});

beforeEach(async () => {
  replies = [store];
  made = new Map();
  api = await serveApi(() => (replies.length > 1 ? replies.shift() : replies[0]) as Reply);
  (globalThis as Record<symbol, unknown>)[Symbol.for('hospital.api')] = undefined;
  vi.stubGlobal('fetch', api.fetch);
  vi.stubGlobal('reportError', (error: unknown) => expect.fail(String(error)));
});

afterEach(async () => {
  await leave();
  cleanup();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  sessionStorage.clear();
  await api.close();
});

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

  it('posts what the script posts, with a receipt', () => {
    expect(nativeAction(letter)(posted({ name: 'Asha', ways: ['phone', 'email'], part: 'x' }), now)).toEqual({
      method: 'POST',
      path: '/letters',
      body: { patientName: 'Asha', message: '', ways: ['phone', 'email'] },
      receipt: { title: 'Your letter has come', facts: { Number: 'number' } },
    });
    expect(nativeAction(letter)(posted({ name: 'Asha', intent: 'back' }), now).method).toBe('GET');
    expect(nativeAction(letter)(posted({ name: 'Asha', intent: 'constructor' }), now).method).toBe('POST');
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
  ])('shows what was %s', async (_, action, kind, status) => {
    const outcome = outcomeOfAction(letter, action, { now });
    expect([outcome.kind, statusOf(outcome, action)]).toEqual([kind, status]);
    const main = await page(action);
    if (kind !== 'success') expect(screen.getByRole('alert').textContent).not.toBe('');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('shows several values of a name as they were posted', () => {
    const main = serve({ form: posted({ ways: ['email'] }), result: { status: 503, body: null } });
    expect([...main.querySelectorAll('input:checked')].map((box) => (box as HTMLInputElement).value)).toEqual([
      'email',
    ]);
  });
});

describe('whatever the network does', () => {
  it.each([
    ['breaks off in the body', reply.half(201, { number: 'L-1' })],
    ['is no JSON', reply.html],
    ['does not come', reply.closed],
  ])('an answer that %s is asked for again under the same key', async (_, broken) => {
    replies = [broken, store];
    await page();
    tests.fill();
    await press();
    expect(await screen.findByText(/^Number/)).toBeTruthy();
    expect(keys()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
    expect(sessionStorage.length).toBe(0);
  });

  it.each([
    ['breaks off in the body', reply.half(201, { number: 'L-1' })],
    ['is no JSON', reply.html],
    ['does not come', reply.closed],
  ])('an answer that always %s ends in words, and the next press goes under the same key', async (_, broken) => {
    replies = [broken];
    const main = await page();
    tests.fill();
    await press();
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to send letter. Please try again.');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alert')));
    expect(button()).toHaveProperty('disabled', false);
    expect(main.querySelector('form')?.hasAttribute('aria-busy')).toBe(false);
    replies = [store];
    await press();
    expect(await screen.findByText(/^Number/)).toBeTruthy();
    expect(new Set(keys()).size).toBe(1);
  });

  it('an answer with nothing to show says that it was received, and repeating it makes no second thing', async () => {
    replies = [reply.json(202, {})];
    await page();
    tests.fill();
    await press();
    expect((await screen.findByRole('alert')).textContent).toContain('Your form was received');
    await press();
    await waitFor(() => expect(posts()).toHaveLength(2));
    expect(new Set(keys()).size).toBe(1);
  });

  it('a fault of the declaration ends in words too', async () => {
    const faults: unknown[] = [];
    vi.stubGlobal('reportError', (error: unknown) => faults.push(error));
    const faulty = { ...letter, outcome: () => { throw new Error('fault'); } } as typeof letter; // prettier-ignore
    await page(null, faulty);
    tests.fill();
    await press();
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(String(faults)).toContain('fault');
  });

  it('says a reason in the words of the form', async () => {
    replies = [reply.json(409, { status: 409, title: 'x', reason: 'FULL' })];
    await page();
    tests.fill();
    await press();
    expect((await screen.findByRole('alert')).textContent).toContain('The box is full. Come back tomorrow.');
  });
});

describe('what is wrong', () => {
  it('is said before anything is sent, at its field and in a summary that has the focus', async () => {
    const main = await page();
    await press();
    const summary = screen.getByRole('alert');
    expect(document.activeElement).toBe(summary);
    expect(within(summary).getByRole('link', { name: 'Enter a name' }).getAttribute('href')).toBe('#name');
    expect(document.getElementById('name')?.getAttribute('aria-invalid')).toBe('true');
    expect(posts()).toEqual([]);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('is said at the field whose payload the API refuses', async () => {
    replies = [
      reply.json(400, { status: 400, title: 'x', fields: [{ field: 'patientName', message: 'Use letters' }] }),
    ];
    await page();
    tests.fill();
    await press();
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to send letter');
    expect(document.getElementById('name-error')?.textContent).toContain('Use letters');
  });
});

describe('one intention', () => {
  it('is sent once, however often the button is pressed', async () => {
    replies = [reply.stalled];
    await page();
    tests.fill();
    const form = document.querySelector('form') as HTMLFormElement;
    await act(async () => {
      // Twice before React has drawn anything: a double click, and Enter pressed twice.
      fireEvent.click(button());
      fireEvent.click(button());
      fireEvent.submit(form);
      fireEvent.submit(form);
    });
    await waitFor(() => expect(posts()).toHaveLength(1));
    expect(button().textContent).toBe('Sending...');
    expect(button()).toHaveProperty('disabled', true);
    expect(form.getAttribute('aria-busy')).toBe('true');
    await press();
    expect(posts()).toHaveLength(1);
  });

  it('is one thing when the first answer was lost and the details were changed: the first is what was made', async () => {
    replies = [lost, lost, store];
    await page();
    tests.fill();
    await press();
    await screen.findByRole('alert');
    type('message', 'Please hurry');
    await press();
    expect(await screen.findByText('Number L-1 of an earlier try')).toBeTruthy();
    expect(made.size).toBe(1);
    expect(new Set(keys()).size).toBe(1);
  });

  it('is sent with the new details when the first try was never stored', async () => {
    replies = [reply.closed, reply.closed, store];
    await page();
    tests.fill();
    await press();
    await screen.findByRole('alert');
    type('message', 'Please hurry');
    await press();
    expect(await screen.findByText('Number L-1')).toBeTruthy();
    expect([...made.values()].map(({ body }) => body)).toEqual([expect.stringContaining('hurry')]);
  });

  it('stays with a person when nobody can say what the first try has made', async () => {
    replies = [lost, lost, store, reply.json(500, {}), reply.json(500, {})];
    await page();
    tests.fill();
    await press();
    await screen.findByRole('alert');
    type('message', 'Please hurry');
    await press();
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Please call us'));
    expect(made.size).toBe(1);
    expect(new Set(keys()).size).toBe(1);
  });

  it('of a duplicated tab is its own when the other tab has used the key for something else', async () => {
    replies = [reply.closed];
    await page(null, open);
    tests.fill();
    await press();
    await screen.findByRole('alert');
    const [key] = keys() as [string];
    // The other tab, with the same storage, has changed the letter and sent it.
    made.set(key, { body: 'of the other tab', number: 'L-0' });
    replies = [store];
    type('message', 'Another letter');
    await press();
    expect(await screen.findByText('Number L-2')).toBeTruthy();
    expect(made.size).toBe(2);
    expect(keys().at(-1)).not.toBe(key);
  });

  it('of a tab that was duplicated while one wrote is one, and another letter from there is another', async () => {
    await page(null, open);
    tests.fill();
    const copy = { ...sessionStorage } as Record<string, string>;
    await press();
    expect(await screen.findByText('Number L-1')).toBeTruthy();
    await leave();
    const twin = async () => {
      for (const [name, value] of Object.entries(copy)) sessionStorage.setItem(name, value);
      await page(null, open);
    };
    await twin();
    await press();
    expect(await screen.findByText('Number L-1')).toBeTruthy();
    expect(made.size).toBe(1);
    await leave();
    await twin();
    type('name', 'Ravi');
    await press();
    expect(await screen.findByText('Number L-2')).toBeTruthy();
    expect(made.size).toBe(2);
  });

  it('of two tabs with the same letter is one', async () => {
    replies = [reply.closed];
    await page(null, open);
    tests.fill();
    await press();
    await screen.findByRole('alert');
    made.set(keys()[0] as string, { body: JSON.stringify(posts()[0]?.body), number: 'L-1' });
    replies = [store];
    await press();
    expect(await screen.findByText('Number L-1')).toBeTruthy();
    expect(made.size).toBe(1);
  });

  it('goes on natively where a native post was left without an answer, as its key is the gateway’s', async () => {
    await page(answered(503, null));
    const submit = new Event('submit', { bubbles: true, cancelable: true });
    await act(async () => document.querySelector('form')?.dispatchEvent(submit));
    expect(submit.defaultPrevented).toBe(false);
    expect(posts()).toEqual([]);
  });
});

describe('a page that goes away while it sends', () => {
  it('asks under the same key when one comes back, and shows what was made', async () => {
    replies = [reply.stalled];
    await page(null, open);
    tests.fill();
    await press();
    await waitFor(() => expect(posts()).toHaveLength(1));
    await leave();
    replies = [store];
    await page(null, open);
    expect(await screen.findByText('Number L-1')).toBeTruthy();
    expect(new Set(keys()).size).toBe(1);
    expect(posts()[1]?.body).toEqual(posts()[0]?.body);
    expect(sessionStorage.length).toBe(0);
  });

  it('asks by itself for ten minutes only; the key stays', async () => {
    replies = [reply.stalled];
    await page(null, open);
    tests.fill();
    await press();
    await waitFor(() => expect(posts()).toHaveLength(1));
    await leave();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_001);
    replies = [store];
    await page(null, open);
    expect(button().textContent).toBe('Send');
    await press();
    expect(await screen.findByText('Number L-1')).toBeTruthy();
    expect(new Set(keys()).size).toBe(1);
    vi.restoreAllMocks();
  });

  it('does not pull the focus from a field when what it asked for fails', async () => {
    replies = [reply.stalled];
    await page(null, open);
    tests.fill();
    await press();
    await waitFor(() => expect(posts()).toHaveLength(1));
    await leave();
    replies = [reply.closed];
    await page(null, open);
    const message = document.getElementById('message') as HTMLTextAreaElement;
    message.focus();
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(document.activeElement).toBe(message);
  });

  it('asks again when it is restored from the back/forward cache', async () => {
    replies = [reply.stalled, store];
    await page();
    tests.fill();
    await press();
    await waitFor(() => expect(posts()).toHaveLength(1));
    const restored = Object.assign(new Event('pageshow'), { persisted: true });
    await act(async () => dispatchEvent(restored));
    expect(await screen.findByText('Number L-1')).toBeTruthy();
    expect(new Set(keys()).size).toBe(1);
  });

  it('has nothing to ask when it was not sending', async () => {
    await page();
    await act(async () => dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
    expect(posts()).toEqual([]);
  });
});

describe('the draft', () => {
  const values = () => [...new FormData(document.querySelector('form') as HTMLFormElement)];

  it('survives a reload, without what it must not hold', async () => {
    await page();
    tests.fill();
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

  it('keeps nothing that was sent where a field must not be kept, but the key', async () => {
    replies = [reply.closed];
    await page();
    tests.fill();
    type('secret', 'canary');
    await press();
    await screen.findByRole('alert');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('canary');
    expect(JSON.parse(sessionStorage.getItem('test.letter.draft') ?? '{}').attempt).toMatchObject({
      requestId: keys()[0],
      sent: '',
    });
  });

  it('gives way to what was typed before the script came', async () => {
    await page();
    tests.fill();
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

  it('of a form with other fields is dropped', async () => {
    await page();
    tests.fill();
    await leave();
    const changed = { ...letter, fields: { ...FIELDS, more: { label: 'More' } } } as unknown as typeof letter;
    await page(null, changed);
    expect(values()[0]).toEqual(['name', '']);
    expect(sessionStorage.length).toBe(0);
  });

  it.each(['', '{', '{}', 'null', '[]', '{"version":"name,message,ways,secret"}'])(
    'that is damaged (%s) is none',
    async (text) => {
      sessionStorage.setItem('test.letter.draft', text);
      await page();
      tests.fill();
      await press();
      expect(await screen.findByText('Number L-1')).toBeTruthy();
    },
  );

  it('is not kept beyond 32,768 characters, and without storage the form works on', async () => {
    await page();
    tests.fill();
    type('message', 'x'.repeat(33_000));
    expect(sessionStorage.length).toBe(0);
    vi.stubGlobal('sessionStorage', { setItem: () => { throw new DOMException('full', 'QuotaExceededError'); }, removeItem: () => undefined }); // prettier-ignore
    type('message', 'short');
    await press();
    expect(await screen.findByText('Number L-1')).toBeTruthy();
  });
});

describe('taking over late', () => {
  it('leaves what is typed, the caret and the focus alone', async () => {
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

  it('puts the focus on the alert where nobody does anything', async () => {
    await page(answered(503, null));
    expect(document.activeElement).toBe(screen.getByRole('alert'));
  });

  it('changes nothing of the page by itself', async () => {
    const main = serve(null);
    const before = main.innerHTML;
    await hydrate(main, null);
    expect(main.innerHTML).toBe(before);
  });
});
