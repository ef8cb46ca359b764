/** Rules for the compose files. Each violation names the file, the service and the field. */
import { composeConnections } from './check-connections.mjs';
import { imageViolation, literalViolation, SECRET_FILE_VARIABLES, staffViolation } from './check-variables.mjs';

const TELEMETRY_S = 4;
/** Services reachable from outside the containers' networks, with the addresses on which they may be published. */
const PUBLISHED = { gateway: /^\$\{SITE_ADDRESS:-127\.0\.0\.1\}:/, grafana: /^127\.0\.0\.1:/ };
/**
 * Networks that lead out, with their members: visitors, the issuer of staff sign-ins and probes of the public address;
 * the mail server; the pager; Grafana.
 */
const WAYS_OUT = {
  public: ['gateway', 'blackbox'],
  mail: ['svc-messaging'],
  paging: ['alertmanager'],
  operators: ['grafana'],
};
/** Log driver that both Docker and podman have. */
const LOG_DRIVER = 'json-file';

/**
 * @param {string} file Name of the file, for the messages.
 * @param {object} compose The file with anchors and merges resolved.
 * @param {Map<string, Set<string>>} variables Names by program.
 * @returns {string[]} Violations.
 */
export function violations(file, compose, variables) {
  const found = [];
  for (const [name, service] of Object.entries(compose.services)) {
    const say = (field, what) => found.push(`${file}: services.${name}.${field}: ${what}`);
    // A layer only extends a service of another file.
    if (service.image) for (const [field, what] of containment(service)) say(field, what);
    for (const [field, what] of environment(name, service, variables)) say(field, what);
    for (const port of service.ports ?? []) {
      if (!PUBLISHED[name]?.test(port)) say('ports', `${port} is published: only the gateway is reached from outside`);
    }
    for (const [network, members] of Object.entries(WAYS_OUT)) {
      if (networksOf(service).includes(network) && !members.includes(name))
        say('networks', `${network} is not internal`);
    }
  }
  const connections = composeConnections(compose.services);
  if (connections) found.push(`${file}: services.postgres.command: ${connections}`);
  for (const [name, network] of Object.entries(compose.networks ?? {})) {
    if (!network?.internal && !(name in WAYS_OUT)) found.push(`${file}: networks.${name}.internal: is not true`);
  }
  for (const [name, secret] of Object.entries(compose.secrets ?? {})) {
    if (!secret.file?.startsWith('secrets/')) found.push(`${file}: secrets.${name}.file: is not in secrets/`);
  }
  return found;
}

/**
 * Checks that the folders of Grafana's dashboards are mounted and contain dashboards. Grafana does not treat an empty
 * folder as an error.
 *
 * @param {object} service Grafana's service in the compose file.
 * @param {{providers: {options: {path: string}}[]}} provisioning Grafana's provisioning of dashboards.
 * @param {(path: string) => string[]} list Returns the names in a folder, by its path in the compose file.
 */
export function dashboardViolations(service, { providers }, list) {
  const mounts = service.volumes.map((volume) => volume.split(':')).map(([from, to]) => ({ from, to }));
  return providers.flatMap(({ options: { path } }) => {
    const holding = mounts.filter(({ to }) => path === to || path.startsWith(`${to}/`));
    const mount = holding.sort((a, b) => b.to.length - a.to.length)[0];
    const isBound = mount?.from.startsWith('.') && mount.to === path;
    if (isBound && list(mount.from).some((name) => name.endsWith('.json'))) return [];
    return [`services.grafana.volumes: no dashboards are mounted at ${path}`];
  });
}

const networksOf = (service) =>
  Array.isArray(service.networks) ? service.networks : Object.keys(service.networks ?? {});

const needsRedis = ({ depends_on: needs = {} }) => (Array.isArray(needs) ? needs.includes('redis') : 'redis' in needs);

function containment(service) {
  const user = /^(\d+)(:\d+)?$/.exec(service.user ?? '');
  const image = imageViolation(service.image);
  const rules = [
    [!image, 'image', image],
    [user && Number(user[1]) > 0, 'user', 'is not the numeric id of a non-root user'],
    [service.read_only === true, 'read_only', 'is not true'],
    [service.cap_drop?.includes('ALL'), 'cap_drop', 'is not ALL'],
    [!service.cap_add, 'cap_add', 'adds capabilities back'],
    [service.security_opt?.includes('no-new-privileges:true'), 'security_opt', 'no-new-privileges is not set'],
    [!service.privileged, 'privileged', 'is true'],
    [service.mem_limit, 'mem_limit', 'is not set'],
    [service.cpus, 'cpus', 'is not set'],
    [service.pids_limit, 'pids_limit', 'is not set'],
    [service.restart, 'restart', 'is not set'],
    [service.logging?.driver === LOG_DRIVER, 'logging', `driver is not ${LOG_DRIVER}`],
    [!/\b[ug]id=/.test(service.tmpfs), 'tmpfs', 'has an owner, which podman refuses: use mode=1777'],
    [!needsRedis(service), 'depends_on', 'waits for redis, which is optional'],
    [
      networksOf(service).length || /^(none|service:.+)$/.test(service.network_mode),
      'networks',
      'are not set: the service would join the default network',
    ],
  ];
  return rules.filter(([holds]) => !holds).map(([, field, what]) => [field, what]);
}

function environment(name, service, variables) {
  const found = [];
  const program = variables.has(name) ? name : /\/(svc-[a-z0-9]+|gateway):/.exec(service.image ?? '')?.[1];
  const known = variables.get(program);
  const literals = service.environment ?? {};
  for (const [variable, value] of Object.entries(literals)) {
    if (known && !known.has(variable)) found.push(['environment', `${program} does not know ${variable}`]);
    const wrong = literalViolation(variable, value);
    if (wrong) found.push(['environment', wrong]);
    const secret = /^\/run\/secrets\/(.+)$/.exec(value)?.[1];
    if (SECRET_FILE_VARIABLES.includes(variable) && !(service.secrets ?? []).includes(secret)) {
      found.push(['environment', `${variable} (${value}) is not a secret of this service`]);
    }
  }
  const stop = Number(/^(\d+)s$/.exec(service.stop_grace_period ?? '')?.[1]);
  const serves = known?.has('SHUTDOWN_DRAIN_MS_MAX') && service.image && !service.command;
  if (serves) {
    const staff = staffViolation(known, literals);
    if (staff) found.push(['environment', staff]);
    const leadsOut = Object.keys(WAYS_OUT).some((network) => networksOf(service).includes(network));
    if (literals.STAFF_ISSUER && !leadsOut) found.push(['networks', 'no network to reach STAFF_ISSUER']);
    const lameDuck = known.has('LAME_DUCK_MS') ? Number(literals.LAME_DUCK_MS ?? 5000) : 0;
    const needed = (lameDuck + Number(literals.SHUTDOWN_DRAIN_MS_MAX ?? 10_000)) / 1000 + TELEMETRY_S;
    if (!(stop >= needed))
      found.push(['stop_grace_period', `is ${service.stop_grace_period}, stopping may take ${needed} s`]);
  }
  return found;
}
