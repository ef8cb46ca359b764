/**
 * Web Vitals of this page load: its load, paint, layout shift and response to input, and the team of the fragment that
 * determined each. Loaded after everything else. Sent once, when the page is hidden or left. Losing them is fine.
 */
import { onCLS, onFCP, onINP, onLCP, onTTFB, type MetricType } from 'web-vitals';

/** A metric in the format of `POST /telemetry`. */
interface Vital {
  name: MetricType['name'];
  /** In milliseconds, except for CLS, which has no unit. */
  value: number;
  /** Team of the fragment with the element that determined the value. `shell` if there is none. */
  team: string;
}

const recorded = new Set<string>();
const waiting: Vital[] = [];
let path = '';

export function reportVitals(): void {
  path = location.pathname;
  for (const observe of [onTTFB, onFCP, onLCP, onCLS, onINP]) observe(record);
  // The library handles the same events in the capture phase, so it has already reported its metrics.
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') send();
  });
  addEventListener('pagehide', send);
}

/** Records the first value of each metric: a page that becomes visible again was not loaded again. */
function record(metric: MetricType): void {
  if (recorded.has(metric.name)) return;
  recorded.add(metric.name);
  waiting.push({ name: metric.name, value: metric.value, team: teamOf(nodeOf(metric)) });
}

/** Returns the node that was painted, shifted or touched. */
function nodeOf(metric: MetricType): Node | null | undefined {
  if (metric.name === 'LCP') return metric.entries.at(-1)?.element;
  if (metric.name === 'INP') return metric.entries.find(({ target }) => target)?.target;
  if (metric.name !== 'CLS') return undefined;
  const [largest] = metric.entries.toSorted((a, b) => b.value - a.value);
  return largest?.sources.find(({ node }) => node)?.node;
}

function teamOf(node: Node | null | undefined): string {
  const element = node instanceof Element ? node : node?.parentElement;
  const fragment = element?.closest('[data-module]')?.getAttribute('data-module');
  return fragment?.split('/')[0] ?? 'shell';
}

function send(): void {
  const values = waiting.splice(0);
  if (values.length === 0) return;
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const traceparent = navigation?.serverTiming?.find(({ name }) => name === 'traceparent')?.description;
  fetch('/telemetry', {
    method: 'POST',
    keepalive: true,
    credentials: 'omit',
    headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'fetch' },
    body: JSON.stringify({ vitals: { path, traceparent, values } }),
  })
    // Reads the body: browsers show an unread response as a cancelled request.
    .then((answer) => answer.arrayBuffer())
    .catch((cause: unknown) => console.debug('beacon lost', cause));
}
