/** Time by the server's clock: a device's clock may be wrong by hours. */
import { pageState } from './page-state.ts';

/** Updates the clock offset from a response's `Date`. A cached response has an old date, so the largest offset wins. */
export function noteServerTime({ headers }: Pick<Response, 'headers'>): void {
  const at = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(at)) return;
  const ahead = at - Date.now();
  const state = pageState();
  state.serverAheadMs = Math.max(state.serverAheadMs ?? ahead, ahead);
}

/**
 * Returns the server's time in milliseconds since 1970, accurate to about one second.
 * Before the first response, returns the device's time.
 */
export function serverNow(): number {
  return Date.now() + (pageState().serverAheadMs ?? 0);
}
