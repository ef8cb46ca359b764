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

describe('whatever the network does', () => {
  it.each([
    ['breaks off in the body', reply.half(201, { number: 'L-1' })],
    ['is no JSON', reply.html],
    ['does not come', reply.closed],
  ])('an answer that %s is asked for again under the same key', async (_, broken) => {
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
  ])('an answer that always %s ends in words, and the next press goes under the same key', async (_, broken) => {
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

  it('an answer with nothing to show says that it was received, and repeating it makes no second thing', async () => {
    site.replies = [reply.json(202, {})];
    await page();
    fill();
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
    fill();
    await press();
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(String(faults)).toContain('fault');
  });

  it('says a reason in the words of the form', async () => {
    site.replies = [reply.json(409, { status: 409, title: 'x', reason: 'FULL' })];
    await page();
    fill();
    await press();
    expect((await screen.findByRole('alert')).textContent).toContain('The box is full. Come back tomorrow.');
  });

  it('says a rule of the service, which the form has no words for, in the words of the service', async () => {
    const detail = 'Two letters a day are the most.';
    site.replies = [reply.json(400, { status: 400, title: 'x', reason: 'LETTERS_MAX', detail })];
    await page();
    fill();
    await press();
    expect((await screen.findByRole('alert')).textContent).toContain(detail);
  });
});

describe('what is fleeting', () => {
  const held = { ...open, fleeting: () => ({ holdId: 'H-1' }) } as typeof open;

  it('is sent, and neither kept nor sent again after a reload', async () => {
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

describe('an answer to a failure', () => {
  const asking = (retryWith: typeof open.retryWith) =>
    ({ ...open, fleeting: () => ({ check: 1 }), retryWith }) as typeof open;
  const refused = reply.json(400, { status: 400, title: 'x', reason: 'PROOF', metadata: { challenge: 'c' } });
  const checks = () => posts().map(({ body }) => (body as { check?: number }).check);

  it('is sent under the same key while the form is still on its way, and the visitor sees nothing of it', async () => {
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

  it('is not given for ever, nor where the form has none', async () => {
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

describe('one intention', () => {
  it('is sent once, however often the button is pressed', async () => {
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

  it('is one thing when the first answer was lost and the details were changed: the first is what was made', async () => {
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

  it('is sent with the new details when the first try was never stored', async () => {
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

  it('stays with a person when nobody can say what the first try has made', async () => {
    site.replies = [lost, lost, store, reply.json(500, {}), reply.json(500, {})];
    await page();
    fill();
    await press();
    await screen.findByRole('alert');
    type('message', 'Please hurry');
    await press();
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Please call us'));
    expect(site.made.size).toBe(1);
    expect(new Set(keys()).size).toBe(1);
  });

  it('of a duplicated tab is its own when the other tab has used the key for something else', async () => {
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

  it('of a tab that was duplicated while one wrote is one, and another letter from there is another', async () => {
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

  it('of two tabs with the same letter is one', async () => {
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

  it('asks by itself for ten minutes only; the key stays', async () => {
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

  it('does not pull the focus from a field when what it asked for fails', async () => {
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

  it('asks again when it is restored from the back/forward cache', async () => {
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

  it('has nothing to ask when it was not sending', async () => {
    await page();
    await act(async () => dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
    expect(posts()).toEqual([]);
  });
});
