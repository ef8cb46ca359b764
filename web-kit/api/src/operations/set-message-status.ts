// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

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

/** A message as shown to staff. */
export interface InboxMessage {
  etag: string;
  /** E-mail address of the mailbox it was routed to. */
  mailbox: string;
  message: Message;
  /** Signs of spam, for example `links`, `too_fast`. */
  signals: string[];
  status: 'MESSAGE_STATUS_UNSPECIFIED' | 'MESSAGE_STATUS_NEW' | 'MESSAGE_STATUS_TAKEN' | 'MESSAGE_STATUS_DONE' | 'MESSAGE_STATUS_SPAM' | 'MESSAGE_STATUS_QUARANTINED';
  /** Token subject of the assigned staff member. Empty: unassigned. */
  takenBy: string;
  updateTime: string;
}

export interface SetMessageStatusRequestInput {
  status: 'MESSAGE_STATUS_UNSPECIFIED' | 'MESSAGE_STATUS_NEW' | 'MESSAGE_STATUS_TAKEN' | 'MESSAGE_STATUS_DONE' | 'MESSAGE_STATUS_SPAM' | 'MESSAGE_STATUS_QUARANTINED';
}

/**
 * Sets the status. new → taken → done; quarantined → new (forwarded and acknowledged like a new message); any but done → spam;
 * spam → new. Otherwise: FAILED_PRECONDITION reason STATUS_NOT_ALLOWED. `etag` must be current, else ABORTED reason ETAG_MISMATCH.
 * Setting the same status again has no effect.
 */
export function setMessageStatus(message_id: string, body: SetMessageStatusRequestInput, options: CallOptions = {}): Promise<InboxMessage> {
  return call({ method: 'POST', template: '/messages/{message_id}:setStatus', params: { message_id }, body, ...options });
}
