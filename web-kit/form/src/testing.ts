/** Helpers for tests of forms: posted values as a browser sends them, and a real server in place of the API. */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FormFields } from '@hospital/page';

/** Returns form values as the gateway passes them to a module. */
export function posted(values: Readonly<Record<string, string | readonly string[]>>): FormFields {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value].flat() as string[]]));
}

/** Globals of browsers and Node that the gateway's JavaScript engine lacks. */
const NOT_IN_ENGINE = [
  ...['URL', 'URLSearchParams', 'Intl', 'FormData', 'fetch', 'Headers', 'TextEncoder', 'TextDecoder'],
  ...['crypto', 'performance', 'setTimeout', 'structuredClone', 'document', 'window', 'sessionStorage'],
];

/**
 * Runs code of the gateway, such as a form's `action`, without the globals that its engine lacks.
 * Code that needs them throws here too.
 */
export function inEngine<Result>(run: () => Result): Result {
  const before = NOT_IN_ENGINE.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  for (const [name] of before) Object.defineProperty(globalThis, name, { value: undefined, configurable: true });
  try {
    return run();
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  }
}

/** One request that reached the API. */
export interface Seen {
  method: string;
  /** Path below `/api`, including the query. */
  path: string;
  /** The idempotency key, or empty. */
  key: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

export type Reply = (response: ServerResponse, request: Seen) => void;

export interface Api {
  /** All requests except beacons, in order of arrival. */
  seen: Seen[];
  /** Replacement for `fetch`: `vi.stubGlobal('fetch', api.fetch)`. */
  fetch: typeof fetch;
  close: () => Promise<void>;
}

export const reply = {
  /** Sends a complete JSON response. */
  json:
    (status: number, body: unknown): Reply =>
    (response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  /** Sends HTML, as an intermediary may do. */
  html: ((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>')) as Reply,
  /** Closes the connection without a response. */
  closed: ((response) => void response.socket?.destroy()) as Reply,
  /** Closes the connection in the middle of the body. */
  half:
    (status: number, body: unknown): Reply =>
    (response) => {
      const text = JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length });
      response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
    },
  /** Never responds. */
  stalled: (() => undefined) as Reply,
};

/**
 * Starts a server on loopback. `answer` chooses the reply to each request. `now` is the server's clock, in
 * milliseconds. Close the server after the test.
 */
export async function serveApi(answer: (request: Seen) => Reply, now = () => Date.now()): Promise<Api> {
  const seen: Seen[] = [];
  const server = createServer((incoming, response) => {
    response.setHeader('date', new Date(now()).toUTCString());
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      if (incoming.url === '/telemetry') return response.writeHead(204).end();
      const text = Buffer.concat(chunks).toString();
      const request: Seen = {
        method: incoming.method ?? '',
        path: (incoming.url ?? '').replace(/^\/api/, ''),
        key: String(incoming.headers['idempotency-key'] ?? ''),
        headers: incoming.headers,
        body: text ? JSON.parse(text) : undefined,
      };
      seen.push(request);
      return answer(request)(response, request);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    seen,
    fetch: ((path: string, init?: RequestInit) => fetchOverHttp(port, path, init)) as typeof fetch,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Fetches over a socket: test documents are not pages of this server, so their own `fetch` cannot reach it. */
function fetchOverHttp(port: number, path: string, { method = 'GET', headers, body, signal }: RequestInit = {}) {
  return new Promise<Response>((answered, failed) => {
    const fail = () => failed(new TypeError('network error'));
    const outgoing = httpRequest(
      { host: '127.0.0.1', port, path, method, headers: headers as Record<string, string>, agent: false },
      (incoming) => {
        const text = new Promise<string>((whole, broken) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('end', () => whole(Buffer.concat(chunks).toString()));
          incoming.on('error', () => broken(new TypeError('network error')));
        });
        // Reading the body still rejects. An unread body must not cause an unhandled rejection.
        text.catch(() => undefined);
        const status = incoming.statusCode ?? 0;
        const headers = new Headers({ date: incoming.headers.date ?? '' });
        const answer = { status, ok: status >= 200 && status < 300, statusText: incoming.statusMessage ?? '', headers };
        answered({ ...answer, text: () => text, arrayBuffer: () => text } as unknown as Response);
      },
    );
    outgoing.on('error', fail);
    if (signal?.aborted) outgoing.destroy();
    signal?.addEventListener('abort', () => outgoing.destroy());
    outgoing.end(body ?? undefined);
  });
}
