// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { SubscribeRequestInput, SubscribeResponse } from './types.ts';

/**
 * Sends a mail with a link that confirms the address. The response is the same for new, pending and confirmed addresses, so it
 * discloses nothing. Errors: INVALID_ARGUMENT with google.rpc.BadRequest; RESOURCE_EXHAUSTED reason MESSAGES_MAX.
 */
export function subscribe(body: SubscribeRequestInput, options: CallOptions = {}): Promise<SubscribeResponse> {
  return call({ method: 'POST', template: '/newsletter:subscribe', body, ...options });
}
