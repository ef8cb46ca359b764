// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { GetFormTokenResponse } from './types.ts';

/**
 * Returns a token with the time at which a visitor began to fill in a form. Fetch it on the first input, not with the page, which
 * may come from a cache.
 */
export function getFormToken(options: CallOptions = {}): Promise<GetFormTokenResponse> {
  return call({ method: 'GET', template: '/form-token', isRateExempt: true, ...options });
}
