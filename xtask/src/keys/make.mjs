// Creates keys for a laptop and for tests. `make.mjs FOLDER SERVICE…` writes:
//   FOLDER/SERVICE.toml   for the sealed fields of each service
//   FOLDER/form.key       for native forms
//   FOLDER/notice.token   which svc-booking presents to svc-messaging
//   FOLDER/session.keys   for the gateway's cookies
//   FOLDER/token.pem      with which the gateway signs its tokens; FOLDER/token.jwks.json: its public key
//   FOLDER/staff-client.secret  which the gateway presents to the issuer of staff sign-ins
// Existing files are never overwritten: without its key, a sealed row cannot be read again.
import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;
const [folder, ...services] = process.argv.slice(2);
const key = () => randomBytes(KEY_BYTES).toString('base64');

mkdirSync(folder, { recursive: true });
chmodSync(folder, 0o700);
for (const service of services) {
  make(`${service}.toml`, () => `active = "k1"\nindex_key = "${key()}"\n\n[keys]\nk1 = "${key()}"\n`);
}
make('form.key', () => randomBytes(KEY_BYTES));
make('notice.token', () => `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
make('session.keys', () => `${key()}\n`);
make('staff-client.secret', () => `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
make('token.pem', () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
make('token.jwks.json', () => `${JSON.stringify({ keys: [publicKey('token.pem')] }, null, 2)}\n`);

/** Returns the public key of a private one as a JWK, with its thumbprint (RFC 7638) as the key id. */
function publicKey(name) {
  const { crv, kty, x } = createPublicKey(readFileSync(join(folder, name))).export({ format: 'jwk' });
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  return { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' };
}

function make(name, content) {
  const file = join(folder, name);
  if (existsSync(file)) return;
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, content(), { mode: 0o600, flag: 'wx' });
  try {
    // Unlike a rename, this fails if a concurrent run has already created the file.
    linkSync(unfinished, file);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished);
  }
}
