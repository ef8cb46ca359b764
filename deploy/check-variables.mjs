/** Environment variables that a program knows, and values that are secret. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Variables whose value is or contains a secret: set by reference only. */
export const SECRET_VARIABLES = ['REDIS_URL', 'RATE_HASH_SECRET', 'SMTP_URL', 'PGPASSWORD', 'POSTGRES_PASSWORD'];
/** Variables that name a secret's file: the file must come from a mounted secret or a credential. */
export const SECRET_FILE_VARIABLES = [
  'SEAL_KEYS_FILE',
  'FORM_KEY_FILE',
  'STAFF_CLIENT_SECRET_FILE',
  'SESSION_KEYS_FILE',
  'TOKEN_KEY_FILE',
  'TLS_KEY',
  'UPSTREAM_KEY',
  'DKIM_KEY_FILE',
  'DKIM_ED25519_KEY_FILE',
  'NOTICE_TOKEN_FILE',
  'MESSAGING_TOKEN_FILE',
  'NOTIFY_WEBHOOK_KEY_FILE',
  'SMS_TOKEN_FILE',
  'SIGNING_KEY_FILE',
  'PGPASSFILE',
];
/**
 * Variables that programs with a database read besides their flags. It is libpq's name for the password file of a
 * `postgres:` URL without a password.
 */
const LIBPQ = ['PGPASSFILE'];
/** Settings without which the gateway has no staff area, or forgets at a restart who has signed out. */
const SIGN_IN = [
  'SITE_ORIGINS',
  'STAFF_ISSUER',
  'STAFF_CLIENT_ID',
  'STAFF_CLIENT_SECRET_FILE',
  'STAFF_ROLES',
  'STAFF_ENDED_FILE',
  'SESSION_KEYS_FILE',
  'TOKEN_KEY_FILE',
];
/** Settings of a service, with the issuer and audience of the gateway's tokens. Services accept no other tokens. */
const TOKENS = { JWKS_FILE: undefined, JWT_ISSUER: 'gateway', JWT_AUDIENCE: 'hospital-services' };
const PASSWORD_IN_URL = /[a-z]:\/\/[^/\s@]*:[^/\s@]+@/;

/** Returns the variable names in a program's `--help` text. */
export function namesInHelp(text) {
  const names = [...text.matchAll(/\[env: ([A-Z][A-Z0-9_]*)[=\]]/g)].map(([, name]) => name);
  return new Set(names.includes('DATABASE_URL') ? [...names, ...LIBPQ] : names);
}

/**
 * Reads the variables of compiled programs from their `--help`.
 *
 * @returns {Map<string, Set<string>>} Names by program.
 * @throws If a program is not built, because its variables would be unknown.
 */
export function askPrograms(programs, folder) {
  return new Map(
    programs.map((program) => {
      const file = join(folder, program);
      if (!existsSync(file)) throw new Error(`${file} is missing: cargo build --workspace --bins --exclude xtask`);
      return [program, namesInHelp(execFileSync(file, ['--help'], { encoding: 'utf8' }))];
    }),
  );
}

/** Returns the problem of a variable's literal value; `undefined` if it is allowed. */
export function literalViolation(name, value) {
  const text = String(value ?? '');
  if (SECRET_VARIABLES.includes(name)) return `${name} is a secret: give it by reference`;
  if (name === 'DATABASE_URL' && /^postgres/.test(text) && PASSWORD_IN_URL.test(text)) {
    return 'DATABASE_URL has a password in it: give it by reference';
  }
  return PASSWORD_IN_URL.test(text) ? `${name} has a password in it: give it by reference` : undefined;
}

/**
 * Returns the problem of a program's settings for staff sign-in; `undefined` if there is none.
 *
 * @param {Set<string> | undefined} known Variables of the program.
 * @param {Record<string, unknown>} settings Its variables with their values; `undefined` for those set by reference.
 */
export function staffViolation(known, settings) {
  const needed = known?.has('STAFF_ISSUER') ? SIGN_IN : known?.has('JWT_ISSUER') ? Object.keys(TOKENS) : [];
  const missing = needed.filter((name) => !(name in settings));
  if (missing.length) return `staff cannot sign in: ${missing.join(', ')} not set`;
  if (/^http:\/\/(?!127\.|localhost\b|\[::1\])/.test(needed === SIGN_IN && settings.SITE_ORIGINS))
    return `SITE_ORIGINS is ${settings.SITE_ORIGINS}: staff sign in over https only`;
  const wrong = needed.find((name) => TOKENS[name] && settings[name] !== TOKENS[name]);
  return wrong && `${wrong} is ${settings[wrong]}, but the gateway signs tokens with ${TOKENS[wrong]}`;
}

/** Returns the problem of an image's name, which must include a version; `undefined` if there is none. */
export function imageViolation(image) {
  const withoutDefaults = String(image ?? '').replaceAll(/\$\{[^}]*\}+/g, 'variable');
  if (/@sha256:[0-9a-f]{64}$/.test(withoutDefaults)) return undefined;
  const tag = /:([\w][\w.-]*)$/.exec(withoutDefaults)?.[1];
  if (!tag) return `${image} has no version`;
  return /^(latest|stable|main|master|edge)$/.test(tag) ? `${image} has a moving tag instead of a version` : undefined;
}
