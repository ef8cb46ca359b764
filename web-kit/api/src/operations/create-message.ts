// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';

export interface MessageMeta {
  /** When the visitor wrote it. */
  createdAt: string;
  /** Thread of a blog comment, at most 200 characters. */
  threadId: string;
}

export interface Message {
  /** Output only. */
  createTime: string;
  /** At most 254 characters. Required for an enquiry. */
  email: string;
  /** Output only. */
  id: string;
  /** 1 to 5000 characters. */
  message: string;
  /** Present for a blog comment. */
  meta: MessageMeta;
  /** 1 to 120 characters. */
  name: string;
  /** 7 to 15 digits. Required for an enquiry. */
  phone: string;
  /** 1 to 200 characters. */
  subject: string;
}

export interface MessageMetaInput {
  /** When the visitor wrote it. */
  createdAt?: string;
  /** Thread of a blog comment, at most 200 characters. */
  threadId?: string;
}

export interface MessageInput {
  /** At most 254 characters. Required for an enquiry. */
  email?: string;
  /** 1 to 5000 characters. */
  message?: string;
  /** Present for a blog comment. */
  meta?: MessageMetaInput;
  /** 1 to 120 characters. */
  name?: string;
  /** 7 to 15 digits. Required for an enquiry. */
  phone?: string;
  /** 1 to 200 characters. */
  subject?: string;
}

/**
 * Accepts an enquiry, or the notification of a blog comment (with `meta.thread_id`).
 * Errors: INVALID_ARGUMENT with google.rpc.BadRequest; INVALID_ARGUMENT reason REQUEST_ID_REUSED.
 */
export function createMessage(body: MessageInput, options: KeyedCallOptions): Promise<Message> {
  return call({ method: 'POST', template: '/messages', body, ...options });
}
