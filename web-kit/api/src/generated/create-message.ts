// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { Message, MessageInput } from './types.ts';

/**
 * Accepts an enquiry, or the notification of a blog comment (with `meta.thread_id`).
 * Errors: INVALID_ARGUMENT with google.rpc.BadRequest; INVALID_ARGUMENT reason REQUEST_ID_REUSED; FAILED_PRECONDITION reason
 * PROOF_REQUIRED with metadata `challenge` and `bits`: send the same again with `check.proof`; RESOURCE_EXHAUSTED reason
 * MESSAGES_MAX when the network sent too many. What looks like spam and has no proof is taken like anything else and waits, apart,
 * for somebody to look at it.
 */
export function createMessage(body: MessageInput, options: KeyedCallOptions): Promise<Message> {
  return call({ method: 'POST', template: '/messages', body, ...options });
}
