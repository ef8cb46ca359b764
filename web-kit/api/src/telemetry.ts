/**
 * Spans of the browser, sent to the gateway, which exports them as service `browser`.
 * At most 16 wait; the oldest gives way. Losing spans is fine, slowing a visitor down is not.
 */
import { pageState, randomHex } from './page-state.ts';

const WAITING_MAX = 16;

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
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const parent = navigation?.serverTiming?.find(({ name }) => name === 'traceparent')?.description;
  if (parent) startSpan('page load', { 'url.path': location.pathname }, parent, 0).end(false);
  addEventListener('pagehide', sendSpans);
}

/** Sends what waits. Also works while the page goes away. */
export function sendSpans(): void {
  const spans = pageState().spans.splice(0);
  if (spans.length === 0) return;
  fetch('/telemetry', {
    method: 'POST',
    keepalive: true,
    credentials: 'omit',
    headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'fetch' },
    body: JSON.stringify({ spans }),
  })
    // An answer that nobody reads is shown as a cancelled request.
    .then((answer) => answer.arrayBuffer())
    .catch((cause: unknown) => console.debug('spans lost', cause));
}

function unixNano(sincePageStartMs: number): string {
  // Microseconds fit a double exactly; nanoseconds would not.
  return `${Math.round((performance.timeOrigin + sincePageStartMs) * 1000)}000`;
}
