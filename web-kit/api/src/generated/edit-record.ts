// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { EditRecordRequestInput, EditRecordResponse } from './types.ts';

/** Takes the record for editing for 2 minutes, again at each call, and returns who has it. Others may still store a version. */
export function editRecord(kind: string, record_id: string, body: EditRecordRequestInput, options: CallOptions = {}): Promise<EditRecordResponse> {
  return call({ method: 'POST', template: '/records/{kind}/{record_id}:edit', params: { kind, record_id }, body, ...options });
}
