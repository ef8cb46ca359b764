/** The one way to the API: headers, limits, budget, retries, trace. Operations are generated around it. */
import { pageState, randomHex } from './page-state.ts';
import { noteServerTime } from './server-time.ts';
import { ApiProblem, aborted, problemOf, rateLimited, unanswered } from './problem.ts';
import { sendSpans, startSpan } from './telemetry.ts';

/** Maximum duration of a call, retries and the pauses between them included. The gateway gives up after 5 s. */
const BUDGET_MS = 8000;
/** A visitor waits for a write, so it is repeated once, and only under its idempotency key. */
const RETRIES = { read: 3, keyed: 1, write: 0 };
const RETRY_DELAY_MS = 1000;
const CALLS_MAX = 10;
/** Calls of the limit that only a write may use, so that failed reads cannot use up the call that books. */
const CALLS_RESERVED = 1;
const CALLS_WINDOW_MS = 60_000;

export interface CallOptions {
  /** Makes a create safe to repeat: one key for one intended thing. 16 to 128 visible ASCII characters. */
  idempotencyKey?: string;
  /** Beside those of every call, for example `If-Match`. One that ends with `-secret` makes a call without credentials. */
  headers?: Record<string, string>;
  /** Goes on when the page is left. Its body has at most 64 KiB. */
  keepalive?: boolean;
  signal?: AbortSignal;
  /** A write that the visitor has not asked for, such as a hold: like a read, it leaves the reserved call alone. */
  isOptional?: boolean;
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
 * Throws ApiProblem and nothing else: an answer that is not OK; no whole answer of JSON within 8 s; more than 10 calls
 * in 60 s but exempt ones, 9 for reads and optional writes (status 429); the caller's abort (reason ABORTED).
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
      // Without a call left, the visitor reads what went wrong, and not that the retry was one call too many.
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
    noteServerTime(response);
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

/** Counts one call; false when the calls of the last 60 s were the most that there may be. */
function takeCall({ method, isRateExempt, isOptional }: Call): boolean {
  if (isRateExempt) return true;
  const state = pageState();
  const now = performance.now();
  state.calls = state.calls.filter((at) => now - at < CALLS_WINDOW_MS);
  if (state.calls.length >= CALLS_MAX - (method === 'GET' || isOptional ? CALLS_RESERVED : 0)) return false;
  state.calls.push(now);
  return true;
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
