// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface EraseSenderResponse {
  mails: number;
  messages: number;
  subscriptions: number;
}

export interface EraseSenderRequestInput {
  /** At least one of the two. */
  email?: string;
  phone?: string;
}

/** Erases everything stored under an e-mail address or a phone number: messages, waiting and sent mails, the subscription. */
export function eraseSender(body: EraseSenderRequestInput, options: CallOptions = {}): Promise<EraseSenderResponse> {
  return call({ method: 'POST', template: '/senders:erase', body, ...options });
}
