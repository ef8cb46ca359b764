/**
 * Keeps the lists of a staff page current. A page marks the parts that show its lists with `data-live`, each with its own
 * name. The gateway writes two attributes into the body: `data-lists` with the collections of the API that the page shows,
 * and `data-since` with the position in their changes before it read them. A stream of events names the collections that
 * changed since. The script then reads the page again in the background, and updates the marked parts.
 */
import { isTypedIn, update } from './update.ts';

const STREAM = '/staff/events';
/** Time without a connection until the status line reports it, in milliseconds. Restarts of the gateway are shorter. */
const LOST_MS = 5_000;
/** Range of the pause before connecting again after a refusal, in milliseconds; doubled each time. */
const PAUSE_MS_MIN = 2_000;
const PAUSE_MS_MAX = 60_000;
/** Time limit of reading the page again, and first pause before another try, in milliseconds. */
const READ_MS_MAX = 10_000;
const READ_PAUSE_MS = 5_000;

const LOST = 'This list doesn’t update itself at the moment. We’re trying to reconnect. ';
const CHANGED = 'The list has changed. ';

/** Follows the lists of this page, if it has any. */
export function followLists(): void {
  const { lists, since } = document.body.dataset;
  const region = document.querySelector('[data-live]');
  if (!lists || !since || !region) return;
  const note = addNote(region);
  const refresh = refresher(note);
  follow(lists.split(' '), since, refresh, note);
}

interface Note {
  /** Reports that the list is out of date. */
  changed: (isOutdated: boolean) => void;
  /** Reports that the list is not followed. */
  lost: (isLost: boolean) => void;
}

/** Adds the status line: a text with a link to read the page again. It is there from the start, or screen readers would not announce its text. */
function addNote(region: Element): Note {
  const line = document.createElement('p');
  line.setAttribute('role', 'status');
  line.dataset.liveNote = '';
  region.before(line);
  const state = { isOutdated: false, isLost: false };
  const show = () => {
    const text = state.isOutdated ? CHANGED : state.isLost ? LOST : '';
    if (!text) return line.replaceChildren();
    const link = document.createElement('a');
    link.href = location.pathname + location.search;
    link.textContent = 'Refresh';
    line.replaceChildren(text, link);
  };
  const setter = (key: keyof typeof state) => (value: boolean) => {
    if (state[key] === value) return;
    state[key] = value;
    show();
  };
  return { changed: setter('isOutdated'), lost: setter('isLost') };
}

/** Returns a function that reads the page again and updates its parts. At most one read is under way. */
function refresher(note: Note): () => void {
  let isReading = false;
  let isWanted = false;
  let pause = READ_PAUSE_MS;
  const run = async () => {
    if (isReading) {
      isWanted = true;
      return;
    }
    isReading = true;
    isWanted = false;
    const fresh = await read(location.pathname + location.search);
    isReading = false;
    if (!fresh) {
      note.changed(true);
      setTimeout(() => void run(), pause);
      pause = Math.min(pause * 2, PAUSE_MS_MAX);
      return;
    }
    pause = READ_PAUSE_MS;
    apply(fresh, note);
    if (isWanted) await run();
  };
  return () => void run();
}

/**
 * Updates the marked parts, unless a person has typed into one, or the page has another style since a release. Then the
 * status line offers a link instead.
 */
function apply(fresh: Document, note: Note): void {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-live]')];
  const waits = parts.some(isTypedIn) || styleOf(fresh) !== styleOf(document);
  note.changed(waits);
  if (waits) return;
  for (const part of parts) {
    const next = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
    if (next) update(part, next);
  }
}

function styleOf(page: Document): string | undefined {
  return page.querySelector('style')?.textContent;
}

/**
 * Reads a page of the staff area. Null if that fails, or if the page shows no list at the moment. `XMLHttpRequest` parses
 * HTML without a Trusted Types policy. The header keeps the session from being renewed without the person.
 */
function read(address: string): Promise<Document | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('GET', address);
    request.responseType = 'document';
    request.timeout = READ_MS_MAX;
    request.setRequestHeader('X-Background', '1');
    const done = () => resolve(request.status === 200 ? request.responseXML : null);
    for (const event of ['load', 'error', 'timeout']) request.addEventListener(event, done);
    request.send();
  });
}

/**
 * Follows the stream while the page is visible: over HTTP/1.1, a browser has six connections to a site for all its tabs.
 * The position in the address covers what changed meanwhile.
 */
function follow(lists: readonly string[], begin: string, refresh: () => void, note: Note): void {
  let since = begin;
  let source: EventSource | null = null;
  let pause = PAUSE_MS_MIN;
  let lost = 0;
  let retry = 0;

  const close = () => {
    source?.close();
    source = null;
    clearTimeout(retry);
    clearTimeout(lost);
    lost = 0;
  };
  const open = () => {
    source = new EventSource(`${STREAM}?since=${encodeURIComponent(since)}`);
    source.addEventListener('open', () => {
      pause = PAUSE_MS_MIN;
      clearTimeout(lost);
      lost = 0;
      note.lost(false);
    });
    source.addEventListener('change', ({ data, lastEventId }: MessageEvent<string>) => {
      since = lastEventId || since;
      if (data.split(' ').some((name) => lists.includes(name))) refresh();
    });
    source.addEventListener('error', () => {
      lost ||= window.setTimeout(() => note.lost(true), LOST_MS);
      // The browser connects again by itself, unless the gateway refused: at a limit, or because the session has ended.
      if (source?.readyState !== EventSource.CLOSED) return;
      clearTimeout(retry);
      retry = window.setTimeout(open, pause * (0.5 + Math.random() / 2));
      pause = Math.min(pause * 2, PAUSE_MS_MAX);
    });
  };
  const follows = () => {
    if (document.visibilityState === 'hidden') close();
    else if (!source) open();
  };
  document.addEventListener('visibilitychange', follows);
  addEventListener('pagehide', close);
  addEventListener('pageshow', follows);
  follows();
}
