// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { CreateSessionResponse, SessionInput } from './types.ts';

/** Create session */
export function createSession(body: SessionInput, options: KeyedCallOptions): Promise<CreateSessionResponse> {
  return call({ method: 'POST', template: '/sessions', body, ...options });
}
