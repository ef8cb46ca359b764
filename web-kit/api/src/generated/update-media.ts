// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Media, MediaInput } from './types.ts';

/** Replaces the description and the focal point of a picture. `etag` must be current (If-Match), else ABORTED reason ETAG_MISMATCH. */
export function updateMedia(hash: string, body: MediaInput, options: CallOptions = {}): Promise<Media> {
  return call({ method: 'PUT', template: '/media/{hash}', params: { hash }, body, ...options });
}
