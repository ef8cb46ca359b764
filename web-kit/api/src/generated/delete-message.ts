// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface DeleteMessageQuery {
  /** asked (the sender wants it deleted), mistaken (not for the hospital) or abusive. */
  reason: 'asked' | 'mistaken' | 'abusive';
}

/** Deletes one message and the mails about it. `etag` as above. The audit entry has the reason. */
export function deleteMessage(message_id: string, query: DeleteMessageQuery, options: CallOptions = {}): Promise<void> {
  return call({ method: 'DELETE', template: '/messages/{message_id}', params: { message_id }, query, ...options });
}
