import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProof, zeroBitsOf } from './proof.ts';

interface Case {
  challenge: string;
  bits: number;
  proof: string;
  zeroBits: number;
  why: string;
}

const { cases } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../vectors/proof.json'), 'utf8')) as {
  cases: Case[];
};
const limits = (change = {}) => ({ signal: new AbortController().signal, msMax: 60_000, ...change });

describe('the vectors shared with the service', () => {
  it.each(cases)('$proof begins with $zeroBits zero bits', ({ proof, zeroBits }) => {
    expect(zeroBitsOf(proof)).toBe(zeroBits);
  });

  it.each(cases.filter(({ why }) => why === 'the first number that does'))(
    'finds $proof',
    async ({ challenge, bits, proof }) => expect(await findProof(challenge, bits, limits())).toBe(proof),
  );
});

it('yields to the page, and stops when aborted', async () => {
  const abort = new AbortController();
  const found = findProof('endless', 256, limits({ signal: abort.signal }));
  const begun = performance.now();
  await new Promise((next) => setTimeout(next));
  expect(performance.now() - begun).toBeLessThan(1000);
  abort.abort();
  expect(await found).toBeNull();
});

it('gives up when it takes too long', async () => {
  expect(await findProof('endless', 256, limits({ msMax: 30 }))).toBeNull();
});
