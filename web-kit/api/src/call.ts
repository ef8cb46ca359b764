/** Only route to the API: headers, rate limit, time budget, retries, tracing. The generated operations call it. */
import { language } from '@hospital/page/language';
import { pageState, randomHex } from './page-state.ts';
import { noteServerTime } from './server-time.ts';
import { ApiProblem, aborted, problemOf, rateLimited, unanswered } from './problem.ts';
import { sendSpans, startSpan } from './telemetry.ts';

/** Maximum duration of a call in milliseconds, including retries and pauses. The gateway times out after 5 s. */
const BUDGET_MS = 8000;
/** Maximum retries. A visitor waits for a write, so a write has at most one retry, only with an idempotency key. */
const RETRIES = { read: 3, keyed: 1, write: 0 };
const RETRY_DELAY_MS = 1000;
const CALLS_MAX = 10;
/** On pages of the staff area, where the gateway counts calls per signed-in person. */
const STAFF_CALLS_MAX = 300;
/** Calls of the limit reserved for required writes, so failed reads cannot exhaust the call that books. */
const CALLS_RESERVED = 1;
const CALLS_WINDOW_MS = 60_000;

export interface CallOptions {
  /** Makes a create safe to retry: one key per intended resource. 16 to 128 visible ASCII characters. */
  idempotencyKey?: string;
  /** Additional headers, for example `If-Match`. A name ending in `-secret` makes the call omit credentials. */
  headers?: Record<string, string>;
  /** Completes the request even after the visitor leaves the page. The body is limited to 64 KiB. */
  keepalive?: boolean;
  signal?: AbortSignal;
  /** Marks a write that the visitor did not request, such as a hold. Like a read, it cannot use the reserved call. */
  isOptional?: boolean;
}

/** Options of an operation that takes an idempotency key. */
export interface KeyedCallOptions extends CallOptions {
  idempotencyKey: string;
}

export interface Call extends CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path template below `/api`, for example `/appointments/{id}`. */
  template: string;
  params?: Record<string, string>;
  query?: object;
  body?: unknown;
  /** Exempt from the gateway's rate limit, and therefore from the limit of this client. */
  isRateExempt?: boolean;
}

/** Returns a random key for one intended create. */
export function newIdempotencyKey(): string {
  return randomHex(16);
}

/**
 * Calls the API and returns the parsed response, or `undefined` for 204. Throws only ApiProblem:
 * - the response is not OK
 * - no complete JSON response within 8 s (status 0)
 * - more than 10 calls in 60 s, 9 for reads and optional writes, 300 and 299 below `/staff`; exempt calls do not count
 *   (status 429)
 * - the caller aborts (reason ABORTED)
 */
export async function call<Answer>(request: Call): Promise<Answer> {
  const { signal } = request;
  const kind = request.method === 'GET' ? 'read' : request.idempotencyKey ? 'keyed' : 'write';
  const end = performance.now() + BUDGET_MS;
  if (!takeCall(request)) throw rateLimited();
  for (let attempt = 0; ; attempt += 1) {
    if (signal?.aborted) throw aborted();
    try {
      return (await once(request, end - performance.now())) as Answer;
    } catch (error) {
      const pause = RETRY_DELAY_MS * 2 ** attempt;
      const late = performance.now() + pause >= end;
      if (signal?.aborted || late || attempt === RETRIES[kind] || !isPassing(error as ApiProblem)) throw error;
      await delay(pause, signal);
      // If the rate limit blocks the retry, the visitor sees the original error.
      if (!signal?.aborted && !takeCall(request)) throw error;
    }
  }
}

async function once(request: Call, msMax: number): Promise<unknown> {
  const { method, template, body, idempotencyKey, keepalive = false, signal } = request;
  const isRead = method === 'GET';
  const span = startSpan(`${method} /api${template}`, {
    'http.request.method': method,
    'url.template': `/api${template}`,
  });
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'X-Requested-With': 'fetch',
    'X-Client-Id': pageState().clientId,
    traceparent: span.traceparent,
    ...request.headers,
  };
  const accepted = pageLanguage();
  if (!isRead) headers['Content-Type'] = 'application/json';
  // What the service sends to the visitor is in the language of the page, not of the browser.
  if (!isRead && accepted) headers['Accept-Language'] = accepted;
  if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;
  // One controller for timeout and caller abort: the oldest supported browsers lack `AbortSignal.any`.
  const abort = new AbortController();
  const stop = () => abort.abort();
  const timer = setTimeout(stop, msMax);
  signal?.addEventListener('abort', stop);
  let status = 0;
  try {
    const response = await fetch(`/api${pathOf(isRead && carriesSecret(request) ? inLanguage(request) : request)}`, {
      method,
      headers,
      credentials: credentialsOf(request),
      body: body === undefined ? null : JSON.stringify(body),
      keepalive,
      signal: abort.signal,
    });
    ({ status } = response);
    noteServerTime(response);
    // Reads the body inside `try`: a response that breaks off in its body counts as no response, regardless of status.
    const text = await response.text();
    if (!response.ok) throw problemOf(response, text);
    return status === 204 ? undefined : objectIn(text);
  } catch (error) {
    throw signal?.aborted ? aborted() : error instanceof ApiProblem ? error : unanswered(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    span.end(status === 0 || status >= 500, status ? { 'http.response.status_code': status } : {});
    if (!isRead) sendSpans();
  }
}

/** Parses a response. Every API response is a JSON object. Throws on any other text: it comes from an intermediary. */
function objectIn(text: string): object {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || !answer) throw new TypeError('no JSON object');
  return answer;
}

/** Returns path and query of a call, below `/api`. */
export function pathOf({ template, params, query }: Pick<Call, 'template' | 'params' | 'query'>): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
  return path + search(query);
}

/** Returns the `lang` of the document. Empty without one: the tests of broken connections run without a page. */
function pageLanguage(): string {
  return globalThis.document?.documentElement.lang ?? '';
}

/** Adds the language to a read of the visitor's own data, for its calendar file. Reads that many share have none. */
function inLanguage(request: Call): Call {
  const lang = language();
  return lang === 'en' ? request : { ...request, query: { ...request.query, lang } };
}

/**
 * Returns whether the call carries the session of a signed-in person. Reads do so below `/staff` only: elsewhere they are
 * the same for everybody.
 */
function credentialsOf(request: Call): RequestCredentials {
  if (carriesSecret(request)) return 'omit';
  if (isOfStaff()) return 'same-origin';
  return request.method === 'GET' ? 'omit' : 'include';
}

/** Returns whether this page is one of the staff area. */
function isOfStaff(): boolean {
  // The tests of broken connections run without a page.
  return /^\/staff(\/|$)/.test(globalThis.location?.pathname ?? '');
}

/** Returns whether the call carries a resource's secret. The API identifies such a caller by the secret alone. */
function carriesSecret({ headers = {} }: Call): boolean {
  return Object.keys(headers).some((name) => /-secret$/i.test(name));
}

/** Counts a call against the limit. Returns false if the limit of the last 60 s is used up. */
function takeCall({ method, isRateExempt, isOptional }: Call): boolean {
  if (isRateExempt) return true;
  const state = pageState();
  const now = performance.now();
  state.calls = state.calls.filter((at) => now - at < CALLS_WINDOW_MS);
  const max = isOfStaff() ? STAFF_CALLS_MAX : CALLS_MAX;
  if (state.calls.length >= max - (method === 'GET' || isOptional ? CALLS_RESERVED : 0)) return false;
  state.calls.push(now);
  return true;
}

/** Returns whether a retry may succeed: no response, or status 502, 503 or 504. */
function isPassing({ status }: ApiProblem): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504;
}

/** Builds a query string without URLSearchParams: native forms call this in the gateway's engine, which lacks it. */
function search(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  const pairs = given.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return pairs.length ? `?${pairs.join('&')}` : '';
}

/** Resolves after `ms` milliseconds, or as soon as the caller aborts. */
function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms);
    signal?.addEventListener('abort', () => done(), { once: true });
  });
}
