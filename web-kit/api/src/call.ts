/** The one way to the API: headers, limits, time-outs, retries, trace. Operations are generated around it. */
import { pageState, randomHex } from './page-state.ts';
import { type ApiProblem, problemOf, rateLimited, unanswered } from './problem.ts';
import { sendSpans, startSpan } from './telemetry.ts';

const TIMEOUT_MS = 8000;
const CALLS_MAX = 10;
const CALLS_WINDOW_MS = 60_000;
const RETRY_DELAY_MS = 1000;
const RETRY_DELAY_MS_MAX = 30_000;
/** A visitor waits for a write, so it is repeated once, and only under its idempotency key. */
const RETRIES = { read: 3, write: 1 };

export interface CallOptions {
  /** Makes a create safe to repeat: one key for one intended thing. 16 to 128 visible ASCII characters. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Options of a create that the contract wants a key for. */
export interface KeyedCallOptions extends CallOptions {
  idempotencyKey: string;
}

interface Call extends CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** For example `/appointments/{id}`, below `/api`. */
  template: string;
  params?: Record<string, string>;
  query?: object;
  body?: unknown;
}

/** A key for one intended create. */
export function newIdempotencyKey(): string {
  return randomHex(16);
}

/**
 * Calls the API and returns the parsed answer.
 * Throws ApiProblem: an answer that is not OK, no answer within 8 s, or more than 10 calls in 60 s;
 * throws the signal's reason when the caller aborts.
 */
export async function call<Answer>(request: Call): Promise<Answer> {
  const isRead = request.method === 'GET';
  const retries = isRead ? RETRIES.read : request.idempotencyKey ? RETRIES.write : 0;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return (await once(request)) as Answer;
    } catch (error) {
      request.signal?.throwIfAborted();
      if (attempt === retries || !isPassing(error as ApiProblem)) throw error;
    }
    await delay(Math.min(RETRY_DELAY_MS * 2 ** attempt, RETRY_DELAY_MS_MAX), request.signal);
  }
}

async function once({ method, template, params, query, body, idempotencyKey, signal }: Call): Promise<unknown> {
  countCall();
  const isRead = method === 'GET';
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
  const span = startSpan(`${method} /api${template}`, {
    'http.request.method': method,
    'url.template': `/api${template}`,
  });
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'X-Requested-With': 'fetch',
    'X-Client-Id': pageState().clientId,
    traceparent: span.traceparent,
  };
  if (!isRead) headers['Content-Type'] = 'application/json';
  if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;
  let status = 0;
  try {
    const response = await fetch(`/api${path}${search(query)}`, {
      method,
      headers,
      credentials: isRead ? 'omit' : 'include',
      body: body === undefined ? null : JSON.stringify(body),
      signal: limited(signal),
    });
    ({ status } = response);
    if (!response.ok) throw await problemOf(response);
    const text = await response.text();
    return text ? JSON.parse(text) : undefined;
  } catch (error) {
    throw status ? error : unanswered(error);
  } finally {
    span.end(status === 0 || status >= 500, status ? { 'http.response.status_code': status } : {});
    if (!isRead) sendSpans();
  }
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

function search(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : '';
}

function limited(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, failed) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      failed(signal.reason as Error);
    });
  });
}
