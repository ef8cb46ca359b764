// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { EraseSenderRequestInput, EraseSenderResponse } from './types.ts';

/** Erases everything stored under an e-mail address or a phone number: messages, waiting and sent mails, the subscription. */
export function eraseSender(body: EraseSenderRequestInput, options: CallOptions = {}): Promise<EraseSenderResponse> {
  return call({ method: 'POST', template: '/senders:erase', body, ...options });
}
