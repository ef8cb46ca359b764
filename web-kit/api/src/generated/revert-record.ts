// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ContentRecord, RevertRecordRequestInput } from './types.ts';

/** Stores the body of an earlier version as a new draft, and publishes it if `publish` is set. `etag` as in UpdateRecord. */
export function revertRecord(kind: string, record_id: string, body: RevertRecordRequestInput, options: CallOptions = {}): Promise<ContentRecord> {
  return call({ method: 'POST', template: '/records/{kind}/{record_id}:revert', params: { kind, record_id }, body, ...options });
}
