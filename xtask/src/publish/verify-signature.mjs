// Fails unless a signature covers a context line followed by standard input. Arguments: the public key (32 bytes in
// base64), the context line, and the signature in base64.
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [publicKey, context, signature] = process.argv.slice(-3);
// The header of an Ed25519 key in DER (RFC 8410).
const header = Buffer.from('302a300506032b6570032100', 'hex');
const encoded = Buffer.concat([header, Buffer.from(publicKey, 'base64')]);
const key = createPublicKey({ key: encoded, format: 'der', type: 'spki' });
const bytes = Buffer.concat([Buffer.from(context), readFileSync(0)]);
if (!verify(null, bytes, key, Buffer.from(signature, 'base64'))) {
  console.error('the signature is not of this key and these bytes');
  process.exitCode = 1;
}
