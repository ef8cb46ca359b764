// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { RecordTranslations } from './types.ts';

/**
 * Lists the texts of a record that pages of another language need, each with its translation. These are the texts of the version that
 * visitors read and of the latest version. Errors: NOT_FOUND.
 */
export function getRecordTranslations(kind: string, record_id: string, language: string, options: CallOptions = {}): Promise<RecordTranslations> {
  return call({ method: 'GET', template: '/records/{kind}/{record_id}/translations/{language}', params: { kind, record_id, language }, ...options });
}
