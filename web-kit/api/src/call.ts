/** The one way to the API: headers, limits, budget, retries, trace. Operations are generated around it. */
import { pageState, randomHex } from './page-state.ts';
import { ApiProblem, aborted, problemOf, rateLimited, unanswered } from './problem.ts';
import { sendSpans, startSpan } from './telemetry.ts';

/** The longest that one attempt may take, its body included. The gateway gives up after 5 s. */
const ATTEMPT_MS_MAX = 8000;
/** The longest that a whole call may take, retries and the pauses between them included. */
const BUDGET_MS = { read: 8000, keyed: 16_000, write: 8000 };
/** A visitor waits for a write, so it is repeated once, and only under its idempotency key. */
const RETRIES = { read: 3, keyed: 1, write: 0 };
const RETRY_DELAY_MS = 1000;
const CALLS_MAX = 10;
const CALLS_WINDOW_MS = 60_000;

export interface CallOptions {
  /** Makes a create safe to repeat: one key for one intended thing. 16 to 128 visible ASCII characters. */
  idempotencyKey?: string;
  /** Beside those of every call, for example `If-Match`. One that ends with `-secret` makes a call without credentials. */
  headers?: Record<string, string>;
  /** Goes on when the page is left. Its body has at most 64 KiB. */
  keepalive?: boolean;
  signal?: AbortSignal;
}

/** Options of a create that the contract wants a key for. */
export interface KeyedCallOptions extends CallOptions {
  idempotencyKey: string;
}

export interface Call extends CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** For example `/appointments/{id}`, below `/api`. */
  template: string;
  params?: Record<string, string>;
  query?: object;
  body?: unknown;
  /** The gateway does not count it against the visitor's rate, so it is not counted here. */
  isRateExempt?: boolean;
}

/** A key for one intended create. */
export function newIdempotencyKey(): string {
  return randomHex(16);
}

/**
 * Calls the API and returns the parsed answer, `undefined` for 204.
 * Throws ApiProblem and nothing else: an answer that is not OK; no whole answer of JSON within 8 s, 16 s for a create
 * with a key; more than 10 calls in 60 s but exempt ones (status 429); the caller's abort (reason ABORTED).
 */
export async function call<Answer>(request: Call): Promise<Answer> {
  const { signal } = request;
  const kind = request.method === 'GET' ? 'read' : request.idempotencyKey ? 'keyed' : 'write';
  const end = performance.now() + BUDGET_MS[kind];
  for (let attempt = 0; ; attempt += 1) {
    if (signal?.aborted) throw aborted();
    try {
      return (await once(request, Math.min(ATTEMPT_MS_MAX, end - performance.now()))) as Answer;
    } catch (error) {
      const pause = RETRY_DELAY_MS * 2 ** attempt;
      const late = performance.now() + pause >= end;
      if (signal?.aborted || late || attempt === RETRIES[kind] || !isPassing(error as ApiProblem)) throw error;
      await delay(pause, signal);
    }
  }
}

async function once(request: Call, msMax: number): Promise<unknown> {
  if (!request.isRateExempt) countCall();
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
  if (!isRead) headers['Content-Type'] = 'application/json';
  if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;
  // One controller for both reasons: `AbortSignal.any` is younger than the browsers that are supported.
  const abort = new AbortController();
  const stop = () => abort.abort();
  const timer = setTimeout(stop, msMax);
  signal?.addEventListener('abort', stop);
  let status = 0;
  try {
    const response = await fetch(`/api${pathOf(request)}`, {
      method,
      headers,
      credentials: isRead || carriesSecret(request) ? 'omit' : 'include',
      body: body === undefined ? null : JSON.stringify(body),
      keepalive,
      signal: abort.signal,
    });
    ({ status } = response);
    // The body is awaited here: an answer that breaks off in it is no answer, whatever its status says.
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

/** Every answer of the API is a JSON object; another text comes from something between us and the API. */
function objectIn(text: string): object {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || !answer) throw new TypeError('no JSON object');
  return answer;
}

/** Path and query of a call, below `/api`. */
export function pathOf({ template, params, query }: Pick<Call, 'template' | 'params' | 'query'>): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
  return path + search(query);
}

/** Whoever has the secret of a resource is nobody else to the API. */
function carriesSecret({ headers = {} }: Call): boolean {
  return Object.keys(headers).some((name) => /-secret$/i.test(name));
}

/** Throws when this page load has made its 10 calls of the last 60 s. */
function countCall(): void {
  const state = pageState();
  const now = performance.now();
  state.calls = state.calls.filter((at) => now - at < CALLS_WINDOW_MS);
  if (state.calls.length >= CALLS_MAX) throw rateLimited();
  state.calls.push(now);
}

/** No answer, or one that says that the next try may do better. */
function isPassing({ status }: ApiProblem): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504;
}

/** Without URLSearchParams: native forms need it in the gateway's engine, which has none. */
function search(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  const pairs = given.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return pairs.length ? `?${pairs.join('&')}` : '';
}

/** Ends early when the caller aborts. */
function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms);
    signal?.addEventListener('abort', () => done(), { once: true });
  });
}
