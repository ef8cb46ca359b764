/** Variables of a service, for tests of the checks. */
export const COMMON = [
  'LISTEN',
  'SHUTDOWN_DRAIN_MS_MAX',
  'SEAL_KEYS_FILE',
  'DATABASE_URL',
  'TLS_CERTIFICATE',
  'TLS_KEY',
  'PGPASSFILE',
  'JWKS_URL',
  'JWKS_FILE',
  'JWT_ISSUER',
  'JWT_AUDIENCE',
];

/** Names by program. */
export const VARIABLES = new Map([
  ['gateway', new Set(['LISTEN', 'UPSTREAMS', 'LAME_DUCK_MS', 'SHUTDOWN_DRAIN_MS_MAX', 'REDIS_URL', 'FORM_KEY_FILE'])],
  ['svc-booking', new Set(COMMON)],
]);

/** Settings of the issuer of staff tokens. */
export const STAFF = {
  JWKS_URL: 'https://id.example.org/certs',
  JWT_ISSUER: 'https://id.example.org',
  JWT_AUDIENCE: 'hospital',
};
