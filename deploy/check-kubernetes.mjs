/** Rules for rendered Kubernetes manifests. Each violation names the object and the field. */
import { SECRET_FILE_VARIABLES, imageViolation, literalViolation, staffViolation } from './check-variables.mjs';
import { connectionViolations } from './check-connections.mjs';
import { edgeViolations } from './check-network.mjs';
import { rolloutViolations } from './check-rollout.mjs';
import { Cluster, nameOf } from './cluster.mjs';

/** Seconds after the drain in which the last spans (3 s) and log lines (1 s) are written. */
const TELEMETRY_S = 4;
const DRAIN_MS_DEFAULT = 10_000;
const LAME_DUCK_MS_DEFAULT = 5_000;
const WORKLOADS = ['Deployment', 'Job', 'StatefulSet', 'DaemonSet'];
const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'];

/**
 * Checks all objects of one environment together.
 *
 * @param {object[]} objects Rendered manifests.
 * @param {Map<string, Set<string>>} variables Names by program; the program is the last part of an image's name.
 * @returns {string[]} Violations; empty if there are none.
 */
export function violations(objects, variables) {
  const cluster = new Cluster(objects, variables);
  const found = objects.filter(({ kind }) => WORKLOADS.includes(kind)).flatMap((object) => workload(object, cluster));
  const secrets = objects.filter(({ kind }) => kind === 'Secret');
  found.push(...secrets.map((object) => `${nameOf(object)}: data: the manifest contains secret data`));
  return [...found, ...rolloutViolations(cluster), ...edgeViolations(cluster), ...connectionViolations(cluster)];
}

function workload(object, cluster) {
  const pod = object.spec.template.spec;
  const say = (field, what) => `${nameOf(object)}: ${field}: ${what}`;
  const found = [
    ...podViolations(pod).map(([field, what]) => say(`spec.template.spec.${field}`, what)),
    ...oneReplica(object, cluster).map(([field, what]) => say(field, what)),
    ...graceViolations(object, cluster).map(([field, what]) => say(field, what)),
  ];
  const every = [
    ...pod.containers.map((container) => ['containers', container]),
    ...(pod.initContainers ?? []).map((container) => ['initContainers', container]),
  ];
  for (const [list, container] of every) {
    const needsProbes = object.kind === 'Deployment' && list === 'containers';
    const at = (field) => `spec.template.spec.${list}[${container.name}].${field}`;
    const wrong = [
      ...containerViolations(container, needsProbes),
      ...environmentViolations(container, pod, cluster),
      ...(needsProbes ? neededViolations(container, cluster) : []),
    ];
    const known = cluster.variables.get(programOf(container.image));
    const references = Object.fromEntries((container.env ?? []).map(({ name }) => [name, undefined]));
    const staff = needsProbes && staffViolation(known, { ...references, ...cluster.environment(container) });
    if (staff) wrong.push(['env', staff]);
    found.push(...wrong.map(([field, what]) => say(at(field), what)));
  }
  const claims = (pod.volumes ?? [])
    .map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName)
    .filter(Boolean);
  const missing = claims.filter(
    (claim) => cluster.of('PersistentVolumeClaim').length && !cluster.find('PersistentVolumeClaim', claim),
  );
  found.push(
    ...missing.map((claim) => say('spec.template.spec.volumes', `there is no PersistentVolumeClaim ${claim}`)),
  );
  return found;
}

function podViolations(pod) {
  const context = pod.securityContext ?? {};
  const rules = [
    [context.runAsNonRoot === true, 'securityContext.runAsNonRoot', 'is not true'],
    [
      Number.isInteger(context.runAsUser) && context.runAsUser > 0,
      'securityContext.runAsUser',
      'is not the number of a user',
    ],
    [context.seccompProfile?.type === 'RuntimeDefault', 'securityContext.seccompProfile.type', 'is not RuntimeDefault'],
    [pod.automountServiceAccountToken === false, 'automountServiceAccountToken', 'is not false'],
    [!pod.hostNetwork && !pod.hostPID && !pod.hostIPC, 'hostNetwork', 'shares namespaces of the host'],
    [!(pod.volumes ?? []).some(({ hostPath }) => hostPath), 'volumes', 'mounts a folder of the host'],
  ];
  return rules.filter(([holds]) => !holds).map(([, field, what]) => [field, what]);
}

function containerViolations(container, needsProbes) {
  const context = container.securityContext ?? {};
  const { limits = {}, requests = {} } = container.resources ?? {};
  const rules = [
    [context.readOnlyRootFilesystem === true, 'securityContext.readOnlyRootFilesystem', 'is not true'],
    [context.allowPrivilegeEscalation === false, 'securityContext.allowPrivilegeEscalation', 'is not false'],
    [
      context.capabilities?.drop?.includes('ALL') && !context.capabilities.add,
      'securityContext.capabilities',
      'are not all dropped',
    ],
    ...['cpu', 'memory'].map((name) => [name in limits, `resources.limits.${name}`, 'is not set']),
    ...['cpu', 'memory'].map((name) => [name in requests, `resources.requests.${name}`, 'is not set']),
    ...PROBES.map((name) => [!needsProbes || name in container, name, 'is not set']),
    [
      container.livenessProbe?.httpGet?.path !== '/readyz',
      'livenessProbe.httpGet.path',
      'restarts the process when its database is unavailable',
    ],
  ];
  const found = rules.filter(([holds]) => !holds).map(([, field, what]) => [field, what]);
  const image = imageViolation(container.image);
  return image ? [...found, ['image', image]] : found;
}

/** Returns the program in an image: the last part of the image's name. */
const programOf = (image) => /([^/:@]+)(?::[^/]*|@[^/]*)?$/.exec(image ?? '')?.[1];

function environmentViolations(container, pod, cluster) {
  const found = [];
  const literals = cluster.environment(container);
  const known = cluster.variables.get(programOf(container.image));
  const names = new Set([...Object.keys(literals), ...(container.env ?? []).map(({ name }) => name)]);
  const unknown = [...names].filter((name) => known && !known.has(name));
  found.push(...unknown.map((name) => ['env', `${programOf(container.image)} does not know ${name}`]));
  for (const { configMapRef } of container.envFrom ?? []) {
    if (!configMapRef) found.push(['envFrom', 'imports a whole Secret: name each variable']);
    else if (!cluster.find('ConfigMap', configMapRef.name))
      found.push(['envFrom', `there is no ConfigMap ${configMapRef.name}`]);
  }
  const secrets = (pod.volumes ?? []).filter(({ secret }) => secret).map(({ name }) => name);
  const mounts = (container.volumeMounts ?? [])
    .filter(({ name }) => secrets.includes(name))
    .map(({ mountPath }) => mountPath);
  for (const [name, value] of Object.entries(literals)) {
    const wrong = literalViolation(name, value);
    if (wrong) found.push(['env', wrong]);
    const isMounted = mounts.some((path) => String(value).startsWith(`${path}/`));
    if (SECRET_FILE_VARIABLES.includes(name) && !isMounted)
      found.push(['env', `${name} (${value}) is in no mounted Secret`]);
  }
  return found;
}

/** Variables without which a program refuses to start, unless it runs with DEVELOPMENT=true. */
const NEEDED = ['SITE_ORIGIN', 'SMTP_URL', 'NOTICE_TOKEN_FILE'];

/**
 * Checks that a serving container has what its program needs, from a Secret that is not optional. It must not set
 * MAIL_DIR, which would suggest that patients' mails go to a folder. Beside a mail server MAIL_DIR has no effect.
 */
function neededViolations(container, cluster) {
  const known = cluster.variables.get(programOf(container.image));
  const environment = cluster.environment(container);
  if (!known?.has('DEVELOPMENT') || container.args?.length || environment.DEVELOPMENT === 'true') return [];
  const set = new Map((container.env ?? []).map((entry) => [entry.name, entry]));
  const found = NEEDED.filter((name) => known.has(name) && !(name in environment) && !set.has(name)).map(
    (name) => `${name} is not set: the program does not start without it`,
  );
  for (const name of NEEDED) {
    if (set.get(name)?.valueFrom?.secretKeyRef?.optional) found.push(`${name} comes from an optional Secret`);
  }
  if ('MESSAGING_URL' in environment && !set.has('MESSAGING_TOKEN_FILE'))
    found.push('MESSAGING_TOKEN_FILE is not set: svc-messaging refuses notices without a token');
  if ('MAIL_DIR' in environment) found.push('MAIL_DIR is set: it is only for DEVELOPMENT=true');
  return found.map((what) => ['env', what]);
}

/**
 * Checks a workload on SQLite. A database file allows one process: one replica that stops before the next one starts, a
 * claim, and no autoscaler.
 */
function oneReplica(object, cluster) {
  const pod = object.spec.template.spec;
  const urls = [...pod.containers, ...(pod.initContainers ?? [])].map(
    (container) => cluster.environment(container).DATABASE_URL,
  );
  const url = urls.find((found) => String(found ?? '').startsWith('sqlite:'));
  if (!url) return [];
  const found = [];
  const why = `with ${url}: more replicas need PostgreSQL`;
  if (object.spec.replicas !== 1) found.push(['spec.replicas', `is ${object.spec.replicas ?? 'not set'} ${why}`]);
  if (object.spec.strategy?.type !== 'Recreate') found.push(['spec.strategy.type', `is not Recreate ${why}`]);
  const scalers = cluster
    .of('HorizontalPodAutoscaler')
    .filter(
      ({ spec }) => spec.scaleTargetRef.kind === object.kind && spec.scaleTargetRef.name === object.metadata.name,
    );
  found.push(...scalers.map((scaler) => ['spec.replicas', `${nameOf(scaler)} scales it ${why}`]));
  const folder = url.slice('sqlite:'.length).replace(/\/[^/]*$/, '');
  const mounts = pod.containers.flatMap(({ volumeMounts = [] }) => volumeMounts);
  const mount = mounts.find(({ mountPath }) => mountPath === folder);
  const volume = (pod.volumes ?? []).find(({ name }) => name === mount?.name);
  if (!volume?.persistentVolumeClaim)
    found.push(['spec.template.spec.volumes', `${folder} is not on a claim: a new pod would lose the data`]);
  return found;
}

/** Checks that the termination grace period covers the longest possible shutdown. */
function graceViolations(object, cluster) {
  const pod = object.spec.template.spec;
  const grace = pod.terminationGracePeriodSeconds ?? 30;
  return pod.containers.flatMap((container) => {
    const known = cluster.variables.get(programOf(container.image));
    if (!known?.has('SHUTDOWN_DRAIN_MS_MAX')) return [];
    const environment = cluster.environment(container);
    const lameDuck = known.has('LAME_DUCK_MS') ? Number(environment.LAME_DUCK_MS ?? LAME_DUCK_MS_DEFAULT) : 0;
    const drain = Number(environment.SHUTDOWN_DRAIN_MS_MAX ?? DRAIN_MS_DEFAULT);
    const sleep = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
    const needed = sleep + (lameDuck + drain) / 1000 + TELEMETRY_S;
    if (grace >= needed) return [];
    return [['spec.template.spec.terminationGracePeriodSeconds', `is ${grace}, stopping may take ${needed} s`]];
  });
}
