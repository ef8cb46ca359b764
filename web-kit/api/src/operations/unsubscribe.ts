// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export type UnsubscribeResponse = Record<string, never>;

export interface UnsubscribeRequestInput {
  /** Of the link, at most 128 characters. */
  token?: string;
}

/** Ends the subscription of the link, also one that was not confirmed. Again, or a wrong link: the same answer. */
export function unsubscribe(body: UnsubscribeRequestInput, options: CallOptions = {}): Promise<UnsubscribeResponse> {
  return call({ method: 'POST', template: '/newsletter:unsubscribe', body, isRateExempt: true, ...options });
}
