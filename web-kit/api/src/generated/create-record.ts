// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { ContentRecord, ContentRecordInput } from './types.ts';

/**
 * Creates a draft, last in the order of its kind. Its id is the body's field `id`, or `slug` of a page. ALREADY_EXISTS reason
 * RECORD_EXISTS if a record of the kind has the id; FAILED_PRECONDITION reason SINGLE_RECORD for the kinds `site`, `search` and `insurance`.
 */
export function createRecord(kind: string, body: ContentRecordInput, options: KeyedCallOptions): Promise<ContentRecord> {
  return call({ method: 'POST', template: '/records/{kind}', params: { kind }, body, ...options });
}
