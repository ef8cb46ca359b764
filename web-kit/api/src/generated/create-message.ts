// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { Message, MessageInput } from './types.ts';

/**
 * Accepts an enquiry, the notification of a blog comment (with `meta.thread_id`), or the registration for an event (with
 * `registration`).
 * Errors: INVALID_ARGUMENT with google.rpc.BadRequest; INVALID_ARGUMENT reason REQUEST_ID_REUSED; FAILED_PRECONDITION reason
 * PROOF_REQUIRED with metadata `challenge` and `bits`: resend the request with `check.proof`; RESOURCE_EXHAUSTED reason
 * MESSAGES_MAX if the network has sent too many. Suspected spam without a proof gets the usual response and is quarantined for
 * review by staff.
 */
export function createMessage(body: MessageInput, options: KeyedCallOptions): Promise<Message> {
  return call({ method: 'POST', template: '/messages', body, ...options });
}
