// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ContentRecord, PublishRecordRequestInput } from './types.ts';

/** Publishes the latest version, now or at `publish_time`. Requires the scope content:publish. `etag` as in UpdateRecord. */
export function publishRecord(kind: string, record_id: string, body: PublishRecordRequestInput, options: CallOptions = {}): Promise<ContentRecord> {
  return call({ method: 'POST', template: '/records/{kind}/{record_id}:publish', params: { kind, record_id }, body, ...options });
}
