/** Settings of the laptop issuer, parsed from flags and environment. */
import { readFileSync } from 'node:fs';
import { isIPv4, isIPv6 } from 'node:net';
import { parseArgs } from 'node:util';

export const USAGE = `Usage: node e2e/issuer/issuer.mjs [flags]

An OpenID Connect issuer with test accounts whose passwords are known, for loopback only.

  --listen ADDRESS               loopback address and port (default 127.0.0.1:9400; port 0 picks a free port)
  --host-name NAME               127.0.0.1, [::1] or localhost: host of the issuer's address (default that of --listen)
  --client-id ID                 client id of the gateway (default hospital-gateway)
  --client-secret-file FILE      its secret; without the flag, the variable CLIENT_SECRET
  --redirect-uri URL             where a sign-in returns to; repeatable
  --post-logout-uri URL          where a sign-out returns to; repeatable
  --back-channel-logout-uri URL  where the issuer announces the end of a session
  --keys FILE                    keeps the signing keys across restarts (default: new keys at each start)
  --algorithm NAME               RS256 or EdDSA (default RS256)
`;
const ALGORITHMS = ['RS256', 'EdDSA'];
/** Fewer bytes could be guessed. */
const SECRET_BYTES_MIN = 16;

/**
 * Parses the settings.
 *
 * @throws {Error} If a flag is unknown, a required one is missing, or an address is not loopback.
 */
export function parse(args, environment) {
  const text = { type: 'string' };
  const list = { type: 'string', multiple: true, default: [] };
  const { values } = parseArgs({
    args,
    options: {
      listen: { ...text, default: '127.0.0.1:9400' },
      'host-name': text,
      'client-id': { ...text, default: 'hospital-gateway' },
      'client-secret-file': text,
      'redirect-uri': list,
      'post-logout-uri': list,
      'back-channel-logout-uri': text,
      keys: text,
      algorithm: { ...text, default: 'RS256' },
    },
  });
  const file = values['client-secret-file'];
  const secret = (file ? readFileSync(file, 'utf8') : (environment.CLIENT_SECRET ?? '')).trim();
  if (secret.length < SECRET_BYTES_MIN) {
    throw new Error(`--client-secret-file or CLIENT_SECRET must have at least ${SECRET_BYTES_MIN} characters`);
  }
  if (!values['redirect-uri'].length) throw new Error('--redirect-uri is required');
  if (!ALGORITHMS.includes(values.algorithm)) throw new Error(`--algorithm must be ${ALGORITHMS.join(' or ')}`);
  const hostName = values['host-name'];
  if (hostName) loopbackUrl('--host-name', `http://${hostName}`);
  const backChannel = values['back-channel-logout-uri'];
  return {
    ...loopbackAddress(values.listen),
    hostName,
    clientId: values['client-id'],
    secret,
    redirectUris: values['redirect-uri'].map((url) => loopbackUrl('--redirect-uri', url)),
    postLogoutUris: values['post-logout-uri'].map((url) => loopbackUrl('--post-logout-uri', url)),
    backChannelLogoutUri: backChannel && loopbackUrl('--back-channel-logout-uri', backChannel),
    keys: values.keys,
    algorithm: values.algorithm,
  };
}

/** Parses `HOST:PORT`. The passwords are known, so any other address than loopback is refused. */
function loopbackAddress(text) {
  const [, host, port] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (!host || Number(port) > 65_535) throw new Error(`--listen ${text} is not an address and a port`);
  if (!isLoopback(host)) throw new Error(`--listen ${text} is not loopback: the passwords of this issuer are known`);
  return { host, port: Number(port) };
}

/** Accepts URLs of this machine only: an account with a known password must not open any other site. */
function loopbackUrl(flag, text) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const host = url?.hostname.replace(/^\[|\]$/g, '');
  if (!['http:', 'https:'].includes(url?.protocol) || !(host === 'localhost' || isLoopback(host))) {
    throw new Error(`${flag} ${text} is not on this machine: the passwords of this issuer are known`);
  }
  return text;
}

function isLoopback(host) {
  return (isIPv4(host) && host.startsWith('127.')) || (isIPv6(host) && host === '::1');
}
