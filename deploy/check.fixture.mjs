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
  [
    'gateway',
    new Set([
      'LISTEN',
      'UPSTREAMS',
      'LAME_DUCK_MS',
      'SHUTDOWN_DRAIN_MS_MAX',
      'REDIS_URL',
      'FORM_KEY_FILE',
      'JWT_ISSUER',
      'SITE_ORIGINS',
      'STAFF_ISSUER',
      'STAFF_CLIENT_ID',
      'STAFF_CLIENT_SECRET_FILE',
      'STAFF_ROLES',
      'STAFF_ENDED_FILE',
      'SESSION_KEYS_FILE',
      'TOKEN_KEY_FILE',
    ]),
  ],
  ['svc-booking', new Set(COMMON)],
]);

/** Settings of a service that accepts the gateway's tokens. */
export const TOKENS = {
  JWKS_FILE: '/run/config/jwks.json',
  JWT_ISSUER: 'gateway',
  JWT_AUDIENCE: 'hospital-services',
};

/**
 * Returns the gateway's settings for staff sign-in.
 *
 * @param {string} folder Folder of its secrets.
 */
export const signIn = (folder) => ({
  SITE_ORIGINS: 'https://www.example.org',
  STAFF_ISSUER: 'https://id.example.org',
  STAFF_CLIENT_ID: 'hospital-gateway',
  STAFF_CLIENT_SECRET_FILE: `${folder}/staff-client.secret`,
  STAFF_ROLES: '/etc/hospital/staff-roles.toml',
  STAFF_ENDED_FILE: '/state/staff-ended',
  SESSION_KEYS_FILE: `${folder}/session.keys`,
  TOKEN_KEY_FILE: `${folder}/token.pem`,
});
