// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://127.0.0.1/" }
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { call, newIdempotencyKey } from '../src/call.ts';
import { pageState } from '../src/page-state.ts';
import { ApiProblem } from '../src/problem.ts';
import { serverNow } from '../src/server-time.ts';

const READ = { method: 'GET', template: '/things' } as const;
const CREATE = { method: 'POST', template: '/things', body: { name: 'x' } } as const;

type Reply = () => Promise<Response>;
const json =
  (status: number, body: unknown, statusText = ''): Reply =>
  async () =>
    new Response(JSON.stringify(body), { status, statusText, headers: { 'content-type': 'application/json' } });
const down: Reply = () => Promise.reject(new TypeError('connection refused'));

/** Calls that reached the network, except beacons. */
let calls: { url: string; init: RequestInit }[];
let beacons: { spans: Record<string, unknown>[] }[];

/** Stubs the network: replies in this order. The last one repeats. */
function network(...replies: Reply[]): void {
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (url === '/telemetry') {
      beacons.push(JSON.parse(String(init.body)));
      return Promise.resolve(new Response(null, { status: 204 }));
    }
    calls.push({ url, init });
    return (replies.length > 1 ? (replies.shift() as Reply) : (replies[0] as Reply))();
  });
}

const header = (index: number, name: string) => new Headers(calls[index]?.init.headers).get(name);
const failure = async (promise: Promise<unknown>) => (await promise.catch((error: unknown) => error)) as ApiProblem;

beforeEach(() => {
  calls = [];
  beacons = [];
  vi.useFakeTimers();
  Object.assign(pageState(), { calls: [], spans: [], serverAheadMs: undefined });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.documentElement.lang = '';
});

describe('a call', () => {
  it('reads without credentials and sends its client id', async () => {
    network(json(200, { things: [] }));
    const answer = await call({
      ...READ,
      template: '/things/{id}',
      params: { id: 'a/b' },
      query: { q: 'x y', empty: '', none: undefined },
    });
    expect(answer).toEqual({ things: [] });
    expect(calls[0]?.url).toBe('/api/things/a%2Fb?q=x%20y');
    expect(calls[0]?.init.credentials).toBe('omit');
    expect(header(0, 'X-Requested-With')).toBe('fetch');
    expect(header(0, 'X-Client-Id')).toMatch(/^[0-9a-f]{32}$/);
    expect(header(0, 'Content-Type')).toBeNull();
  });

  it.each(['kn', 'hi', 'en-IN'])('writes in the language of the page: %s', async (lang) => {
    document.documentElement.lang = lang;
    network(json(201, { id: '1' }));
    await call(CREATE);
    expect([calls[0]?.url, header(0, 'Accept-Language')]).toEqual(['/api/things', lang]);
  });

  it.each([
    ['kn', '?q=x&lang=kn'],
    ['hi', '?q=x&lang=hi'],
    ['en-IN', '?q=x'],
    ['', '?q=x'],
  ])('reads the visitor’s own data in the language of the page, and no other: %o', async (lang, search) => {
    document.documentElement.lang = lang;
    network(json(200, {}));
    await call({ ...READ, query: { q: 'x' }, headers: { 'X-Thing-Secret': 's' } });
    await call({ ...READ, query: { q: 'x' } });
    expect(calls.map(({ url }) => url)).toEqual([`/api/things${search}`, '/api/things?q=x']);
    expect(header(0, 'Accept-Language')).toBeNull();
  });

  it('writes JSON with its idempotency key', async () => {
    network(json(201, { id: '1' }));
    const key = newIdempotencyKey();
    await call({ ...CREATE, idempotencyKey: key });
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(calls[0]?.init).toMatchObject({ method: 'POST', credentials: 'include', body: '{"name":"x"}' });
    expect(header(0, 'Idempotency-Key')).toBe(key);
    expect(header(0, 'Content-Type')).toBe('application/json');
  });

  it('carries the session on pages of the staff area only, at the rate of a person', async () => {
    network(json(200, {}));
    vi.stubGlobal('location', { pathname: '/staff/today' });
    for (let n = 0; n < 299; n += 1) await call(READ);
    await call(CREATE);
    expect(calls.every(({ init }) => init.credentials === 'same-origin')).toBe(true);
    expect(await failure(call(CREATE))).toMatchObject({ status: 429 });
    expect(calls).toHaveLength(300);
    Object.assign(pageState(), { calls: [] });
    await call({ ...READ, headers: { 'X-Thing-Secret': 's' } });
    expect(calls.at(-1)?.init.credentials).toBe('omit');
    vi.stubGlobal('location', { pathname: '/staffroom' });
    await call(READ);
    expect(calls.at(-1)?.init.credentials).toBe('omit');
  });

  it('maps a problem to its fields and the message of the catalogue', async () => {
    const problem = {
      title: 'Invalid',
      status: 400,
      detail: 'Two fields',
      reason: 'X',
      fields: [{ field: 'email', message: 'm' }],
    };
    network(json(400, problem, 'Bad Request'));
    const error = await failure(call(CREATE));
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({
      status: 400,
      title: 'Invalid',
      detail: 'Two fields',
      reason: 'X',
      fields: problem.fields,
    });
    expect(error.message).toBe(`API call failed: 400 Bad Request - ${JSON.stringify(problem)}`);
  });

  it('reads reason and metadata of a problem', async () => {
    network(
      json(409, { reason: 'SLOT_TAKEN', metadata: { alternatives: '9:30 AM', odd: 1 } }),
      json(409, { metadata: 'x' }),
    );
    expect((await failure(call(CREATE))).metadata).toEqual({ alternatives: '9:30 AM' });
    expect((await failure(call(CREATE))).metadata).toEqual({});
  });

  it('with a secret sends no credentials, and does not retry a write', async () => {
    network(down);
    const secret = { headers: { 'X-Thing-Secret': 's', 'If-Match': '"1"' } };
    await failure(call({ method: 'PUT', template: '/things/1', body: {}, ...secret }));
    expect(calls).toHaveLength(1);
    expect(calls[0]?.init.credentials).toBe('omit');
    expect(header(0, 'X-Thing-Secret')).toBe('s');
    const read = failure(call({ ...READ, ...secret }));
    await vi.advanceTimersByTimeAsync(7_000);
    expect(await read).toMatchObject({ status: 0 });
    expect(calls).toHaveLength(5);
    expect(calls.every(({ init }) => init.credentials === 'omit')).toBe(true);
  });

  it('accepts an error page that is not JSON', async () => {
    network(async () => new Response('<h1>no</h1>', { status: 500, statusText: 'Oops' }));
    expect(await failure(call(CREATE))).toMatchObject({
      message: 'API call failed: 500 Oops - <h1>no</h1>',
      status: 500,
      fields: [],
    });
  });
});

describe('retries', () => {
  it('retries a read three times, after 1, 2 and 4 s', async () => {
    network(down);
    const error = failure(call(READ));
    await vi.advanceTimersByTimeAsync(6_999);
    expect(calls).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(await error).toMatchObject({ status: 0, title: 'No answer' });
    expect(calls).toHaveLength(4);
  });

  it('stops at the first response', async () => {
    network(json(503, {}), json(200, { here: true }));
    const answer = call(READ);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await answer).toEqual({ here: true });
    expect(calls).toHaveLength(2);
  });

  it('never retries a create without a key, and retries one with a key under the same key', async () => {
    network(down);
    await failure(call(CREATE));
    expect(calls).toHaveLength(1);
    const error = failure(call({ ...CREATE, idempotencyKey: 'k'.repeat(16) }));
    await vi.advanceTimersByTimeAsync(1_000);
    await error;
    expect(calls).toHaveLength(3);
    expect(header(2, 'Idempotency-Key')).toBe(header(1, 'Idempotency-Key'));
  });

  it('does not retry permanent failures', async () => {
    network(json(404, {}));
    await failure(call(READ));
    expect(calls).toHaveLength(1);
  });

  it('stops when the caller aborts', async () => {
    network(down);
    const abort = new AbortController();
    const error = failure(call({ ...READ, signal: abort.signal }));
    await vi.advanceTimersByTimeAsync(10);
    abort.abort();
    expect(await error).toMatchObject({ status: 0, reason: 'ABORTED' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(1);
  });
});

describe('limits', () => {
  it('allows ten calls in 60 s, and the next one after that', async () => {
    network(json(200, {}));
    for (let index = 0; index < 10; index += 1) await call(CREATE);
    const error = await failure(call(CREATE));
    expect(error).toMatchObject({ status: 429, message: 'Rate limit exceeded. Please try again later.' });
    expect(calls).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(60_000);
    await call(READ);
    expect(calls).toHaveLength(11);
  });

  it('W6: reserves the last call for a write', async () => {
    network(down);
    const reads = [failure(call(READ)), failure(call(READ))];
    await vi.advanceTimersByTimeAsync(7_000);
    await Promise.all(reads);
    expect(calls).toHaveLength(8);
    await failure(call({ ...CREATE, isOptional: true }));
    expect(calls).toHaveLength(9);
    network(json(201, { id: '1' }));
    expect(await failure(call(READ))).toMatchObject({ status: 429 });
    expect(await failure(call({ ...CREATE, isOptional: true }))).toMatchObject({ status: 429 });
    expect(await call(CREATE)).toEqual({ id: '1' });
  });

  it('W6: reports the failure, not its own limit, when no call is left for the retry', async () => {
    network(json(200, {}));
    for (let index = 0; index < 9; index += 1) await call(READ);
    network(json(503, { reason: 'AWAY' }));
    const error = failure(call({ ...CREATE, idempotencyKey: 'k'.repeat(16) }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await error).toMatchObject({ status: 503, reason: 'AWAY' });
    expect(calls).toHaveLength(10);
  });
});

describe('W5: the time', () => {
  const dated = (date: string): Reply => {
    return async () => new Response('{}', { status: 200, headers: { date: new Date(date).toUTCString() } });
  };

  it('is that of the device before the first response, and of the server afterwards', async () => {
    vi.setSystemTime('2026-11-21T09:55:00Z');
    expect(new Date(serverNow()).toISOString()).toBe('2026-11-21T09:55:00.000Z');
    network(dated('2026-11-21T09:30:00Z'));
    await call(READ);
    expect(new Date(serverNow()).toISOString()).toBe('2026-11-21T09:30:00.000Z');
    await vi.advanceTimersByTimeAsync(90_000);
    expect(new Date(serverNow()).toISOString()).toBe('2026-11-21T09:31:30.000Z');
  });

  it('ignores a cached response, and one without a date', async () => {
    vi.setSystemTime('2026-11-21T09:55:00Z');
    network(dated('2026-11-21T09:30:00Z'), dated('2026-11-21T09:10:00Z'), json(200, {}));
    for (let index = 0; index < 3; index += 1) await call(READ);
    expect(new Date(serverNow()).toISOString()).toBe('2026-11-21T09:30:00.000Z');
  });
});

it('does not count calls that the gateway does not count', async () => {
  network(json(200, {}));
  for (let index = 0; index < 12; index += 1) await call({ ...READ, isRateExempt: true });
  for (let index = 0; index < 9; index += 1) await call(READ);
  await call({ ...READ, isRateExempt: true });
  expect(calls).toHaveLength(22);
  expect(await failure(call(READ))).toMatchObject({ status: 429 });
});

describe('the trace', () => {
  it('of a write is sent immediately, with its outcome', async () => {
    network(json(201, {}));
    await call({ ...CREATE, template: '/things/{id}', params: { id: 'secret' } });
    const [span] = beacons[0]?.spans ?? [];
    expect(span).toMatchObject({
      name: 'POST /api/things/{id}',
      parentSpanId: '',
      error: false,
      attributes: {
        'http.request.method': 'POST',
        'url.template': '/api/things/{id}',
        'http.response.status_code': 201,
      },
    });
    expect(header(0, 'traceparent')).toBe(`00-${span?.traceId}-${span?.spanId}-01`);
    expect(JSON.stringify(beacons)).not.toContain('secret');
  });

  it('of a read is buffered, at most sixteen', async () => {
    network(json(200, {}));
    await call(READ);
    expect(beacons).toEqual([]);
    for (let index = 0; index < 20; index += 1) {
      pageState().calls = [];
      await call(READ);
    }
    expect(pageState().spans).toHaveLength(16);
  });

  it('marks a server error, not a refused form', async () => {
    network(json(500, {}), json(409, {}));
    await failure(call(CREATE));
    await failure(call(CREATE));
    expect(beacons.map(({ spans }) => spans[0]?.error)).toEqual([true, false]);
  });
});
