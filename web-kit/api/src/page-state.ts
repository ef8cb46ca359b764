/** What all scripts of one page load share, though each remote carries its own copy of this client. */
import type { Span } from './telemetry.ts';

interface PageState {
  /** Random, one per page load; tells visitors behind one address apart. */
  clientId: string;
  /** When the calls of the last 60 s were made, in milliseconds since the page's start. */
  calls: number[];
  /** How far the server's clock is ahead of the device's, in milliseconds; absent before the first answer. */
  serverAheadMs?: number;
  /** Finished spans that wait for the next beacon. */
  spans: Span[];
}

const KEY = Symbol.for('hospital.api');

export function pageState(): PageState {
  const holder = globalThis as { [KEY]?: PageState };
  return (holder[KEY] ??= { clientId: randomHex(16), calls: [], spans: [] });
}

/** Lower-case hex of that many random bytes. Works without a secure context, unlike `randomUUID`. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}
