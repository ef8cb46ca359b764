// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { InboxMessage } from './types.ts';

/** Get message */
export function getMessage(message_id: string, options: CallOptions = {}): Promise<InboxMessage> {
  return call({ method: 'GET', template: '/messages/{message_id}', params: { message_id }, ...options });
}
