/** A form of the kit in a page, with a real server that imitates network failures. */
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { ActionOutcome } from '@hospital/page';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import { type FieldDeclarations, defineForm } from '../src/declaration.ts';
import { Form, FormAlert, SubmitButton } from '../src/form.tsx';
import { type Api, type Reply, type Seen, posted, reply, serveApi } from '../src/testing.ts';
import { useForm } from '../src/use-form.ts';

export const FIELDS = {
  name: { label: 'Name', required: true, payload: ['patientName'] },
  message: { label: 'Message', maxLength: 20_000 },
  ways: { label: 'Ways to reach you', several: true },
  secret: { label: 'Secret', keep: false },
} as const satisfies FieldDeclarations;

export const letter = defineForm({
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
/** The draft may contain every field, so the sent request can be retried after a reload. */
export const open = { ...letter, id: 'test.open', fields: { ...FIELDS, secret: { label: 'Secret' } } } as typeof letter;

export const now = '2026-11-21T09:30:00Z';

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
      <FormAlert form={form}>{[false, null]}</FormAlert>
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

let root: Root | null = null;

export const site = {
  api: null as unknown as Api,
  /** Replies to the next requests, in order. The last one repeats. */
  replies: [] as Reply[],
  /** Created letters by key. Like the API: a retry with the same body gets the same response, another body gets 422. */
  made: new Map<string, { body: string; number: string }>(),
};

/** Acts like the API: creates one letter per key. */
export const store: Reply = (response, request) => keep(request)(response, request);
/** Stores the letter but loses the response. */
export const lost: Reply = (response, request) => {
  keep(request);
  reply.closed(response, request);
};

function keep({ key, body }: Seen): Reply {
  const text = JSON.stringify(body);
  const known = site.made.get(key);
  if (known && known.body !== text) return reply.json(422, { status: 422, title: 'x', reason: 'REQUEST_ID_REUSED' });
  const { number } = known ?? { number: `L-${site.made.size + 1}` };
  site.made.set(key, { body: text, number });
  return reply.json(201, { number });
}

export const fill = () => type('name', 'Asha');

export function type(name: string, value: string) {
  const field = document.querySelector(`[name=${name}]`) as HTMLInputElement;
  fireEvent.input(field, { target: { value } });
}

export function serve(action: ActionOutcome | null, declaration = letter): HTMLElement {
  document.body.innerHTML = `<main>${renderToString(<Page action={action} declaration={declaration} />)}</main>`;
  return document.querySelector('main') as HTMLElement;
}

export async function hydrate(main: HTMLElement, action: ActionOutcome | null, declaration = letter) {
  await act(async () => {
    root = hydrateRoot(main, <Page action={action} declaration={declaration} />, {
      onRecoverableError: (error) => expect.fail(String(error)),
    });
  });
}

export async function page(action: ActionOutcome | null = null, declaration = letter): Promise<HTMLElement> {
  const main = serve(action, declaration);
  await hydrate(main, action, declaration);
  return main;
}

/** Drops the page like a browser: nothing is awaited any more. The tab's storage stays. */
export async function leave() {
  await act(async () => root?.unmount());
  root = null;
}

export const button = () => screen.getByRole('button') as HTMLButtonElement;
export const press = () => act(async () => fireEvent.click(button()));
export const posts = () => site.api.seen.filter(({ method }) => method === 'POST');
export const keys = () => posts().map(({ key }) => key);
export const answered = (status: number, body: unknown, form = { name: 'Asha' }): ActionOutcome => ({
  form: posted(form),
  result: { status, body },
});

/** Sets up a new server and an empty page for each case of a file. */
export function aServerForEachCase() {
  beforeEach(async () => {
    site.replies = [store];
    site.made = new Map();
    site.api = await serveApi(() => (site.replies.length > 1 ? site.replies.shift() : site.replies[0]) as Reply);
    (globalThis as Record<symbol, unknown>)[Symbol.for('hospital.api')] = undefined;
    vi.stubGlobal('fetch', site.api.fetch);
    vi.stubGlobal('reportError', (error: unknown) => expect.fail(String(error)));
  });

  afterEach(async () => {
    await leave();
    cleanup();
    document.body.replaceChildren();
    vi.unstubAllGlobals();
    sessionStorage.clear();
    await site.api.close();
  });
}
