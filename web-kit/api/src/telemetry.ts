/**
 * Spans and failures of the browser, sent to the gateway: it exports spans as service `browser` and counts failures by
 * team and version. At most 16 spans wait; the oldest gives way. Losing them is fine, slowing a visitor down is not.
 */
import { pageState, randomHex } from './page-state.ts';

const WAITING_MAX = 16;
/** Different ones of one page load. What fails once often fails in every tick. */
const FAILURES_MAX = 8;
/** Parts of a page fail together: one beacon for all of them. */
const FAILURES_DELAY_MS = 500;
/** How long the gateway takes failures of a document. */
const TOKEN_AGE_MS_MAX = 3_600_000;
const FAILURES_KEY = Symbol.for('hospital.api.failures');

type Attributes = Record<string, string | number>;

/** A finished span in the form that `POST /telemetry` takes. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  startUnixNano: string;
  endUnixNano: string;
  error: boolean;
  attributes: Attributes;
}

export interface OpenSpan {
  /** W3C trace context of this span, sampled. */
  traceparent: string;
  /** Ends the span and keeps it for the next beacon. */
  end: (error: boolean, attributes?: Attributes) => void;
}

/** What did not work in a visitor's browser, without a word of what was on the page. */
export interface Failure {
  /** Whose code it was, and which published version; `unknown` where nothing tells: then it is not reported. */
  team: string;
  version: string;
  /** Page module or script, without path and ending. */
  module: string;
  /** `load`: its script did not come. `hydrate`: not what the server rendered. `render`: a component threw. `script`: anything else. */
  kind: 'load' | 'hydrate' | 'render' | 'script';
}

interface Failures {
  /** As JSON: those of this page load so far. */
  known: Set<string>;
  waiting: Failure[];
}

/** One for all scripts of the page, though each carries its own copy of this file. */
function failuresOfPage(): Failures {
  const holder = globalThis as { [FAILURES_KEY]?: Failures };
  return (holder[FAILURES_KEY] ??= { known: new Set(), waiting: [] });
}

/** Keeps a failure for a beacon in half a second, or when the page goes away. The same one counts once in a page load. */
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

/** `parent`: a traceparent to continue; without one a new trace begins. `startMs`: since the page's start. */
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

/** The page load itself, as a child of the gateway's span that rendered the document. */
export function recordPageLoad(): void {
  const parent = serverTiming('traceparent');
  if (parent) startSpan('page load', { 'url.path': location.pathname }, parent, 0).end(false);
  addEventListener('pagehide', sendSpans);
}

/** What the gateway said of this document in its `Server-Timing` header. */
function serverTiming(wanted: string): string | undefined {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.serverTiming?.find(({ name }) => name === wanted)?.description;
}

/**
 * Proof that the gateway sent this document: it takes failures only with it, once for each version, and for an hour. Undefined where
 * there is none, or it is too old.
 */
function documentToken(): string | undefined {
  return performance.now() < TOKEN_AGE_MS_MAX ? serverTiming('document') : undefined;
}

/** Sends what waits. Also works while the page goes away. */
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
    // An answer that nobody reads is shown as a cancelled request.
    .then((answer) => answer.arrayBuffer())
    .catch((cause: unknown) => console.debug('beacon lost', cause));
}

function unixNano(sincePageStartMs: number): string {
  // Microseconds fit a double exactly; nanoseconds would not.
  return `${Math.round((performance.timeOrigin + sincePageStartMs) * 1000)}000`;
}
