/** The time by the server's clock: a device's clock may be wrong by hours. */
import { pageState } from './page-state.ts';

/** Learns from the `Date` of an answer. An answer out of a cache is older, so the latest one counts. */
export function noteServerTime({ headers }: Pick<Response, 'headers'>): void {
  const at = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(at)) return;
  const ahead = at - Date.now();
  const state = pageState();
  state.serverAheadMs = Math.max(state.serverAheadMs ?? ahead, ahead);
}

/** Milliseconds since 1970 by the server's clock, right to about a second; by the device's before the first answer. */
export function serverNow(): number {
  return Date.now() + (pageState().serverAheadMs ?? 0);
}
