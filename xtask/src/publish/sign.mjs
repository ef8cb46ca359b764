// Prints a signature in base64 over a context line followed by standard input. Arguments: the key file (Ed25519 as
// PKCS#8 in PEM) and the context line, which states the purpose of the signature.
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [keyFile, context] = process.argv.slice(-2);
const key = createPrivateKey(readFileSync(keyFile));
if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${keyFile} is no Ed25519 key`);
process.stdout.write(sign(null, Buffer.concat([Buffer.from(context), readFileSync(0)]), key).toString('base64'));
