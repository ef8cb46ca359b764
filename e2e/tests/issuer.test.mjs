/** The laptop issuer: loopback only, PKCE required, and claims as those of a hospital's issuer. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startIssuer } from '../issuer/program.mjs';
import { ONCE } from '../system.mjs';

const SCRIPT = new URL('../issuer/issuer.mjs', import.meta.url);
const SITE = 'http://127.0.0.1:8080';
const SECRET = 'a secret of the tests';

describe('the laptop issuer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'issuer-'));
  const secretFile = join(folder, 'secret');
  const keys = join(folder, 'keys.json');
  let issuer;
  let origin;
  before(async () => {
    writeFileSync(secretFile, `${SECRET}\n`);
    issuer = await startIssuer({ origin: SITE, secretFile, logDir: folder, flags: ['--keys', keys] });
    origin = `http://localhost:${issuer.port}`;
  });
  after(async () => {
    await issuer?.stop();
    rmSync(folder, { recursive: true });
  });

  for (const [what, flags, expected] of [
    ['every address of the machine', ['--listen', '0.0.0.0:0'], /--listen 0\.0\.0\.0:0 is not loopback/],
    ['a private address', ['--listen', '192.168.0.1:9400'], /is not loopback/],
    ['a name', ['--listen', 'localhost:9400'], /is not loopback/],
    ['a public name', ['--host-name', 'id.example.org'], /--host-name .* is not on this machine/],
    ['a public site', ['--redirect-uri', 'https://www.example.org/staff/callback'], /--redirect-uri .* is not on this/],
    ['no secret', ['--client-secret-file', '/dev/null'], /must have at least 16 characters/],
  ]) {
    test(`refuses ${what}`, () => {
      const args = [SCRIPT.pathname, '--listen', '127.0.0.1:0', '--client-secret-file', secretFile, ...flags];
      const { status, stderr } = spawnSync(process.execPath, [...args, '--redirect-uri', SITE], { encoding: 'utf8' });
      assert.equal(status, 2, stderr);
      assert.match(stderr, expected);
    });
  }

  test('describes itself, and answers only to its own name', async () => {
    const read = (host) => fetch(`http://${host}:${issuer.port}/.well-known/openid-configuration`, { headers: ONCE });
    const found = await (await read('localhost')).json();
    assert.equal(found.issuer, origin);
    assert.deepEqual(found.code_challenge_methods_supported, ['S256']);
    assert.equal(found.backchannel_logout_supported, true);
    assert.ok(found.end_session_endpoint && found.id_token_signing_alg_values_supported.includes('RS256'));
    assert.equal((await read('127.0.0.1')).status, 421);
    const { keys: open } = await (await fetch(found.jwks_uri, { headers: ONCE })).json();
    assert.ok(open.length && open.every((key) => !('d' in key)));
  });

  test('keeps its signing keys in a file of its own', async () => {
    assert.equal(statSync(keys).mode & 0o777, 0o600);
    const first = readFileSync(keys, 'utf8');
    await issuer.stop();
    await issuer.start();
    assert.equal(readFileSync(keys, 'utf8'), first);
  });

  /** Follows redirects with cookies until the site or a page. Returns the last response and its address. */
  async function browse(address, cookies, init = {}) {
    let url = new URL(address);
    let options = init;
    for (;;) {
      const Cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const response = await fetch(url, { redirect: 'manual', ...options, headers: { ...ONCE, Cookie } });
      for (const line of response.headers.getSetCookie()) cookies.set(...line.split(';')[0].split(/=(.*)/s, 2));
      const location = response.headers.get('location');
      if (!location) return { url, response };
      url = new URL(location, url);
      options = {};
      if (url.origin === SITE) return { url, response };
    }
  }

  function authorization(further = {}) {
    const query = {
      client_id: 'hospital-gateway',
      response_type: 'code',
      scope: 'openid profile',
      state: 's',
      ...further,
    };
    return `${origin}/auth?${new URLSearchParams({ redirect_uri: `${SITE}/staff/callback`, nonce: 'n', ...query })}`;
  }

  test('refuses a sign-in without PKCE', async () => {
    const { url } = await browse(authorization(), new Map());
    assert.equal(url.searchParams.get('error'), 'invalid_request');
    assert.match(url.searchParams.get('error_description'), /PKCE/);
  });

  test('refuses another site', async () => {
    const { response } = await browse(authorization({ redirect_uri: 'http://127.0.0.1:1/staff/callback' }), new Map());
    assert.equal(response.status, 400);
    assert.match(await response.text(), /redirect_uri/);
  });

  test('names the person and the group in the ID token', async () => {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const cookies = new Map();
    const asked = await browse(authorization({ code_challenge: challenge, code_challenge_method: 'S256' }), cookies);
    assert.match(await asked.response.text(), /<h1>Sign in<\/h1>/);
    const form = (password) => ({ method: 'POST', body: new URLSearchParams({ account: 'doctor', password }) });
    assert.equal((await browse(asked.url, cookies, form('manager'))).response.status, 403);
    const { url } = await browse(asked.url, cookies, form('doctor'));
    assert.equal(`${url.origin}${url.pathname}`, `${SITE}/staff/callback`);
    const answer = await fetch(`${origin}/token`, {
      method: 'POST',
      headers: {
        ...ONCE,
        Authorization: `Basic ${Buffer.from(`hospital-gateway:${encodeURIComponent(SECRET)}`).toString('base64')}`,
      },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: url.searchParams.get('code'),
        redirect_uri: `${SITE}/staff/callback`,
        code_verifier: verifier,
      }),
    });
    const { id_token: token } = await answer.json();
    const [head, claims] = token.split('.', 2).map((part) => JSON.parse(Buffer.from(part, 'base64url')));
    assert.equal(head.alg, 'RS256');
    const { iss, aud, sub, groups, name, nonce } = claims;
    assert.deepEqual(
      { iss, aud, sub, groups, nonce },
      { iss: origin, aud: 'hospital-gateway', sub: 'doctor', groups: ['doctor'], nonce: 'n' },
    );
    assert.ok(name && claims.sid);
  });
});
