// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ContentRecord } from './types.ts';

/** Returns a record with its latest version. Errors: NOT_FOUND. */
export function getRecord(kind: string, record_id: string, options: CallOptions = {}): Promise<ContentRecord> {
  return call({ method: 'GET', template: '/records/{kind}/{record_id}', params: { kind, record_id }, ...options });
}
