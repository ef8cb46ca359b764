// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { InboxMessage, SetMessageStatusRequestInput } from './types.ts';

/**
 * new → taken → done; quarantined → new (it goes to its mailbox and is acknowledged, as if it had just come); any but done → spam;
 * spam → new. Anything else: FAILED_PRECONDITION reason STATUS_NOT_ALLOWED. `etag` as read, else ABORTED reason ETAG_MISMATCH.
 * The same status again changes nothing.
 */
export function setMessageStatus(message_id: string, body: SetMessageStatusRequestInput, options: CallOptions = {}): Promise<InboxMessage> {
  return call({ method: 'POST', template: '/messages/{message_id}:setStatus', params: { message_id }, body, ...options });
}
