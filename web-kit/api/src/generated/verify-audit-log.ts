// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { VerifyAuditLogRequestInput, VerifyAuditLogResponse } from './types.ts';

/**
 * Checks that no entry was changed, inserted or removed, at most 50,000 entries per call. Writes an audit entry with the result. Errors:
 * RESOURCE_EXHAUSTED reason VERIFICATION_RUNNING while the service checks for another call.
 */
export function verifyAuditLog(service: string, body: VerifyAuditLogRequestInput, options: CallOptions = {}): Promise<VerifyAuditLogResponse> {
  return call({ method: 'POST', template: '/audit/{service}:verify', params: { service }, body, ...options });
}
