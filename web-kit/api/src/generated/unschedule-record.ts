// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ContentRecord, UnscheduleRecordRequestInput } from './types.ts';

/**
 * Cancels the time at which the record is to be published, or archived, or both. The other time stays, unless the record is neither
 * live nor to be published then. A time that is not set is no error. `etag` as in UpdateRecord.
 */
export function unscheduleRecord(kind: string, record_id: string, body: UnscheduleRecordRequestInput, options: CallOptions = {}): Promise<ContentRecord> {
  return call({ method: 'POST', template: '/records/{kind}/{record_id}:unschedule', params: { kind, record_id }, body, ...options });
}
