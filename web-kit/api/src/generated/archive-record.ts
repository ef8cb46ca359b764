// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ArchiveRecordRequestInput, ContentRecord } from './types.ts';

/** Takes a record off the site, and cancels its times. Its page then redirects to `redirect`. `etag` as in UpdateRecord. */
export function archiveRecord(kind: string, record_id: string, body: ArchiveRecordRequestInput, options: CallOptions = {}): Promise<ContentRecord> {
  return call({ method: 'POST', template: '/records/{kind}/{record_id}:archive', params: { kind, record_id }, body, ...options });
}
