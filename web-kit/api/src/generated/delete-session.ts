// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { DeleteSessionResponse } from './types.ts';

/** Removes a session. Its appointments stay booked and become uncovered, see UpdateSession. */
export function deleteSession(session_id: string, options: CallOptions = {}): Promise<DeleteSessionResponse> {
  return call({ method: 'DELETE', template: '/sessions/{session_id}', params: { session_id }, ...options });
}
