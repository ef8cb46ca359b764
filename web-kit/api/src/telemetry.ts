/**
 * Sends the browser's spans and failures to the gateway. The gateway exports spans as service `browser` and counts
 * failures by team and version. The queue holds at most 16 spans; the oldest is dropped. Losing spans is fine, slowing
 * a visitor down is not.
 */
import { type Attributes, pageState, randomHex } from './page-state.ts';

const WAITING_MAX = 16;
/** Maximum distinct failures per page load. Code that fails once often fails on every tick. */
const FAILURES_MAX = 8;
/** Delay before sending failures, in milliseconds. Parts of a page fail together and share one beacon. */
const FAILURES_DELAY_MS = 500;
/** Maximum age of a document, in milliseconds, for which the gateway accepts failures. */
const TOKEN_AGE_MS_MAX = 3_600_000;
const FAILURES_KEY = Symbol.for('hospital.api.failures');

export interface OpenSpan {
  /** W3C trace context of this span, sampled. */
  traceparent: string;
  /** Ends the span and queues it for the next beacon. */
  end: (error: boolean, attributes?: Attributes) => void;
}

/** A failure in a visitor's browser. Contains nothing of the page's content. */
export interface Failure {
  /** Team that owns the failed code. If it cannot be determined, `unknown`: such failures are not reported. */
  team: string;
  /** Published version of the failed code. */
  version: string;
  /** Page module or script, without path and extension. */
  module: string;
  /**
   * `load`: the script did not load. `hydrate`: the result differs from the server's HTML. `render`: a component threw.
   * `script`: any other error.
   */
  kind: 'load' | 'hydrate' | 'render' | 'script';
}

interface Failures {
  /** Failures of this page load so far, as JSON. */
  known: Set<string>;
  waiting: Failure[];
}

/** Returns the state shared by all scripts of the page, although each bundles its own copy of this file. */
function failuresOfPage(): Failures {
  const holder = globalThis as { [FAILURES_KEY]?: Failures };
  return (holder[FAILURES_KEY] ??= { known: new Set(), waiting: [] });
}

/**
 * Queues a failure for a beacon, sent after half a second or on `pagehide`.
 * Identical failures count once per page load.
 */
export function recordFailure({ team, version, module, kind }: Failure): void {
  if (team === 'unknown') return;
  const { known, waiting } = failuresOfPage();
  const failure = { team, version, module, kind };
  const text = JSON.stringify(failure);
  if (known.has(text) || known.size === FAILURES_MAX) return;
  known.add(text);
  waiting.push(failure);
  if (waiting.length > 1) return;
  setTimeout(sendSpans, FAILURES_DELAY_MS);
  addEventListener('pagehide', sendSpans, { once: true });
}

/**
 * Starts a span. Continues the trace of `parent`, a traceparent; starts a new trace if it is empty.
 * `startMs` is in milliseconds since page start.
 */
export function startSpan(name: string, attributes: Attributes, parent = '', startMs = performance.now()): OpenSpan {
  const [, traceId = randomHex(16), parentSpanId = ''] = parent.split('-');
  const spanId = randomHex(8);
  const startUnixNano = unixNano(startMs);
  return {
    traceparent: `00-${traceId}-${spanId}-01`,
    end(error, more) {
      const { spans } = pageState();
      const endUnixNano = unixNano(performance.now());
      if (spans.length === WAITING_MAX) spans.shift();
      spans.push({
        traceId,
        spanId,
        parentSpanId,
        name,
        startUnixNano,
        endUnixNano,
        error,
        attributes: { ...attributes, ...more },
      });
    },
  };
}

/** Records the page load as a child of the gateway's span that rendered the document. */
export function recordPageLoad(): void {
  const parent = serverTiming('traceparent');
  if (parent) startSpan('page load', { 'url.path': location.pathname }, parent, 0).end(false);
  addEventListener('pagehide', sendSpans);
}

/** Returns the description of an entry in the document's `Server-Timing` header, which the gateway sets. */
function serverTiming(wanted: string): string | undefined {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.serverTiming?.find(({ name }) => name === wanted)?.description;
}

/**
 * Returns the token that proves that the gateway sent this document. The gateway accepts failures only with a token,
 * once per version, for one hour. Returns `undefined` if the token is missing or too old.
 */
function documentToken(): string | undefined {
  return performance.now() < TOKEN_AGE_MS_MAX ? serverTiming('document') : undefined;
}

/** Sends queued spans and failures. Also works during `pagehide`. */
export function sendSpans(): void {
  const spans = pageState().spans.splice(0);
  const waiting = failuresOfPage().waiting.splice(0);
  const token = waiting.length > 0 ? documentToken() : undefined;
  const failures = token ? waiting : [];
  if (spans.length + failures.length === 0) return;
  fetch('/telemetry', {
    method: 'POST',
    keepalive: true,
    credentials: 'omit',
    headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'fetch' },
    body: JSON.stringify({ spans, ...(failures.length > 0 && { failures, token }) }),
  })
    // Reads the body: browsers show an unread response as a cancelled request.
    .then((answer) => answer.arrayBuffer())
    .catch((cause: unknown) => console.debug('beacon lost', cause));
}

function unixNano(sincePageStartMs: number): string {
  // Microseconds fit a double exactly; nanoseconds would not.
  return `${Math.round((performance.timeOrigin + sincePageStartMs) * 1000)}000`;
}
