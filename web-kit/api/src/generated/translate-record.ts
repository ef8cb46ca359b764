// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { RecordTranslations, TranslateRecordRequestInput } from './types.ts';

/**
 * Publishes translations of a record's texts, all or none. They apply to every record with the same English text. Texts that the
 * request does not name keep theirs. INVALID_ARGUMENT names each wrong entry, for example `texts[2].translation`. `etag` is that of
 * GetRecordTranslations and must be current (If-Match), else ABORTED reason ETAG_MISMATCH. FAILED_PRECONDITION reason
 * TRANSLATIONS_MAX if the language has 10,000 translations of staff. A translation that is stored already has no effect.
 */
export function translateRecord(kind: string, record_id: string, body: TranslateRecordRequestInput, options: CallOptions = {}): Promise<RecordTranslations> {
  return call({ method: 'POST', template: '/records/{kind}/{record_id}:translate', params: { kind, record_id }, body, ...options });
}
