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

/** Returns which settings for staff sign-in are missing from a program that checks tokens; `undefined` if none. */
export function staffViolation(known, names) {
  if (!known?.has('JWT_ISSUER')) return undefined;
  const missing = ['JWT_ISSUER', 'JWT_AUDIENCE'].filter((name) => !names.has(name));
  if (!names.has('JWKS_URL') && !names.has('JWKS_FILE')) missing.unshift('JWKS_URL');
  return missing.length ? `staff cannot sign in: ${missing.join(', ')} not set` : undefined;
}

/** Returns the problem of an image's name, which must include a version; `undefined` if there is none. */
export function imageViolation(image) {
  const withoutDefaults = String(image ?? '').replaceAll(/\$\{[^}]*\}+/g, 'variable');
  if (/@sha256:[0-9a-f]{64}$/.test(withoutDefaults)) return undefined;
  const tag = /:([\w][\w.-]*)$/.exec(withoutDefaults)?.[1];
  if (!tag) return `${image} has no version`;
  return /^(latest|stable|main|master|edge)$/.test(tag) ? `${image} has a moving tag instead of a version` : undefined;
}
