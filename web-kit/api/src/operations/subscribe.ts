// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export type SubscribeResponse = Record<string, never>;

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

export interface SubscribeRequestInput {
  check?: FormCheckInput;
  /** At most 254 characters. */
  email: string;
}

/**
 * Sends a mail with a link that confirms the address. The response is the same for new, pending and confirmed addresses, so it
 * discloses nothing. Errors: INVALID_ARGUMENT with google.rpc.BadRequest; RESOURCE_EXHAUSTED reason MESSAGES_MAX.
 */
export function subscribe(body: SubscribeRequestInput, options: CallOptions = {}): Promise<SubscribeResponse> {
  return call({ method: 'POST', template: '/newsletter:subscribe', body, ...options });
}
