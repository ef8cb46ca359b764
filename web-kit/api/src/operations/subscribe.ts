// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export type SubscribeResponse = Record<string, never>;

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

export interface SubscribeRequestInput {
  check?: FormCheckInput;
  /** At most 254 characters. */
  email: string;
}

/**
 * Sends a mail with a link that confirms the address. The answer is the same whether the address is new, waiting or confirmed, so that
 * it says nothing of anybody. Errors: INVALID_ARGUMENT with google.rpc.BadRequest; RESOURCE_EXHAUSTED reason MESSAGES_MAX.
 */
export function subscribe(body: SubscribeRequestInput, options: CallOptions = {}): Promise<SubscribeResponse> {
  return call({ method: 'POST', template: '/newsletter:subscribe', body, ...options });
}
