// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { CancelRegistrationRequestInput, CancelRegistrationResponse } from './types.ts';

/**
 * Gives the place of a registration back, by the token of a link in its mail. Repeatable. Errors: NOT_FOUND reason LINK_UNKNOWN for a
 * forged token.
 */
export function cancelRegistration(body: CancelRegistrationRequestInput, options: CallOptions = {}): Promise<CancelRegistrationResponse> {
  return call({ method: 'POST', template: '/registrations:cancel', body, ...options });
}
