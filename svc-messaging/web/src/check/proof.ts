/**
 * A proof of work: a number that, after the challenge and a dot, gives a SHA-256 that begins with enough zero bits. It costs a browser
 * a second, and whoever sends thousands of messages a day. A module of its own, as almost nobody is asked for one. The service's
 * other half runs the same cases of `svc-messaging/vectors/proof.json`.
 */
import { sha256 } from '@noble/hashes/sha2.js';

/** The longest that the page does not answer to the visitor, in milliseconds. */
const SLICE_MS_MAX = 24;
/** Hashes between two looks at the clock. */
const BATCH = 200;

export interface Limits {
  signal: AbortSignal;
  /** After this it is given up. */
  msMax: number;
}

/** The proof, or null when it was not found in time or nobody waits for it any more. */
export async function findProof(challenge: string, bits: number, { signal, msMax }: Limits): Promise<string | null> {
  const prefix = sha256.create().update(encode(`${challenge}.`));
  // Used again for each number: making new ones takes longer than hashing.
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

/** How many zero bits the hash of a text begins with. */
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
