/** Rules for what a first deployment, a rollout or a full node breaks. Each violation names the object and the field. */
import { nameOf } from './cluster.mjs';

/** Seconds for which a cluster's DNS keeps an address: `cache 30` of CoreDNS's default configuration. */
const DNS_CACHE_S = 30;
/** Addresses that RFC 5737 reserves for documentation, names that RFC 2606 reserves, and this tree's registry. */
const PLACEHOLDER = /\b(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+|\bexample\.(?:org|com|net)\b|\bregistry\.example\b/;

/**
 * @param {import('./cluster.mjs').Cluster} cluster
 * @returns {string[]} Violations.
 */
export function rolloutViolations(cluster) {
  return [
    ...cluster.of('PersistentVolumeClaim').flatMap(claim),
    ...cluster.of('HorizontalPodAutoscaler').flatMap((scaler) => requests(scaler, cluster)),
    ...cluster
      .of('Deployment')
      .flatMap((deployment) => [
        ...readiness(deployment),
        ...migration(deployment, cluster),
        ...pages(deployment, cluster),
      ]),
    ...cluster.of('Service').flatMap((service) => protocols(service, cluster)),
    ...cluster.of('Job').flatMap((job) => selected(job, cluster)),
  ];
}

/**
 * Returns values that are still this tree's examples. Kept apart from the rules, which this tree follows.
 *
 * @param {object[]} objects Rendered manifests.
 */
export function placeholders(objects) {
  return objects.flatMap((object) =>
    values(object)
      .filter(([, value]) => PLACEHOLDER.test(value))
      .map(([field, value]) => `${nameOf(object)}: ${field}: ${value} is a placeholder`),
  );
}

/** Returns the texts of an object with their fields. */
function values(value, field = '') {
  if (typeof value === 'string') return [[field, value]];
  if (!value || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, one]) =>
    values(one, Array.isArray(value) ? `${field}[${key}]` : field ? `${field}.${key}` : key),
  );
}

/** Without a class, a claim takes the cluster's default, which rarely supports several nodes, and waits forever. */
function claim(object) {
  const { accessModes = [], storageClassName } = object.spec;
  if (!accessModes.includes('ReadWriteMany') || storageClassName) return [];
  return [`${nameOf(object)}: spec.storageClassName: is not set for ReadWriteMany`];
}

/** A pod at the autoscaler's target must have requested that much, or a full node cannot give it. */
function requests(scaler, cluster) {
  const { kind, name } = scaler.spec.scaleTargetRef;
  const containers = cluster.find(kind, name)?.spec.template.spec.containers ?? [];
  const requested = containers.reduce((sum, { resources }) => sum + millis(resources?.requests?.cpu), 0);
  return (scaler.spec.metrics ?? [])
    .filter(({ resource }) => resource?.name === 'cpu')
    .map(({ resource }) => millis(resource.target.averageValue))
    .filter((target) => containers.length && !(target <= requested))
    .map((target) => `${nameOf(scaler)}: spec.metrics: the target is ${target}m, but ${name} requests ${requested}m`);
}

/** Returns a quantity of processor time in thousandths of a core. */
const millis = (quantity) => (/m$/.test(quantity) ? parseInt(quantity, 10) : Number(quantity ?? 0) * 1000);

/** Callers must know the address of a new pod before an old one goes. */
function readiness(deployment) {
  const { minReadySeconds = 0, strategy } = deployment.spec;
  if (strategy?.type === 'Recreate' || minReadySeconds > DNS_CACHE_S) return [];
  return [`${nameOf(deployment)}: spec.minReadySeconds: is ${minReadySeconds}, DNS keeps an address ${DNS_CACHE_S} s`];
}

const databaseOf = (container) => container.env?.find(({ name }) => name === 'DATABASE_URL')?.valueFrom?.secretKeyRef;
const migrates = ({ args }) => args?.includes('migrate');

/**
 * A job migrates the schema with a role of its own. An init container would restart in a loop while the database is
 * away, and needs the rights on the schema in every pod.
 */
function migration(deployment, cluster) {
  const { containers, initContainers = [] } = deployment.spec.template.spec;
  const say = (what) => `${nameOf(deployment)}: spec.template.spec: ${what}`;
  const found = initContainers.filter(migrates).map(({ name }) => say(`the init container ${name} migrates`));
  const jobs = cluster.of('Job').flatMap(({ spec }) => spec.template.spec.containers);
  for (const container of containers) {
    const own = databaseOf(container);
    if (!own) continue;
    const job = jobs.find((one) => migrates(one) && one.image === container.image);
    if (!job) found.push(say(`no job runs ${container.image} migrate`));
    else if (databaseOf(job)?.name === own.name)
      found.push(say(`${container.name} has the database role of its migrations, from ${own.name}`));
  }
  return found;
}

/** An empty folder of page modules stays empty without a store. */
function pages(deployment, cluster) {
  const { containers, volumes = [] } = deployment.spec.template.spec;
  return containers.flatMap((container) => {
    const environment = cluster.environment(container);
    const mount = container.volumeMounts?.find(({ mountPath }) => mountPath === environment.REMOTES_DIR);
    const isEmpty = volumes.find(({ name }) => name === mount?.name)?.emptyDir;
    const hasStore = 'REMOTES_URL' in environment || container.env?.some(({ name }) => name === 'REMOTES_URL');
    if (!isEmpty || hasStore) return [];
    return [`${nameOf(deployment)}: env: REMOTES_URL is not set, and ${environment.REMOTES_DIR} is an empty folder`];
  });
}

/** Meshes and gateways of the cluster guess the protocol of a port without `appProtocol`, and guess gRPC wrong. */
function protocols(service, cluster) {
  const containers = cluster.find('Deployment', service.metadata.name)?.spec.template.spec.containers ?? [];
  const speaksTls = containers.some((one) => 'TLS_CERTIFICATE' in cluster.environment(one));
  return (service.spec.ports ?? []).flatMap(({ name, port, appProtocol }) => {
    const wanted = name === 'rpc' && (speaksTls ? 'https' : 'kubernetes.io/h2c');
    if (wanted ? appProtocol === wanted : appProtocol) return [];
    const at = `${nameOf(service)}: spec.ports[${name ?? port}].appProtocol`;
    return [wanted ? `${at}: is ${appProtocol ?? 'not set'}, not ${wanted}` : `${at}: is not set`];
  });
}

/** A Service would send calls to a job's pod, and a disruption budget with one of a job allows no eviction. */
function selected(job, cluster) {
  const labels = job.spec.template.metadata?.labels ?? {};
  const matches = (selector) => selector && Object.entries(selector).every(([label, value]) => labels[label] === value);
  return [...cluster.of('Service'), ...cluster.of('PodDisruptionBudget')]
    .filter(({ spec }) => matches(spec.selector?.matchLabels ?? spec.selector))
    .map((object) => `${nameOf(object)}: spec.selector: selects the pods of ${nameOf(job)}`);
}
