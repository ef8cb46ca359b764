/** What other programs read of the manifests: Prometheus the labels of pods, Argo CD the bundle and its folders. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load, loadAll } from 'js-yaml';

import { find } from './observability/check.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const run = (program, ...args) => execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe', maxBuffer: 64 << 20 });
const parse = (text) => loadAll(text).filter(Boolean);
const missing = (...programs) => programs.find((program) => !find(program));
const without = (...programs) => missing(...programs) && `${missing(...programs)} is not installed`;

function folder(t) {
  const made = mkdtempSync(join(tmpdir(), 'cluster-'));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}

test(
  'Prometheus labels the pods of a cluster like the processes of one machine',
  {
    skip: without('kubectl', 'promtool'),
  },
  (t) => {
    const pods = parse(run('kubectl', 'kustomize', here('k8s/overlays/prod')))
      .filter(({ spec }) => spec?.template?.spec?.containers)
      .flatMap(({ metadata, spec }) =>
        spec.template.spec.containers.flatMap(({ ports = [{ name: '', containerPort: 80 }] }) =>
          ports.map((port) => ({ metadata, labels: spec.template.metadata.labels, port })),
        ),
      );
    const discovered = pods.map(({ metadata, labels, port }) => ({
      targets: [`192.0.2.1:${port.containerPort}`],
      labels: {
        __meta_kubernetes_namespace: metadata.namespace,
        __meta_kubernetes_pod_name: `${metadata.name}-1`,
        __meta_kubernetes_pod_phase: 'Running',
        __meta_kubernetes_pod_container_port_name: port.name,
        ...Object.fromEntries(
          Object.entries(labels).map(([name, value]) => [
            `__meta_kubernetes_pod_label_${name.replaceAll(/[^a-z0-9]/gi, '_')}`,
            value,
          ]),
        ),
      },
    }));
    // Debian's promtool has no discovery in Kubernetes. The relabelling is the same for targets with the same labels.
    const { scrape_configs: jobs } = load(readFileSync(here('observability/prometheus/kubernetes.yml'), 'utf8'));
    const statics = jobs.map(({ kubernetes_sd_configs: discovery, ...job }) => {
      assert.deepEqual(discovery, [{ role: 'pod', namespaces: { names: ['hospital-prod'] } }]);
      return { ...job, static_configs: discovered };
    });
    const file = join(folder(t), 'prometheus.yml');
    writeFileSync(file, JSON.stringify({ scrape_configs: statics }));
    const wanted = load(readFileSync(here('observability/prometheus/targets/site.yml'), 'utf8'));
    for (const { job_name: job } of jobs) {
      const targets = JSON.parse(run(find('promtool'), 'check', 'service-discovery', '--timeout=1s', file, job));
      const kept = targets.map(({ labels }) => labels).filter((labels) => labels && Object.keys(labels).length);
      const found = kept.map(({ service, team, namespace }) => ({ service, team, namespace }));
      const byName = (a, b) => a.service.localeCompare(b.service);
      assert.deepEqual(
        found.sort(byName),
        wanted.map(({ labels }) => ({ ...labels, namespace: 'hospital-prod' })).sort(byName),
        job,
      );
      assert.ok(kept.every(({ pod }) => pod));
    }
  },
);

test('the collector of a cluster has the configuration of this tree', { skip: without('kubectl') }, () => {
  const objects = parse(run('kubectl', 'kustomize', here('observability/collector')));
  const [map, deployment] = ['ConfigMap', 'Deployment'].map((kind) => objects.find((one) => one.kind === kind));
  assert.equal(map.data['sampling.yml'], readFileSync(here('observability/collector/sampling.yml'), 'utf8'));
  const { containers, volumes } = deployment.spec.template.spec;
  assert.equal(volumes[0].configMap.name, map.metadata.name);
  assert.ok(containers[0].env.some(({ name }) => map.data['sampling.yml'].includes(`\${env:${name}}`)));
});

const ARGOCD = parse(readFileSync(here('k8s/argocd/prod.yaml'), 'utf8'));

test('Argo CD deploys every artefact, in waves', () => {
  const [project, { spec }] = ARGOCD;
  const { elements } = spec.generators[0].list;
  const artefacts = readdirSync(here('k8s/overlays/prod'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  assert.deepEqual(elements.map(({ artefact }) => artefact).sort(), artefacts.map(({ name }) => name).sort());
  const steps = spec.strategy.rollingSync.steps.flatMap(({ matchExpressions: [{ values }] }) => values);
  assert.deepEqual([...new Set(elements.map(({ wave }) => wave))], steps);
  const { project: name, source, destination, syncPolicy } = spec.template.spec;
  assert.deepEqual([name, [source.repoURL]], [project.metadata.name, project.spec.sourceRepos]);
  assert.deepEqual(project.spec.destinations, [destination]);
  assert.ok(syncPolicy.syncOptions.includes('ApplyOutOfSyncOnly=true'));
});

test('migrations are an earlier wave than the processes', { skip: without('kubectl') }, () => {
  const wave = ({ metadata }) => Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
  const objects = parse(run('kubectl', 'kustomize', here('k8s/overlays/prod/svc-booking')));
  const of = (kind) => objects.find((object) => object.kind === kind);
  assert.ok(wave(of('Job')) < wave(of('Deployment')));
  // An autoscaler without its Deployment is reported as degraded, which would end the sync.
  assert.equal(wave(of('HorizontalPodAutoscaler')), wave(of('Deployment')));
  for (const kind of ['ConfigMap', 'ServiceAccount', 'NetworkPolicy']) assert.equal(wave(of(kind)), wave(of('Job')));
  assert.match(of('Job').metadata.annotations['argocd.argoproj.io/sync-options'], /Force=true,Replace=true/);
});

test('the bundle is one layer, from which every artefact builds', { skip: without('kubectl', 'podman') }, (t) => {
  const made = folder(t);
  const image = `localhost/hospital-bundle-test:${process.pid}`;
  run('sh', here('k8s/bundle.sh'), image);
  t.after(() => run('podman', 'rmi', image));
  const layout = join(made, 'image');
  run('podman', 'save', '--quiet', '--format', 'oci-dir', '--output', layout, image);
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
  const blob = (digest) => join(layout, 'blobs', digest.replace(':', '/'));
  const manifest = read(blob(read(join(layout, 'index.json')).manifests[0].digest));
  assert.equal(manifest.layers.length, 1);
  assert.match(manifest.layers[0].mediaType, /^application\/vnd\.oci\.image\.layer\.v1\.tar/);
  const files = join(made, 'files');
  mkdirSync(files);
  run('tar', '--extract', '--file', blob(manifest.layers[0].digest), '--directory', files);
  for (const environment of ['dev', 'staging', 'prod']) {
    const bundled = run('kubectl', 'kustomize', join(files, 'overlays', environment));
    assert.equal(bundled, run('kubectl', 'kustomize', here(`k8s/overlays/${environment}`)));
  }
  assert.ok(existsSync(join(files, 'argocd/prod.yaml')));
});
