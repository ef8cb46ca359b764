/**
 * Proof of work: finds a number that, appended to the challenge and a dot, gives a SHA-256 with enough leading zero
 * bits. It costs a browser about a second, and a sender of thousands of messages a day far more. A separate module,
 * because few visitors need it. The service runs the same cases of `svc-messaging/vectors/proof.json`.
 */
import { sha256 } from '@noble/hashes/sha2.js';

/** Maximum time that the main thread is blocked, in milliseconds. */
const SLICE_MS_MAX = 24;
/** Hashes between two checks of the clock. */
const BATCH = 200;

export interface Limits {
  signal: AbortSignal;
  /** Timeout in milliseconds. */
  msMax: number;
}

/** Returns the proof, or null after a timeout or abort. */
export async function findProof(challenge: string, bits: number, { signal, msMax }: Limits): Promise<string | null> {
  const prefix = sha256.create().update(encode(`${challenge}.`));
  // Reused for each number, because creating a hash object takes longer than hashing.
  const hash = sha256.create();
  const digest = new Uint8Array(hash.outputLen);
  const end = performance.now() + msMax;
  for (let number = 0; ;) {
    for (const slice = performance.now() + SLICE_MS_MAX; performance.now() < slice;) {
      for (const batch = number + BATCH; number < batch; number += 1) {
        prefix
          ._cloneInto(hash)
          .update(encode(String(number)))
          .digestInto(digest);
        if (leadingZeroBits(digest) >= bits) return `${challenge}.${number}`;
      }
    }
    if (signal.aborted || performance.now() >= end) return null;
    await new Promise((next) => setTimeout(next));
  }
}

/** Returns the number of leading zero bits of the hash of a text. */
export function zeroBitsOf(text: string): number {
  return leadingZeroBits(sha256(encode(text)));
}

function leadingZeroBits(digest: Uint8Array): number {
  const first = digest.findIndex((byte) => byte !== 0);
  return first < 0 ? digest.length * 8 : first * 8 + Math.clz32(digest[first] as number) - 24;
}

const encoder = new TextEncoder();

function encode(text: string): Uint8Array {
  return encoder.encode(text);
}
