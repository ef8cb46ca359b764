// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ExportSenderRequestInput, ExportSenderResponse } from './types.ts';

/** Exports everything stored under an e-mail address or a phone number. */
export function exportSender(body: ExportSenderRequestInput, options: CallOptions = {}): Promise<ExportSenderResponse> {
  return call({ method: 'POST', template: '/senders:export', body, ...options });
}
