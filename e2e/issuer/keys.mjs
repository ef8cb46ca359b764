/** Signing keys of the laptop issuer. */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Returns a private key of each algorithm and the key that signs cookies, so that `--algorithm` may change without new
 * keys. Reads them from `file`, which is created with mode 600. Without a file, the keys are new.
 */
export function signingKeys(file) {
  if (file && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const keys = {
    jwks: {
      keys: [
        jwk('RS256', generateKeyPairSync('rsa', { modulusLength: 2048 })),
        jwk('EdDSA', generateKeyPairSync('ed25519')),
      ],
    },
    cookies: [randomBytes(32).toString('base64url')],
  };
  if (file) {
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
    renameSync(unfinished, file);
  }
  return keys;
}

function jwk(alg, { privateKey }) {
  return { ...privateKey.export({ format: 'jwk' }), alg, use: 'sig', kid: randomUUID() };
}
