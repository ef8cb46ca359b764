/** Rules for the units that systemd's own check lacks. Each violation names the file and the setting. */
import { literalViolation, SECRET_FILE_VARIABLES, staffViolation } from './check-variables.mjs';

const TELEMETRY_S = 4;
const REQUIRED = {
  NoNewPrivileges: 'yes',
  ProtectSystem: 'strict',
  ProtectHome: 'yes',
  PrivateTmp: 'yes',
  PrivateDevices: 'yes',
  RestrictNamespaces: 'yes',
  MemoryDenyWriteExecute: 'yes',
  UMask: '0077',
};
/** Variables that the administrator's environment files hold, by file. */
const IN_FILES = {
  '/etc/hospital/gateway.env': ['SITE_ORIGINS'],
  '/etc/hospital/staff.env': ['STAFF_ISSUER', 'STAFF_CLIENT_ID'],
};
const BOUNDED = ['MemoryMax', 'TasksMax', 'TimeoutStartSec'];

/**
 * Parses sections with their settings. Each setting is a list, because it may occur several times. A section that
 * occurs again continues, as in a drop-in file.
 */
export function parse(text) {
  const sections = {};
  let section;
  for (const line of text.replaceAll(/\\\n/g, ' ').split('\n')) {
    const name = /^\[(\w+)\]$/.exec(line)?.[1];
    if (name) section = sections[name] ??= {};
    const [, key, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (key && section) (section[key] ??= []).push(value);
  }
  return sections;
}

/**
 * @param {string} file Name of the unit.
 * @param {string} text Its content, followed by that of its drop-in files.
 * @param {Set<string> | undefined} known Variables of its program; `undefined` for scripts.
 * @returns {string[]} Violations.
 */
export function violations(file, text, known) {
  const { Service: service } = parse(text);
  if (!service?.ExecStart) return [];
  const found = [];
  const say = (setting, what) => found.push(`${file}: ${setting}: ${what}`);
  for (const [setting, value] of Object.entries(REQUIRED)) {
    if (service[setting]?.at(-1) !== value) say(setting, `is not ${value}`);
  }
  for (const setting of BOUNDED) if (!service[setting]) say(setting, 'is not set');
  if (!service.User || service.User.at(-1) === 'root') say('User', 'is root');
  const isOnce = service.Type?.at(-1) === 'oneshot';
  if (!isOnce && service.Restart?.at(-1) !== 'always') say('Restart', 'is not always');
  const variables = Object.fromEntries(
    (service.Environment ?? []).flatMap((line) =>
      line.split(/\s+/).map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)]),
    ),
  );
  const credentials = (service.LoadCredential ?? []).map((line) => line.split(':')[0]);
  for (const [name, value] of Object.entries(variables)) {
    if (known && !known.has(name)) say('Environment', `the program does not know ${name}`);
    const wrong = literalViolation(name, value);
    if (wrong) say('Environment', wrong);
    const credential = /^%d\/(.+)$/.exec(value)?.[1];
    if (SECRET_FILE_VARIABLES.includes(name) && !credentials.includes(credential))
      say('LoadCredential', `${name} (${value}) is not a credential`);
  }
  if (known && !isOnce) {
    const files = (service.EnvironmentFile ?? []).flatMap((name) => IN_FILES[name.replace(/^-/, '')] ?? []);
    const inFiles = Object.fromEntries(files.map((name) => [name, undefined]));
    const staff = staffViolation(known, { ...inFiles, ...variables });
    if (staff) say('Environment', staff);
    const lameDuck = known.has('LAME_DUCK_MS') ? Number(variables.LAME_DUCK_MS ?? 5000) : 0;
    const needed = (lameDuck + Number(variables.SHUTDOWN_DRAIN_MS_MAX ?? 10_000)) / 1000 + TELEMETRY_S;
    const stop = Number(service.TimeoutStopSec?.at(-1));
    if (!(stop >= needed)) say('TimeoutStopSec', `is ${service.TimeoutStopSec?.at(-1)}, stopping may take ${needed} s`);
  }
  return found;
}
