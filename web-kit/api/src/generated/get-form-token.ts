// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { GetFormTokenResponse } from './types.ts';

/**
 * A token that says when somebody began to fill in a form. Fetched when the first field is touched, not with the page, which may
 * come from a cache.
 */
export function getFormToken(options: CallOptions = {}): Promise<GetFormTokenResponse> {
  return call({ method: 'GET', template: '/form-token', isRateExempt: true, ...options });
}
