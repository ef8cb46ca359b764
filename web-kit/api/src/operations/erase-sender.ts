// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface EraseSenderResponse {
  mails: number;
  messages: number;
  subscriptions: number;
}

export interface EraseSenderRequestInput {
  /** One of both at least. */
  email?: string;
  phone?: string;
}

/** Erases what is kept under an e-mail address or a phone number: messages, mails that wait or were sent, the subscription. */
export function eraseSender(body: EraseSenderRequestInput, options: CallOptions = {}): Promise<EraseSenderResponse> {
  return call({ method: 'POST', template: '/senders:erase', body, ...options });
}
