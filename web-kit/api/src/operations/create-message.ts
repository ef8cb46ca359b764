// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';

/** Evidence against robots. All fields are optional, never stored, and ignored when requests are compared. */
export interface FormCheck {
  /** Whether the sender can compute a proof (a script is running). */
  canProve: boolean;
  /** Response to PROOF_REQUIRED: `<challenge>.<number>` whose SHA-256 begins with `bits` zero bits. At most 300 characters. */
  proof: string;
  /** From GetFormToken. At most 200 characters. */
  token: string;
  /** Honeypot field, invisible to people. Any value is suspicious. */
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

/** Evidence against robots. All fields are optional, never stored, and ignored when requests are compared. */
export interface FormCheckInput {
  /** Whether the sender can compute a proof (a script is running). */
  canProve?: boolean;
  /** Response to PROOF_REQUIRED: `<challenge>.<number>` whose SHA-256 begins with `bits` zero bits. At most 300 characters. */
  proof?: string;
  /** From GetFormToken. At most 200 characters. */
  token?: string;
  /** Honeypot field, invisible to people. Any value is suspicious. */
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
 * PROOF_REQUIRED with metadata `challenge` and `bits`: resend the request with `check.proof`; RESOURCE_EXHAUSTED reason
 * MESSAGES_MAX if the network has sent too many. Suspected spam without a proof gets the usual response and is quarantined for
 * review by staff.
 */
export function createMessage(body: MessageInput, options: KeyedCallOptions): Promise<Message> {
  return call({ method: 'POST', template: '/messages', body, ...options });
}
