// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { InboxMessage, SetMessageStatusRequestInput } from './types.ts';

/**
 * Sets the status. new → taken → done; taken → new gives it back; quarantined → new (forwarded and acknowledged like a new message); any but done → spam;
 * spam → new. Otherwise: FAILED_PRECONDITION reason STATUS_NOT_ALLOWED. `etag` must be current, else ABORTED reason ETAG_MISMATCH.
 * Setting the same status again has no effect, but a message that another person has taken cannot be taken.
 */
export function setMessageStatus(message_id: string, body: SetMessageStatusRequestInput, options: CallOptions = {}): Promise<InboxMessage> {
  return call({ method: 'POST', template: '/messages/{message_id}:setStatus', params: { message_id }, body, ...options });
}
