/** For the tests of forms: what a browser would post, and a real server in place of the API. */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FormFields } from '@hospital/page';

/** A form as the gateway hands it to a module. */
export function posted(values: Readonly<Record<string, string | readonly string[]>>): FormFields {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value].flat() as string[]]));
}

/** Part of the language to browsers and Node, but not to the gateway's engine. */
const NOT_IN_ENGINE = [
  ...['URL', 'URLSearchParams', 'Intl', 'FormData', 'fetch', 'Headers', 'TextEncoder', 'TextDecoder'],
  ...['crypto', 'performance', 'setTimeout', 'structuredClone', 'document', 'window', 'sessionStorage'],
];

/** Runs what the gateway runs, such as a form's `action`, without what its engine lacks: code that needs it throws here too. */
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
  /** Below `/api`, query included. */
  path: string;
  /** The idempotency key, or empty. */
  key: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

export type Reply = (response: ServerResponse, request: Seen) => void;

export interface Api {
  /** Everything that reached it but the beacon, first to last. */
  seen: Seen[];
  /** Takes the place of `fetch`: `vi.stubGlobal('fetch', api.fetch)`. */
  fetch: typeof fetch;
  close: () => Promise<void>;
}

export const reply = {
  /** A whole answer. */
  json:
    (status: number, body: unknown): Reply =>
    (response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  /** What something between us and the API may say. */
  html: ((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>')) as Reply,
  /** The connection ends without an answer. */
  closed: ((response) => void response.socket?.destroy()) as Reply,
  /** The connection ends in the middle of the body. */
  half:
    (status: number, body: unknown): Reply =>
    (response) => {
      const text = JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length });
      response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
    },
  /** No answer ever. */
  stalled: (() => undefined) as Reply,
};

/** A server on loopback. `answer` decides what each request gets, `now` its clock, in milliseconds. Close it after the test. */
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

/** The documents of tests are no pages of this server, so their own `fetch` cannot ask it; this one does, over a socket. */
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
        // Rejects for whoever reads the body; an answer whose body nobody reads is no unhandled rejection.
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
