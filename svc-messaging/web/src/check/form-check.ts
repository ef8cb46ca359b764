/** Spam check of a form that needs no interaction: see `FormCheck` of the contract. */
import type { FormCheckInput } from '@hospital/api/types';
import type { Failure, FormContext } from '@hospital/form/declaration';

export interface CheckContext extends FormContext {
  /** Returns the script's evidence about the sender; absent without script. */
  check?: () => FormCheckInput;
}

/** Maximum time for computing a proof before the message is sent without one, in milliseconds. */
const PROOF_MS_MAX = 20_000;
/** Maximum bits that are computed. The API requests at most 19; a browser needs minutes for more than 24. */
const BITS_MAX = 24;

/** Returns the spam check for a body sent by the script. */
export function fleetingCheck({ check }: CheckContext): Record<string, unknown> {
  return { check: check?.() };
}

/** Returns the spam check for a native post: the honeypot field, if it is not empty. */
export function nativeCheck(website: string): { check?: FormCheckInput } {
  return website ? { check: { website } } : {};
}

/**
 * Computes the proof of work that the API requests. If no proof is found in time, the message is sent as one from a
 * sender that cannot compute proofs. Staff then review it; no message is lost.
 */
export async function retryWithProof(
  { reason, metadata }: Failure,
  fleeting: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Record<string, unknown> | null> {
  const check = (fleeting.check ?? {}) as FormCheckInput;
  if (reason !== 'PROOF_REQUIRED' || !check.canProve) return null;
  // A refused proof, for example one that took too long, is not recomputed.
  const proof = check.proof ? null : await proofOf(metadata ?? {}, signal);
  return { check: proof ? { ...check, proof } : { ...check, proof: '', canProve: false } };
}

async function proofOf({ challenge = '', bits = '' }: Failure['metadata'] & object, signal: AbortSignal) {
  const count = Number(bits);
  if (!challenge || !Number.isInteger(count) || count < 1 || count > BITS_MAX) return null;
  try {
    const { findProof } = await import('./proof.ts');
    return await findProof(challenge, count, { signal, msMax: PROOF_MS_MAX });
  } catch (error) {
    // The module could not be loaded; the message is sent without a proof.
    console.warn('no proof', error);
    return null;
  }
}
