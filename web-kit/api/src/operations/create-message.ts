// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface MessageMeta {
  /** Thread of a blog comment, at most 200 characters. */
  threadId: string;
  /** When the visitor wrote it. */
  createdAt: string;
}

export interface Message {
  /** Output only. */
  id: string;
  /** 1 to 120 characters. */
  name: string;
  /** At most 254 characters. Required for an enquiry. */
  email: string;
  /** 7 to 15 digits. Required for an enquiry. */
  phone: string;
  /** 1 to 200 characters. */
  subject: string;
  /** 1 to 5000 characters. */
  message: string;
  /** Present for a blog comment. */
  meta: MessageMeta;
  /** Output only. */
  createTime: string;
}

export interface MessageMetaInput {
  /** Thread of a blog comment, at most 200 characters. */
  threadId?: string;
  /** When the visitor wrote it. */
  createdAt?: string;
}

export interface MessageInput {
  /** 1 to 120 characters. */
  name?: string;
  /** At most 254 characters. Required for an enquiry. */
  email?: string;
  /** 7 to 15 digits. Required for an enquiry. */
  phone?: string;
  /** 1 to 200 characters. */
  subject?: string;
  /** 1 to 5000 characters. */
  message?: string;
  /** Present for a blog comment. */
  meta?: MessageMetaInput;
}

/**
 * Accepts an enquiry, or the notification of a blog comment (with `meta.thread_id`).
 * Errors: INVALID_ARGUMENT with google.rpc.BadRequest; INVALID_ARGUMENT reason REQUEST_ID_REUSED.
 */
export function createMessage(body: MessageInput, options: CallOptions = {}): Promise<Message> {
  return call({ method: 'POST', template: '/messages', body, ...options });
}
