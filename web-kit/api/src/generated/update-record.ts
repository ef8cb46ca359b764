// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ContentRecord, ContentRecordInput } from './types.ts';

/**
 * Stores a new version as a draft; visitors keep reading the live one. The draft is stored even if it can't be published: see
 * `problems`. `etag` must be current (If-Match), else ABORTED reason ETAG_MISMATCH. Storing the latest body again has no effect.
 */
export function updateRecord(kind: string, record_id: string, body: ContentRecordInput, options: CallOptions = {}): Promise<ContentRecord> {
  return call({ method: 'PUT', template: '/records/{kind}/{record_id}', params: { kind, record_id }, body, ...options });
}
