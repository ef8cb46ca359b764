// @vitest-environment happy-dom
/** The script of a blog post, in a browser document. */
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import enliven from './blog.script.ts';
import BlogPage from './blog.tsx';
import { blog, NOW, ok, SITE, words } from '../../test/answers.ts';

const KEY = 'blog-comments:one';

type Send = (url: string, request: RequestInit) => Promise<Response>;
const send = vi.fn<Send>();

function open() {
  cleanup();
  const promos = ok({ promos: [], nextPageToken: '' });
  const data = { blog: ok(blog('one')), promos, site: ok(SITE) };
  const { container } = render(
    <main>
      <BlogPage
        params={{ slug: 'about-one' }}
        query={{}}
        part="content:page"
        action={null}
        now={NOW}
        path="/blogs/about-one"
        data={data}
      />
    </main>,
  );
  enliven(container);
  return container;
}

function post(name: string, content: string) {
  fireEvent.change(screen.getByRole('textbox', { name: 'Name *' }), { target: { value: name } });
  fireEvent.change(screen.getByRole('textbox', { name: 'Comment *' }), { target: { value: content } });
  fireEvent.click(screen.getByRole('button', { name: 'Post comment' }));
}

/** Requests to the API, without telemetry spans. */
const sent = () => send.mock.calls.filter(([url]) => url.startsWith('/api/'));
const thread = () => within(screen.getByRole('region', { name: 'Comments' }));
const listed = () =>
  thread()
    .queryAllByRole('listitem')
    .map(
      (item) => `${item.querySelector('strong')?.textContent}: ${item.querySelector('[data-content]')?.textContent}`,
    );
const kept = () =>
  JSON.parse(localStorage.getItem(KEY) ?? '[]') as { id: number; name: string; content: string; createdAt: string }[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: new Date(NOW) });
  localStorage.clear();
  // Simulates a new page load, because the client numbers its calls.
  Reflect.deleteProperty(globalThis, Symbol.for('hospital.api'));
  send.mockReset().mockImplementation(async () => new Response('{}', { status: 201 }));
  vi.stubGlobal('fetch', send);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('accepts comments only once it runs, and states beforehand where they go', async () => {
  const container = open();
  expect(container.querySelector('form')?.hidden).toBe(false);
  expect(words(container.querySelector('form') as Element)).toContain(
    'saved in this browser and isn’t published. When you post it, we get a copy with your name',
  );
  expect(await brokenRules(container)).toEqual([]);
});

it('refuses a blank name or comment', async () => {
  const container = open();
  for (const [name, content, first] of [
    ['  ', 'x', 'name'],
    ['Asha', ' \n ', 'content'],
    ['', '', 'name'],
  ] as const) {
    post(name, content);
    expect(thread().getByRole('alert').textContent).toBe('Please enter your name and a comment.');
    expect((document.activeElement as HTMLInputElement).name).toBe(first);
  }
  expect(container.querySelector('[name=content]')?.getAttribute('aria-invalid')).toBe('true');
  expect([kept(), sent()]).toEqual([[], []]);
  expect(await brokenRules(container)).toEqual([]);
});

it('saves trimmed comments of this post in the browser, newest first, as text', () => {
  open();
  post(' Asha ', ' First <b>one</b> ');
  vi.setSystemTime(Date.parse(NOW) + 1000);
  post('Ravi', 'Second');
  expect(listed()).toEqual(['Ravi: Second', 'Asha: First <b>one</b>']);
  expect(kept()[1]).toEqual({
    id: Date.parse(NOW),
    name: 'Asha',
    content: 'First <b>one</b>',
    createdAt: '2026-11-21T09:30:00.000Z',
  });
  expect(thread().getByRole('status').textContent).toBe('We’ve saved your comment in this browser.');
  open();
  expect(listed()).toEqual(['Ravi: Second', 'Asha: First <b>one</b>']);
  fireEvent.click(screen.getByRole('button', { name: 'Remove the comment by Ravi' }));
  expect(listed()).toEqual(['Asha: First <b>one</b>']);
  expect(kept()).toHaveLength(1);
});

it('notifies the hospital with a separate key for each comment', () => {
  open();
  post('Asha', 'First');
  post('Asha', 'Second');
  const [url, request] = sent()[0] as Parameters<Send>;
  const headers = sent().map(([, { headers }]) => headers as Record<string, string>);
  expect([url, request.method]).toEqual(['/api/messages', 'POST']);
  expect(request.keepalive, 'also when the page is left at once').toBe(true);
  expect(JSON.parse(String(request.body))).toEqual({
    subject: 'New blog comment on one', name: 'Asha', message: 'First', meta: { threadId: 'one', createdAt: '2026-11-21T09:30:00.000Z' },
  }); // prettier-ignore
  expect(headers[0]).toMatchObject({ 'Content-Type': 'application/json', 'X-Requested-With': 'fetch' });
  expect(headers[0]?.['Idempotency-Key']).toMatch(/^[0-9a-f]{32}$/);
  expect(headers[0]?.['Idempotency-Key']).not.toBe(headers[1]?.['Idempotency-Key']);
  expect(headers[0]?.['X-Client-Id']).toBe(headers[1]?.['X-Client-Id']);
});

it('only logs a failed notification', async () => {
  const logged = vi.spyOn(console, 'warn').mockReturnValue();
  send.mockImplementation(async () => new Response('', { status: 400 }));
  open();
  post('Asha', 'First');
  await waitFor(() => expect(logged).toHaveBeenCalledOnce());
  expect(listed()).toEqual(['Asha: First']);
  expect(thread().queryByRole('alert')?.textContent).toBe('');
});

it('calls at most ten times in a minute', async () => {
  const logged = vi.spyOn(console, 'warn').mockReturnValue();
  open();
  for (let index = 0; index < 11; index += 1) post('Asha', `Comment ${index}`);
  await waitFor(() => expect(logged).toHaveBeenCalledOnce());
  expect(String(logged.mock.calls[0]?.[1])).toContain('Rate limit exceeded. Please try again later.');
  expect([sent().length, listed().length]).toEqual([10, 11]);
  vi.advanceTimersByTime(60_000);
  post('Asha', 'Later');
  expect(sent()).toHaveLength(11);
});

it('works without storage, and states that nothing is saved', () => {
  vi.spyOn(console, 'info').mockReturnValue();
  vi.stubGlobal('localStorage', {
    getItem: () => { throw new DOMException('denied', 'SecurityError'); },
    setItem: () => { throw new DOMException('denied', 'SecurityError'); },
  }); // prettier-ignore
  open();
  post('Asha', 'First');
  post('Asha', 'Second');
  expect(listed()).toEqual(['Asha: Second', 'Asha: First']);
  expect(thread().getByRole('status').textContent).toContain('Your browser can’t save comments.');
});

it('copies the canonical address', async () => {
  const writeText = vi.fn().mockResolvedValue(undefined);
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  open();
  fireEvent.click(screen.getByRole('button', { name: 'Copy link' }));
  await waitFor(() => expect(screen.getByText('We’ve copied the link.')).toBeTruthy());
  expect(writeText).toHaveBeenCalledWith('https://hospital.example/blogs/about-one');
});
