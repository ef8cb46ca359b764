// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';

/** What tells people from robots. Everything is optional; it is never stored and no part of what makes two requests the same. */
export interface FormCheck {
  /** The sender can compute a proof (a script is running), so that it may be asked for one. */
  canProve: boolean;
  /** Answer to PROOF_REQUIRED: `<challenge>.<number>` whose SHA-256 begins with `bits` zero bits. At most 300 characters. */
  proof: string;
  /** Of GetFormToken. At most 200 characters. */
  token: string;
  /** A field that people do not see. Anything in it is suspicious. */
  website: string;
}

export interface MessageMeta {
  /** When the visitor wrote it. */
  createdAt: string;
  /** Thread of a blog comment, at most 200 characters. */
  threadId: string;
}

export interface Message {
  /** Input only. */
  check: FormCheck;
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
  /** Output only, for example `MS-7K3M-9QXD`. The acknowledgement names it too. */
  reference: string;
  /** 1 to 200 characters. */
  subject: string;
}

/** What tells people from robots. Everything is optional; it is never stored and no part of what makes two requests the same. */
export interface FormCheckInput {
  /** The sender can compute a proof (a script is running), so that it may be asked for one. */
  canProve?: boolean;
  /** Answer to PROOF_REQUIRED: `<challenge>.<number>` whose SHA-256 begins with `bits` zero bits. At most 300 characters. */
  proof?: string;
  /** Of GetFormToken. At most 200 characters. */
  token?: string;
  /** A field that people do not see. Anything in it is suspicious. */
  website?: string;
}

export interface MessageMetaInput {
  /** When the visitor wrote it. */
  createdAt?: string;
  /** Thread of a blog comment, at most 200 characters. */
  threadId?: string;
}

export interface MessageInput {
  /** Input only. */
  check?: FormCheckInput;
  /** At most 254 characters. Required for an enquiry. */
  email?: string;
  /** 1 to 5000 characters. */
  message: string;
  /** Present for a blog comment. */
  meta?: MessageMetaInput;
  /** 1 to 120 characters. */
  name: string;
  /** 7 to 15 digits. Required for an enquiry. */
  phone?: string;
  /** 1 to 200 characters. */
  subject: string;
}

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
