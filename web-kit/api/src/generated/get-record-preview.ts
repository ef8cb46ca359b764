// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { GetRecordPreviewResponse } from './types.ts';

/**
 * Returns a token for the latest version of a record. Each call makes another token and is in the audit log. There is no token if the
 * version can't be published: see `problems`. Requires the scope content:write. Errors: NOT_FOUND.
 */
export function getRecordPreview(kind: string, record_id: string, options: CallOptions = {}): Promise<GetRecordPreviewResponse> {
  return call({ method: 'GET', template: '/records/{kind}/{record_id}/preview', params: { kind, record_id }, ...options });
}
