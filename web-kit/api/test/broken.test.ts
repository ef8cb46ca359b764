/** Every call ends in a response or an ApiProblem, however a real server breaks the connection. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { call } from '../src/call.ts';
import { pageState } from '../src/page-state.ts';
import { ApiProblem } from '../src/problem.ts';

type Reply = (response: ServerResponse, request: IncomingMessage) => void;

const KEY = 'k'.repeat(16);
const TEXT = JSON.stringify({ things: [1, 2, 3] });
const JSON_TYPE = { 'content-type': 'application/json' };

const whole: Reply = (response) => response.writeHead(200, JSON_TYPE).end(TEXT);
const html: Reply = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>');
const empty: Reply = (response) => response.writeHead(200).end();
const scalar: Reply = (response) => response.writeHead(200, JSON_TYPE).end('null');
const removed: Reply = (response) => response.writeHead(204).end();
const closed: Reply = (response) => void response.socket?.destroy();
const stalled: Reply = () => undefined;
const half = (then: Reply, status = 200): Reply => {
  return (response, request) => {
    response.writeHead(status, { ...JSON_TYPE, 'content-length': TEXT.length });
    response.write(TEXT.slice(0, 9), () => then(response, request));
  };
};
/** No content length and no end marker: the truncated body looks complete. */
const cut: Reply = (response) => void response.socket?.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"things":`);

let server: Server;
/** Replies to the requests for each path, in order. The last one repeats. */
const replies = new Map<string, Reply[]>();
const seen: { path: string; key: string | undefined }[] = [];
let paths = 0;

/** Returns a distinct path for each case, because cases run concurrently. */
function answering(...list: Reply[]): string {
  const path = `/things-${(paths += 1)}`;
  replies.set(path, list);
  return path;
}

const requests = (path: string) => seen.filter((request) => request.path === path);

async function problemOf(promise: Promise<unknown>): Promise<ApiProblem> {
  const end = await promise.then(
    (answer) => expect.fail(`answered ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
  expect(end).toBeInstanceOf(ApiProblem);
  return end as ApiProblem;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/api', '');
    if (path === '/telemetry') return response.writeHead(204).end();
    seen.push({ path, key: request.headers['idempotency-key'] as string | undefined });
    const list = replies.get(path) ?? [];
    return (list.length > 1 ? list.shift() : list[0])?.(response, request);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Node has no page URL to resolve a path against.
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(origin + path, init));
});
beforeEach(() => {
  pageState().calls = [];
});
afterAll(async () => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

describe.each([
  ['breaks off in the body', half(closed)],
  ['ends in the body without a mark', cut],
  ['closes without a word', closed],
  ['is a page of somebody else', html],
  ['is empty', empty],
  ['is no object', scalar],
  ['breaks off in a refusal', half(closed, 409)],
])('a response that %s', (_, reply) => {
  it('counts as no answer; unkeyed writes are not retried', async () => {
    const template = answering(reply);
    expect(await problemOf(call({ method: 'PUT', template, body: {} }))).toMatchObject({ status: 0 });
    expect(requests(template)).toHaveLength(1);
  });

  it('is retried by a read', async () => {
    const template = answering(reply, whole);
    expect(await call({ method: 'GET', template })).toEqual({ things: [1, 2, 3] });
    expect(requests(template)).toHaveLength(2);
  });

  it('is retried by a create, once and under the same key', async () => {
    const template = answering(reply, whole);
    expect(await call({ method: 'POST', template, body: {}, idempotencyKey: KEY })).toEqual({ things: [1, 2, 3] });
    expect(requests(template).map(({ key }) => key)).toEqual([KEY, KEY]);
    const never = answering(reply);
    await problemOf(call({ method: 'POST', template: never, body: {}, idempotencyKey: KEY }));
    expect(requests(never)).toHaveLength(2);
  });
});

it('accepts an empty response where none is expected', async () => {
  expect(await call({ method: 'DELETE', template: answering(removed) })).toBeUndefined();
});

describe.concurrent('the time budget', { timeout: 30_000 }, () => {
  const took = async (promise: Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await problemOf(promise);
    return performance.now() - start;
  };

  it.each([
    ['that never comes', stalled],
    ['that stops in its body', half(stalled)],
  ])('of a read ends after 8 s with a response %s', async (_, reply) => {
    const ms = await took(call({ method: 'GET', template: answering(reply) }));
    expect(ms).toBeGreaterThan(7_900);
    expect(ms).toBeLessThan(8_500);
  });

  it('of a read covers all its attempts', async () => {
    const template = answering(closed, half(closed), stalled);
    const ms = await took(call({ method: 'GET', template }));
    expect(ms).toBeGreaterThan(7_900);
    expect(ms).toBeLessThan(8_500);
    expect(requests(template)).toHaveLength(3);
  });

  it('S7: of a keyed create is 8 s, including its retry', async () => {
    const create = (template: string) => call({ method: 'POST', template, body: {}, idempotencyKey: KEY });
    const never = answering(stalled);
    const [alone, retried] = await Promise.all([took(create(never)), took(create(answering(closed, stalled)))]);
    for (const ms of [alone, retried]) {
      expect(ms).toBeGreaterThan(7_900);
      expect(ms).toBeLessThan(8_500);
    }
    expect(requests(never)).toHaveLength(1);
  });
});

describe('an aborted call', () => {
  it.each([
    ['before', 'none' as const, whole],
    ['while nothing comes', 'asked' as const, stalled],
    ['in the middle of the body', 'asked' as const, half(stalled)],
    ['in the pause before the next attempt', 'answered' as const, closed],
  ])('%s, fails at once', async (_, when, reply) => {
    const abort = new AbortController();
    const template = answering(reply);
    if (when === 'none') abort.abort();
    const end = problemOf(call({ method: 'GET', template, signal: abort.signal }));
    if (when !== 'none') await vi.waitFor(() => expect(requests(template)).toHaveLength(1));
    // A queued span means that the attempt has ended.
    if (when === 'answered') await vi.waitFor(() => expect(pageState().spans.at(-1)?.name).toContain(template));
    const start = performance.now();
    abort.abort();
    expect(await end).toMatchObject({ status: 0, reason: 'ABORTED' });
    expect(performance.now() - start).toBeLessThan(900);
    expect(requests(template)).toHaveLength(when === 'none' ? 0 : 1);
  });
});

it('uses only features of supported browsers', async () => {
  const any = vi.spyOn(AbortSignal, 'any').mockImplementation(() => expect.fail('Safari 16.4 has no AbortSignal.any'));
  await call({ method: 'GET', template: answering(whole), signal: new AbortController().signal });
  any.mockRestore();
});
