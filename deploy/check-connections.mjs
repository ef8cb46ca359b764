/** Rules for the sum of connections to each PostgreSQL server. Each violation names the sum and the limit. */
import { matches } from './check-network.mjs';
import { nameOf } from './cluster.mjs';

/** Default of DATABASE_CONNECTIONS_MAX, the connections of one process. */
export const POOL_DEFAULT = 16;
/** Connections reserved for backups and debugging. */
const SPARE = 20;
/** Annotation of a policy that opens PostgreSQL: `max_connections` of that server. */
const LIMIT = 'hospital/max-connections';
const PORT = 5432;
/** Seconds in which Kubernetes lets a pod end by default. */
const GRACE_S_DEFAULT = 30;

const pool = (environment) => Number(environment.DATABASE_CONNECTIONS_MAX ?? POOL_DEFAULT);
/** Adds up connections of processes, one for each migration, and those to spare. */
const total = (services, migrations) => services.reduce((sum, one) => sum + one, migrations + SPARE);

/**
 * Checks that `max_connections` of Compose's server covers all services and migrations, so that an added service does
 * not exhaust the connections under load.
 *
 * @returns {string | undefined} The violation; `undefined` if there is none.
 */
export function composeConnections(services) {
  const allowed = Number(/max_connections=(\d+)/.exec((services.postgres?.command ?? []).join(' '))?.[1]);
  const clients = Object.values(services).filter(({ environment }) =>
    /^postgres:/.test(environment?.DATABASE_URL ?? ''),
  );
  const serving = clients.filter(({ command, entrypoint }) => !command && !entrypoint);
  const migrations = clients.filter(({ command }) => command?.includes('migrate')).length;
  const needed = total(
    serving.map(({ environment }) => pool(environment)),
    migrations,
  );
  if (!serving.length || allowed >= needed) return undefined;
  return `max_connections is ${allowed}, the services, ${migrations} for migrations and ${SPARE} to spare are ${needed}`;
}

/**
 * Checks each PostgreSQL server outside of the cluster: one for each policy that opens its port, which states
 * `max_connections` in an annotation.
 *
 * @param {import('./cluster.mjs').Cluster} cluster
 * @returns {string[]} Violations.
 */
export function connectionViolations(cluster) {
  const opensPostgres = ({ ports, to }) =>
    to?.some(({ ipBlock }) => ipBlock) && ports?.some(({ port }) => port === PORT);
  return cluster
    .of('NetworkPolicy')
    .filter(({ spec }) => spec.egress?.some(opensPostgres))
    .flatMap((policy) => serverViolations(policy, cluster));
}

function serverViolations(policy, cluster) {
  const clients = (kind) =>
    cluster
      .of(kind)
      .filter(({ spec }) => matches(policy.spec.podSelector, spec.template.metadata?.labels))
      .flatMap((workload) =>
        workload.spec.template.spec.containers
          .filter((container) => usesPostgres(container, cluster))
          .map((container) => ({ workload, size: pool(cluster.environment(container)) })),
      );
  const serving = clients('Deployment').map(({ workload, size }) => ({
    name: workload.metadata.name,
    pods: podsMax(workload, cluster),
    size,
  }));
  const migrations = clients('Job').length;
  const limit = policy.metadata.annotations?.[LIMIT];
  const needed = total(
    serving.map(({ pods, size }) => pods * size),
    migrations,
  );
  if (!serving.length || Number(limit) >= needed) return [];
  const parts = serving.map(({ name, pods, size }) => `${name} ${pods} × ${size}`).join(', ');
  const at = `${nameOf(policy)}: metadata.annotations[${LIMIT}]`;
  return [
    `${at}: is ${limit ?? 'not set'}; ${parts}, ${migrations} for migrations and ${SPARE} to spare are ${needed}`,
  ];
}

function usesPostgres(container, cluster) {
  const isReference = container.env?.some(({ name, valueFrom }) => name === 'DATABASE_URL' && valueFrom);
  return isReference || /^postgres/.test(cluster.environment(container).DATABASE_URL ?? '');
}

/**
 * Returns the maximum number of a Deployment's pods with connections, during a rollout at full load. Kubernetes does not
 * count stopping pods, which keep their connections until they end: each step of a rollout starts the next pods at once.
 */
function podsMax(deployment, cluster) {
  const { minReadySeconds = 0, replicas = 1, strategy = {}, template } = deployment.spec;
  const scaler = cluster
    .of('HorizontalPodAutoscaler')
    .find(
      ({ spec }) => spec.scaleTargetRef.kind === 'Deployment' && spec.scaleTargetRef.name === deployment.metadata.name,
    );
  const most = scaler?.spec.maxReplicas ?? replicas;
  if (strategy.type === 'Recreate') return most;
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy.rollingUpdate ?? {};
  const added = share(maxSurge, most, Math.ceil);
  const removed = added + share(maxUnavailable, most, Math.floor);
  const grace = template.spec.terminationGracePeriodSeconds ?? GRACE_S_DEFAULT;
  return most + added + removed * Math.ceil(grace / Math.max(minReadySeconds, 1));
}

/** Returns a number of pods that may be a percentage. */
const share = (value, pods, round) => (/%$/.test(value) ? round((parseInt(value, 10) / 100) * pods) : Number(value));
