/** Rules for the network policies of a rendered environment: they must allow exactly the required calls. */
import { nameOf } from './cluster.mjs';

/** Whether a selector of pods selects these labels. */
export const matches = (selector, labels) =>
  Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels?.[key] === value) &&
  (selector?.matchExpressions ?? []).every(
    ({ key, operator, values }) => operator === 'In' && values.includes(labels?.[key]),
  );
const isEveryone = (selector) =>
  !Object.keys(selector?.matchLabels ?? {}).length && !selector?.matchExpressions?.length;

/**
 * Checks the policies against the calls that the programs' configuration implies.
 *
 * @param {import('./cluster.mjs').Cluster} cluster
 * @returns {string[]} Violations.
 */
export function edgeViolations(cluster) {
  const policies = cluster.of('NetworkPolicy');
  const deployments = cluster.of('Deployment');
  if (!deployments.length || !cluster.of('Namespace').length) return [];
  const found = [];
  const isDenial = ({ spec }) =>
    isEveryone(spec.podSelector) && !spec.ingress?.length && !spec.egress?.length && spec.policyTypes?.length === 2;
  if (!policies.some(isDenial)) found.push('NetworkPolicy/default-deny: spec: does not deny by default');
  for (const policy of policies.filter((policy) => !isDenial(policy))) {
    if (isEveryone(policy.spec.podSelector)) found.push(`${nameOf(policy)}: spec.podSelector: selects every pod`);
    for (const [index, { from }] of (policy.spec.ingress ?? []).entries()) {
      if (!from?.length) found.push(`${nameOf(policy)}: spec.ingress[${index}].from: allows every source`);
    }
    for (const [index, { to }] of (policy.spec.egress ?? []).entries()) {
      if (!to?.length || to.some(({ ipBlock }) => /\/0$/.test(ipBlock?.cidr)))
        found.push(`${nameOf(policy)}: spec.egress[${index}].to: allows every destination`);
    }
  }
  const wanted = calls(cluster, found);
  for (const workload of [...deployments, ...cluster.of('Job')]) {
    const names = workload.spec.template.spec.containers.flatMap((one) => outsideNames(one, cluster));
    for (const name of new Set(names)) {
      const isOpen = rulesFor(policies, workload, 'egress').some((rule) => leadsOut(rule, OUTSIDE[name]));
      if (!isOpen)
        found.push(`NetworkPolicy: spec: ${workload.metadata.name} cannot reach ${name}: ${OUTSIDE[name]} is closed`);
    }
  }
  const allowed = deployments.flatMap((from) =>
    deployments.flatMap((to) =>
      ports(to)
        .filter((port) => mayCall(policies, from, to, port))
        .map((port) => edge(from, to, port.containerPort)),
    ),
  );
  found.push(
    ...wanted
      .filter((one) => !allowed.includes(one))
      .map((one) => `NetworkPolicy: spec: ${one} is needed and not allowed`),
  );
  found.push(
    ...allowed
      .filter((one) => !wanted.includes(one))
      .map((one) => `NetworkPolicy: spec: ${one} is allowed and not needed`),
  );
  return found;
}

/** Settings that name an address outside of the cluster, and its port. Redis and SQLite may be inside. */
const OUTSIDE = { STAFF_ISSUER: 443, REMOTES_URL: 443, REMOTES_STORE: 443, SMTP_URL: 587, DATABASE_URL: 5432 };

/** Returns the settings of a container that name an address outside of the cluster. */
function outsideNames(container, cluster) {
  const literals = cluster.environment(container);
  const references = (container.env ?? []).filter(({ valueFrom }) => valueFrom).map(({ name }) => name);
  return Object.keys(OUTSIDE).filter(
    (name) => references.includes(name) || /^(https|smtps?|postgres)/.test(literals[name]),
  );
}

const edge = (from, to, port) => `${from.metadata.name} → ${to.metadata.name}:${port}`;
const labelsOf = (deployment) => deployment.spec.template.metadata.labels;
const ports = (deployment) => deployment.spec.template.spec.containers.flatMap((container) => container.ports ?? []);

/** Whether both the egress and the ingress policies allow a call, as a cluster requires. */
function mayCall(policies, from, to, port) {
  const onPort = (rule) =>
    !rule.ports || rule.ports.some((named) => named.port === port.name || named.port === port.containerPort);
  const isPeer = (peer, labels) => !peer.namespaceSelector && !peer.ipBlock && matches(peer.podSelector, labels);
  const leaves = rulesFor(policies, from, 'egress').some(
    (rule) => onPort(rule) && rule.to?.some((peer) => isPeer(peer, labelsOf(to))),
  );
  return (
    leaves &&
    rulesFor(policies, to, 'ingress').some(
      (rule) => onPort(rule) && rule.from?.some((peer) => isPeer(peer, labelsOf(from))),
    )
  );
}

/** Whether a rule allows egress to a port outside of the cluster. */
const leadsOut = ({ to, ports: open }, wanted) =>
  to?.some(({ ipBlock }) => ipBlock) && (!open || open.some(({ port }) => port === wanted));

const rulesFor = (policies, deployment, direction) =>
  policies
    .filter(({ spec }) => matches(spec.podSelector, labelsOf(deployment)))
    .flatMap(({ spec }) => spec[direction] ?? []);

/** Returns the edges that the programs' variables name. An address without a Service is a violation. */
function calls(cluster, found) {
  const wanted = [];
  for (const from of cluster.of('Deployment')) {
    for (const container of from.spec.template.spec.containers) {
      const { UPSTREAMS = '', MESSAGING_URL = '', CONTENT_URL = '' } = cluster.environment(container);
      const urls = `${UPSTREAMS} ${MESSAGING_URL} ${CONTENT_URL}`;
      for (const [, scheme, host, port] of urls.matchAll(/(https?):\/\/([\w.-]+):(\d+)/g)) {
        const at = `${nameOf(from)}: env: ${scheme}://${host}:${port}`;
        const to = cluster.find('Deployment', host);
        const offered = cluster.find('Service', host)?.spec.ports.some((offer) => offer.port === Number(port));
        if (!to || !offered) {
          found.push(`${at}: no Service has that port`);
          continue;
        }
        const speaksTls = to.spec.template.spec.containers.some((one) => 'TLS_CERTIFICATE' in cluster.environment(one));
        if (speaksTls !== (scheme === 'https'))
          found.push(`${at}: ${host} ${speaksTls ? 'requires' : 'does not support'} TLS`);
        wanted.push(edge(from, to, Number(port)));
      }
      const redis = cluster.find('Deployment', 'redis');
      if (redis && container.env?.some(({ name }) => name === 'REDIS_URL')) wanted.push(edge(from, redis, 6379));
    }
  }
  return [...new Set(wanted)];
}
