// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { LiftSuppressionRequestInput, LiftSuppressionResponse } from './types.ts';

/** Lifts a suppression, so that mails to the address are sent again. Errors: NOT_FOUND. */
export function liftSuppression(suppression_id: string, body: LiftSuppressionRequestInput, options: CallOptions = {}): Promise<LiftSuppressionResponse> {
  return call({ method: 'POST', template: '/suppressions/{suppression_id}:lift', params: { suppression_id }, body, ...options });
}
