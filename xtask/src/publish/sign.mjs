// Prints the signature, in base64, of a context line and of what stands in its input. Arguments: the key (Ed25519 as PKCS#8 in PEM)
// and the line, which says what the signature is good for.
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [keyFile, context] = process.argv.slice(-2);
const key = createPrivateKey(readFileSync(keyFile));
if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${keyFile} is no Ed25519 key`);
process.stdout.write(sign(null, Buffer.concat([Buffer.from(context), readFileSync(0)]), key).toString('base64'));
