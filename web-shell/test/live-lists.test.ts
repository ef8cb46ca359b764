// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followLists } from '../src/client/live-lists.ts';

class FakeStream extends EventTarget {
  static all: FakeStream[] = [];
  static readonly CLOSED = 2;
  readyState = 1;
  constructor(readonly address: string) {
    super();
    FakeStream.all.push(this);
  }
  close() {
    this.readyState = FakeStream.CLOSED;
  }
  send(name: string, more: { data?: string; lastEventId?: string } = {}) {
    this.dispatchEvent(Object.assign(new Event(name), more));
  }
}

class FakeRequest extends EventTarget {
  static all: FakeRequest[] = [];
  headers: Record<string, string> = {};
  status = 0;
  address = '';
  responseType = '';
  responseXML: Document | null = null;
  open(_method: string, address: string) {
    this.address = address;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send() {
    FakeRequest.all.push(this);
  }
  async answer(status: number, html: string) {
    this.status = status;
    this.responseXML = new DOMParser().parseFromString(html, 'text/html');
    this.dispatchEvent(new Event('load'));
    await vi.advanceTimersByTimeAsync(0);
  }
}

const LIST = '<p data-live="as-of">As of 9:00</p><ol data-live="rows"><li data-row="" data-key="A">A</li></ol>';
const NEWER = '<p data-live="as-of">As of 9:05</p><ol data-live="rows"><li data-row="" data-key="A">Arrived</li></ol>';
const streams = FakeStream.all;
const requests = FakeRequest.all;
const rows = () => document.querySelector('[data-live="rows"]')?.textContent;
const note = () => document.querySelector('[role="status"]')?.textContent;
const last = <T>(all: T[]) => all.at(-1) as T;
let visibility: DocumentVisibilityState = 'visible';

function see(state: DocumentVisibilityState): void {
  visibility = state;
  document.dispatchEvent(new Event('visibilitychange'));
}

function load(html: string, lists = 'appointments departments', since = 'ab-1'): void {
  document.body.innerHTML = html;
  document.body.dataset.lists = lists;
  document.body.dataset.since = since;
  followLists();
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeStream);
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
});
afterEach(() => {
  see('hidden');
  visibility = 'visible';
  streams.length = 0;
  requests.length = 0;
  delete document.body.dataset.lists;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('opens no stream on pages without lists or without a marked part', () => {
  load('<p>Start</p>');
  load(LIST, '');
  expect(streams).toHaveLength(0);
});

it('reads the page again on a change of its own lists, in the background', async () => {
  load(LIST);
  expect(streams.map(({ address }) => address)).toEqual(['/staff/events?since=ab-1']);
  last(streams).send('change', { data: 'messages', lastEventId: 'ab-2' });
  expect(requests).toHaveLength(0);
  last(streams).send('change', { data: 'appointments messages', lastEventId: 'ab-3' });
  expect(last(requests)).toMatchObject({ address: location.pathname, headers: { 'X-Background': '1' } });
  await last(requests).answer(200, NEWER);
  expect(rows()).toBe('Arrived');
  expect(document.querySelector('[data-live="as-of"]')?.textContent).toBe('As of 9:05');
  expect(note()).toBe('');
});

it('offers a link if the page has another style since a release', async () => {
  load(LIST);
  last(streams).send('change', { data: 'appointments' });
  await last(requests).answer(200, `<style>li { color: red; }</style>${NEWER}`);
  expect(rows()).toBe('A');
  expect(note()).toBe('The list has changed. Refresh');
});

it('reads once more for changes during a read', async () => {
  load(LIST);
  for (let n = 0; n < 3; n++) last(streams).send('change', { data: 'appointments', lastEventId: `ab-${n}` });
  expect(requests).toHaveLength(1);
  await last(requests).answer(200, LIST);
  expect(requests).toHaveLength(2);
  await last(requests).answer(200, NEWER);
  expect(requests).toHaveLength(2);
  expect(rows()).toBe('Arrived');
});

it('keeps a part in which a person has typed, and offers a link', async () => {
  load(`${LIST}<form data-live="note"><input></form>`);
  const input = document.querySelector('input') as HTMLInputElement;
  input.value = 'half a sent';
  last(streams).send('change', { data: 'appointments' });
  await last(requests).answer(200, NEWER);
  expect(rows()).toBe('A');
  expect(input.value).toBe('half a sent');
  expect(note()).toBe('The list has changed. Refresh');
  expect(document.querySelector('[role="status"] a')?.getAttribute('href')).toBe(location.pathname);
  input.value = '';
  last(streams).send('change', { data: 'appointments' });
  await last(requests).answer(200, NEWER);
  expect(rows()).toBe('Arrived');
  expect(note()).toBe('');
});

it('offers a link while the page cannot be read, and tries again', async () => {
  load(LIST);
  last(streams).send('change', { data: 'appointments' });
  await last(requests).answer(503, '<p>Later</p>');
  expect(note()).toContain('Refresh');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(requests).toHaveLength(2);
  await last(requests).answer(200, NEWER);
  expect(note()).toBe('');
  expect(rows()).toBe('Arrived');
});

it('reports a lost connection once, and no short interruption', async () => {
  load(LIST);
  const status = document.querySelector('[role="status"]');
  last(streams).send('error');
  await vi.advanceTimersByTimeAsync(4_000);
  last(streams).send('open');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(note()).toBe('');
  last(streams).send('error');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(note()).toContain('We’re trying to reconnect');
  const text = status?.firstChild;
  for (let n = 0; n < 5; n++) last(streams).send('error');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(status?.firstChild).toBe(text);
  last(streams).send('open');
  expect(note()).toBe('');
});

it('connects again after a refusal, with growing pauses and from the last position', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  load(LIST);
  last(streams).send('change', { data: 'messages', lastEventId: 'ab-7' });
  for (const [pause, count] of [
    [2_000, 2],
    [4_000, 3],
    [8_000, 4],
  ] as const) {
    last(streams).close();
    last(streams).send('error');
    await vi.advanceTimersByTimeAsync(pause - 1);
    expect(streams).toHaveLength(count - 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(streams).toHaveLength(count);
  }
  expect(last(streams).address).toBe('/staff/events?since=ab-7');
});

it('holds no stream while the page is hidden', () => {
  load(LIST, 'appointments', 'cd-1');
  // Pages of earlier tests open one too.
  const states = () => streams.filter(({ address }) => address.endsWith('cd-1')).map(({ readyState }) => readyState);
  see('hidden');
  expect(states()).toEqual([2]);
  see('visible');
  expect(states()).toEqual([2, 1]);
});
