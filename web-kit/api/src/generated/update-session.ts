// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { SessionInput, UpdateSessionResponse } from './types.ts';

/**
 * Replaces a session. `affected` are booked appointments that are now uncovered. `etag` must be current (If-Match), else ABORTED
 * reason ETAG_MISMATCH.
 */
export function updateSession(session_id: string, body: SessionInput, options: CallOptions = {}): Promise<UpdateSessionResponse> {
  return call({ method: 'PUT', template: '/sessions/{session_id}', params: { session_id }, body, ...options });
}
