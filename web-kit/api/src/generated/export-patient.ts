// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ExportPatientRequestInput, ExportPatientResponse } from './types.ts';

/** Exports everything stored under an e-mail address or a phone number. */
export function exportPatient(body: ExportPatientRequestInput, options: CallOptions = {}): Promise<ExportPatientResponse> {
  return call({ method: 'POST', template: '/patients:export', body, ...options });
}
