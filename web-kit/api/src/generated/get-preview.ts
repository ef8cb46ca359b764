// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Preview } from './types.ts';

/** Returns what a token shows. Errors: NOT_FOUND if the token is forged or has expired. */
export function getPreview(token: string, options: CallOptions = {}): Promise<Preview> {
  return call({ method: 'GET', template: '/previews/{token}', params: { token }, ...options });
}
