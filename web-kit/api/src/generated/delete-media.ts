// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/**
 * Deletes a picture with its forms. `etag` must be current (If-Match), else ABORTED reason ETAG_MISMATCH. FAILED_PRECONDITION reason
 * MEDIA_IN_USE if something uses it, see `uses`. A picture that nothing has used for 30 days is deleted without a call.
 */
export function deleteMedia(hash: string, options: CallOptions = {}): Promise<void> {
  return call({ method: 'DELETE', template: '/media/{hash}', params: { hash }, ...options });
}
