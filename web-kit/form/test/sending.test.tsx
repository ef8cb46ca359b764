// @vitest-environment happy-dom
/** Every send ends in an outcome, and one intention creates one resource, despite failures and repeated input. */
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { reply } from '../src/testing.ts';
import {
  aServerForEachCase,
  answered,
  button,
  fill,
  keys,
  leave,
  letter,
  lost,
  open,
  page,
  posts,
  press,
  site,
  store,
  type,
} from './letter.tsx';

aServerForEachCase();

const isDisabled = () => button().getAttribute('aria-disabled') === 'true';

describe('on an unreliable network', () => {
  it.each([
    ['breaks off in the body', reply.half(201, { number: 'L-1' })],
    ['is no JSON', reply.html],
    ['does not come', reply.closed],
  ])('retries a response that %s under the same key', async (_, broken) => {
    site.replies = [broken, store];
    await page();
    fill();
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
  ])('reports a response that always %s, and the next press uses the same key', async (_, broken) => {
    site.replies = [broken];
    const main = await page();
    fill();
    await press();
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to send letter. Please try again.');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alert')));
    expect(isDisabled()).toBe(false);
    expect(main.querySelector('form')?.hasAttribute('aria-busy')).toBe(false);
    site.replies = [store];
    await press();
    expect(await screen.findByText(/^Number/)).toBeTruthy();
    expect(new Set(keys()).size).toBe(1);
  });

  it('confirms receipt of a response without details, and a repeated press creates nothing', async () => {
    site.replies = [reply.json(202, {})];
    await page();
    fill();
    await press();
    expect((await screen.findByRole('alert')).textContent).toContain('We have your form');
    await press();
    await waitFor(() => expect(posts()).toHaveLength(2));
    expect(new Set(keys()).size).toBe(1);
  });

  it('reports an error in the declaration too', async () => {
    const faults: unknown[] = [];
    vi.stubGlobal('reportError', (error: unknown) => faults.push(error));
    const faulty = { ...letter, outcome: () => { throw new Error('fault'); } } as typeof letter; // prettier-ignore
    await page(null, faulty);
    fill();
    await press();
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(String(faults)).toContain('fault');
  });

  it('shows a reason in the words of the form', async () => {
    site.replies = [reply.json(409, { status: 409, title: 'x', reason: 'FULL' })];
    await page();
    fill();
    await press();
    expect((await screen.findByRole('alert')).textContent).toContain('The box is full. Come back tomorrow.');
  });

  it('shows a rule without a text of the form in the words of the service', async () => {
    const detail = 'Two letters a day are the most.';
    site.replies = [reply.json(400, { status: 400, title: 'x', reason: 'LETTERS_MAX', detail })];
    await page();
    fill();
    await press();
    expect((await screen.findByRole('alert')).textContent).toContain(detail);
  });
});

describe('a transient field', () => {
  const held = { ...open, fleeting: () => ({ holdId: 'H-1' }) } as typeof open;

  it('is sent, but neither kept nor sent again after a reload', async () => {
    site.replies = [lost];
    await page(null, held);
    fill();
    await press();
    await screen.findByRole('alert');
    expect(posts().map(({ body }) => (body as { holdId?: string }).holdId)).toEqual(['H-1', 'H-1']);
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('H-1');
    expect(sessionStorage.getItem('test.open.draft')).toContain('"sent":"{');
  });
});

describe('a retry with more values', () => {
  const asking = (retryWith: typeof open.retryWith) =>
    ({ ...open, fleeting: () => ({ check: 1 }), retryWith }) as typeof open;
  const refused = reply.json(400, { status: 400, title: 'x', reason: 'PROOF', metadata: { challenge: 'c' } });
  const checks = () => posts().map(({ body }) => (body as { check?: number }).check);

  it('is sent under the same key, invisibly to the visitor', async () => {
    site.replies = [refused, store];
    const seen: unknown[] = [];
    await page(
      null,
      asking(async ({ reason, metadata }, { check }) => {
        seen.push([reason, metadata, check, isDisabled(), screen.queryByRole('alert')]);
        return { check: 2 };
      }),
    );
    fill();
    await press();
    expect(await screen.findByText(/^Number/)).toBeTruthy();
    expect(seen).toEqual([['PROOF', { challenge: 'c' }, 1, true, null]]);
    expect(checks()).toEqual([1, 2]);
    expect(new Set(keys()).size).toBe(1);
  });

  it('is limited in number, and not sent if the form has none', async () => {
    site.replies = [refused];
    await page(
      null,
      asking(async (_, { check }) => ({ check: Number(check) + 1 })),
    );
    fill();
    await press();
    await screen.findByRole('alert');
    expect(checks()).toEqual([1, 2, 3, 4]);
    await leave();
    await page(
      null,
      asking(async () => null),
    );
    await press();
    await screen.findByRole('alert');
    expect(checks()).toEqual([1, 2, 3, 4, 1]);
  });
});

describe('one submission', () => {
  it('is sent once, even if the button is pressed repeatedly', async () => {
    site.replies = [reply.stalled];
    await page();
    fill();
    const form = document.querySelector('form') as HTMLFormElement;
    await act(async () => {
      // Twice before React renders again: a double click, and Enter pressed twice.
      fireEvent.click(button());
      fireEvent.click(button());
      fireEvent.submit(form);
      fireEvent.submit(form);
    });
    await waitFor(() => expect(posts()).toHaveLength(1));
    expect(button().textContent).toBe('Sending...');
    expect(isDisabled()).toBe(true);
    expect(form.getAttribute('aria-busy')).toBe('true');
    await press();
    expect(posts()).toHaveLength(1);
  });

  it('W12: leaves the focus on its button', async () => {
    site.replies = [reply.stalled];
    await page();
    fill();
    button().focus();
    await press();
    await waitFor(() => expect(posts()).toHaveLength(1));
    expect(document.activeElement).toBe(button());
  });

  it('shows the first version if its response was lost and the details have changed', async () => {
    site.replies = [lost, lost, store];
    await page();
    fill();
    await press();
    await screen.findByRole('alert');
    type('message', 'Please hurry');
    await press();
    expect(await screen.findByText('Number L-1 of an earlier try')).toBeTruthy();
    expect(site.made.size).toBe(1);
    expect(new Set(keys()).size).toBe(1);
  });

  it('is sent with the new details if the first try was not stored', async () => {
    site.replies = [reply.closed, reply.closed, store];
    await page();
    fill();
    await press();
    await screen.findByRole('alert');
    type('message', 'Please hurry');
    await press();
    expect(await screen.findByText('Number L-1')).toBeTruthy();
    expect([...site.made.values()].map(({ body }) => body)).toEqual([expect.stringContaining('hurry')]);
  });

  it('advises to call if the outcome of the first try is unknown', async () => {
    site.replies = [lost, lost, store, reply.json(500, {}), reply.json(500, {})];
    await page();
    fill();
    await press();
    await screen.findByRole('alert');
    type('message', 'Please hurry');
    await press();
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Please call before sending it again'));
    expect(site.made.size).toBe(1);
    expect(new Set(keys()).size).toBe(1);
  });

  it('of a duplicated tab gets a new key if the other tab has used the key for something else', async () => {
    site.replies = [reply.closed];
    await page(null, open);
    fill();
    await press();
    await screen.findByRole('alert');
    const [key] = keys() as [string];
    // The other tab, with the same storage, has changed the letter and sent it.
    site.made.set(key, { body: 'of the other tab', number: 'L-0' });
    site.replies = [store];
    type('message', 'Another letter');
    await press();
    expect(await screen.findByText('Number L-2')).toBeTruthy();
    expect(site.made.size).toBe(2);
    expect(keys().at(-1)).not.toBe(key);
  });

  it('of a tab duplicated while typing counts once, and another letter counts separately', async () => {
    await page(null, open);
    fill();
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
    expect(site.made.size).toBe(1);
    await leave();
    await twin();
    type('name', 'Ravi');
    await press();
    expect(await screen.findByText('Number L-2')).toBeTruthy();
    expect(site.made.size).toBe(2);
  });

  it('of the same letter in two tabs counts once', async () => {
    site.replies = [reply.closed];
    await page(null, open);
    fill();
    await press();
    await screen.findByRole('alert');
    site.made.set(keys()[0] as string, { body: JSON.stringify(posts()[0]?.body), number: 'L-1' });
    site.replies = [store];
    await press();
    expect(await screen.findByText('Number L-1')).toBeTruthy();
    expect(site.made.size).toBe(1);
  });

  it('continues natively after an unanswered native post, because its key is the gateway’s', async () => {
    await page(answered(503, null));
    const submit = new Event('submit', { bubbles: true, cancelable: true });
    await act(async () => document.querySelector('form')?.dispatchEvent(submit));
    expect(submit.defaultPrevented).toBe(false);
    expect(posts()).toEqual([]);
  });
});

describe('a page left while sending', () => {
  it('retries under the same key when reopened, and shows the result', async () => {
    site.replies = [reply.stalled];
    await page(null, open);
    fill();
    await press();
    await waitFor(() => expect(posts()).toHaveLength(1));
    await leave();
    site.replies = [store];
    await page(null, open);
    expect(await screen.findByText('Number L-1')).toBeTruthy();
    expect(new Set(keys()).size).toBe(1);
    expect(posts()[1]?.body).toEqual(posts()[0]?.body);
    expect(sessionStorage.length).toBe(0);
  });

  it('retries by itself for ten minutes only, and keeps the key', async () => {
    site.replies = [reply.stalled];
    await page(null, open);
    fill();
    await press();
    await waitFor(() => expect(posts()).toHaveLength(1));
    await leave();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_001);
    site.replies = [store];
    await page(null, open);
    expect(button().textContent).toBe('Send');
    await press();
    expect(await screen.findByText('Number L-1')).toBeTruthy();
    expect(new Set(keys()).size).toBe(1);
    vi.restoreAllMocks();
  });

  it('does not take the focus from a field when the retry fails', async () => {
    site.replies = [reply.stalled];
    await page(null, open);
    fill();
    await press();
    await waitFor(() => expect(posts()).toHaveLength(1));
    await leave();
    site.replies = [reply.closed];
    await page(null, open);
    const message = document.getElementById('message') as HTMLTextAreaElement;
    message.focus();
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(document.activeElement).toBe(message);
  });

  it('retries when it is restored from the back/forward cache', async () => {
    site.replies = [reply.stalled, store];
    await page();
    fill();
    await press();
    await waitFor(() => expect(posts()).toHaveLength(1));
    const restored = Object.assign(new Event('pageshow'), { persisted: true });
    await act(async () => dispatchEvent(restored));
    expect(await screen.findByText('Number L-1')).toBeTruthy();
    expect(new Set(keys()).size).toBe(1);
  });

  it('does not retry if it was not sending', async () => {
    await page();
    await act(async () => dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
    expect(posts()).toEqual([]);
  });
});
