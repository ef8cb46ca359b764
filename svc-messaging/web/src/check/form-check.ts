/** What tells people from robots without asking people anything: see `FormCheck` of the contract. */
import type { FormCheckInput } from '@hospital/api/create-message';
import type { Failure, FormContext } from '@hospital/form/declaration';

export interface CheckContext extends FormContext {
  /** What the script knows of whoever fills in the form; absent without script. */
  check?: () => FormCheckInput;
}

/** The longest that a browser computes before the message goes without a proof, in milliseconds. */
const PROOF_MS_MAX = 20_000;
/** The API asks for 19 at most; a browser needs minutes for more than 24. */
const BITS_MAX = 24;

/** Part of each body that the script sends. */
export function fleetingCheck({ check }: CheckContext): Record<string, unknown> {
  return { check: check?.() };
}

/** Part of the body of a native post: the field that people do not see, if anything is in it. */
export function nativeCheck(website: string): { check?: FormCheckInput } {
  return website ? { check: { website } } : {};
}

/**
 * Computes the proof that the API asks for. Without one, in time or at all, the message goes as that of a sender who cannot give any,
 * and somebody of the hospital looks at it: it is never lost.
 */
export async function retryWithProof(
  { reason, metadata }: Failure,
  fleeting: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Record<string, unknown> | null> {
  const check = (fleeting.check ?? {}) as FormCheckInput;
  if (reason !== 'PROOF_REQUIRED' || !check.canProve) return null;
  // One that is refused, for example because it took too long, is not computed again.
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
    // The file could not be fetched: the message goes on without a proof.
    console.warn('no proof', error);
    return null;
  }
}
