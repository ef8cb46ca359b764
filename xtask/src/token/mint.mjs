// Keys and tokens for a laptop. `mint.mjs keys FOLDER` creates a key pair unless one exists.
// `mint.mjs token FOLDER SCOPE SECONDS` prints a token. Not for production, where a separate issuer signs tokens.
import { createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const AUDIENCE = 'hospital-api';
const [action, folder, scope, seconds] = process.argv.slice(2);
const privateFile = join(folder, 'private.jwk.json');

if (!existsSync(privateFile)) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { privateKey } = generateKeyPairSync('ed25519');
  const kid = randomUUID();
  const { d, ...open } = privateKey.export({ format: 'jwk' });
  writeFileSync(
    join(folder, 'jwks.json'),
    `${JSON.stringify({ keys: [{ ...open, kid, alg: 'EdDSA', use: 'sig' }] }, null, 2)}\n`,
  );
  writeFileSync(privateFile, `${JSON.stringify({ ...open, d, kid })}\n`, { mode: 0o600 });
}

if (action === 'token') {
  const { kid, ...jwk } = JSON.parse(readFileSync(privateFile, 'utf8'));
  const now = Math.floor(Date.now() / 1000);
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = part({ alg: 'EdDSA', typ: 'JWT', kid });
  const body = part({
    iss: 'cargo-xtask',
    sub: 'developer',
    aud: AUDIENCE,
    iat: now,
    exp: now + Number(seconds),
    scope,
  });
  const signature = sign(null, Buffer.from(`${head}.${body}`), createPrivateKey({ key: jwk, format: 'jwk' }));
  console.log(`${head}.${body}.${signature.toString('base64url')}`);
}
