/** State shared by all scripts of one page load, although each remote bundles its own copy of this client. */

export type Attributes = Record<string, string | number>;

/** A finished span in the format of `POST /telemetry`. */
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  startUnixNano: string;
  endUnixNano: string;
  error: boolean;
  attributes: Attributes;
}

interface PageState {
  /** Random, one per page load. Distinguishes visitors behind one IP address. */
  clientId: string;
  /** Times of the calls in the last 60 s, in milliseconds since page start. */
  calls: number[];
  /** Server clock minus device clock, in milliseconds. Absent before the first response. */
  serverAheadMs?: number;
  /** Finished spans, queued for the next beacon. */
  spans: Span[];
}

const KEY = Symbol.for('hospital.api');

export function pageState(): PageState {
  const holder = globalThis as { [KEY]?: PageState };
  return (holder[KEY] ??= { clientId: randomHex(16), calls: [], spans: [] });
}

/** Returns random bytes as lower-case hex. Unlike `randomUUID`, works without a secure context. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}
