/**
 * Web Vitals of this page load: how soon it came, showed itself, and answered a touch, and whose part of the page decided that.
 * Loaded when everything else is done. Sent once, when the page goes away or out of sight; losing it is fine.
 */
import { onCLS, onFCP, onINP, onLCP, onTTFB, type MetricType } from 'web-vitals';

/** As `POST /telemetry` takes it. */
interface Vital {
  name: MetricType['name'];
  /** Milliseconds; CLS has no unit. */
  value: number;
  /** Whose fragment holds the element that decided; `shell` where none does. */
  team: string;
}

const recorded = new Set<string>();
const waiting: Vital[] = [];
let path = '';

export function reportVitals(): void {
  path = location.pathname;
  for (const observe of [onTTFB, onFCP, onLCP, onCLS, onINP]) observe(record);
  // The library listens to the same in the capturing phase, so it has said by now what it knows.
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') send();
  });
  addEventListener('pagehide', send);
}

/** The first of each name: a page that comes back into sight is not loaded again. */
function record(metric: MetricType): void {
  if (recorded.has(metric.name)) return;
  recorded.add(metric.name);
  waiting.push({ name: metric.name, value: metric.value, team: teamOf(nodeOf(metric)) });
}

/** What was painted, moved or touched. */
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
    // An answer that nobody reads is shown as a cancelled request.
    .then((answer) => answer.arrayBuffer())
    .catch((cause: unknown) => console.debug('beacon lost', cause));
}
