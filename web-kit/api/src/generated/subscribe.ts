// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { SubscribeRequestInput, SubscribeResponse } from './types.ts';

/**
 * Sends a mail with a link that confirms the address. The answer is the same whether the address is new, waiting or confirmed, so that
 * it says nothing of anybody. Errors: INVALID_ARGUMENT with google.rpc.BadRequest; RESOURCE_EXHAUSTED reason MESSAGES_MAX.
 */
export function subscribe(body: SubscribeRequestInput, options: CallOptions = {}): Promise<SubscribeResponse> {
  return call({ method: 'POST', template: '/newsletter:subscribe', body, ...options });
}
