// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Media } from './types.ts';

/** Returns a picture with what uses it. Errors: NOT_FOUND. */
export function getMedia(hash: string, options: CallOptions = {}): Promise<Media> {
  return call({ method: 'GET', template: '/media/{hash}', params: { hash }, ...options });
}
