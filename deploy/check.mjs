/**
 * Checks all deployment files below deploy/: `node deploy/check.mjs`. Needs the compiled programs, whose `--help` lists
 * their variables. A missing tool is reported as skipped, with its reason; `--strict` turns that into a failure.
 * `--json` prints JSON for programs. `--own ENVIRONMENT` also reports values of that environment of Kubernetes that are
 * still this tree's examples, such as `www.example.org`.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import * as compose from './check-compose.mjs';
import { mountViolations } from './check-mounts.mjs';
import * as docker from './check-docker.mjs';
import * as kubernetes from './check-kubernetes.mjs';
import { placeholders } from './check-rollout.mjs';
import * as systemd from './check-systemd.mjs';
import { askPrograms } from './check-variables.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const TARGET = process.env.CARGO_TARGET_DIR ?? join(HERE, '../target');
const TOOLS = join(TARGET, 'deploy-tools/bin');
/** Teams with a service, by the service's folder. */
const SERVICES = readdirSync(join(HERE, '..'))
  .filter((name) => name.startsWith('svc-') && existsSync(join(HERE, '..', name, 'Cargo.toml')))
  .map((name) => name.slice('svc-'.length));
const PROGRAMS = ['gateway', 'ops-traces', ...SERVICES.map((team) => `svc-${team}`)];
const ENVIRONMENTS = ['dev', 'staging', 'prod'];
const OWN = process.argv[process.argv.indexOf('--own') + 1 || process.argv.length];
/** Oldest supported cluster version: `preStop.sleep` is on by default since 1.30. */
const KUBERNETES_VERSION = '1.32';
/**
 * Minimum major version of kustomize for this use of `components` and `labels`. Debian 12 has kubectl 1.20 with
 * kustomize 2.
 */
const KUSTOMIZE_MAJOR_MIN = 5;
/** Maximum of systemd's exposure score of a unit, in tenths; 100 is full exposure. */
const EXPOSURE_MAX = 20;
const TOOL_MS_MAX = 120_000;

const found = [];
const skipped = [];
/** Files by their paths in the compose files. */
const MOUNTED = {
  has: (path) => existsSync(join(HERE, 'compose', path)),
  texts: (path) => {
    const whole = join(HERE, 'compose', path);
    if (statSync(whole).isFile()) return [readFileSync(whole, 'utf8')];
    const names = readdirSync(whole, { recursive: true }).map((name) => join(whole, name));
    return names.filter((name) => /\.(ya?ml|cfg|toml)$/.test(name)).map((name) => readFileSync(name, 'utf8'));
  },
};
const variables = askPrograms(PROGRAMS, process.env.PROGRAMS_DIR ?? join(TARGET, 'debug'));

checkDocker();
checkCompose();
checkKubernetes();
checkSystemd();
checkScripts();

if (process.argv.includes('--json')) console.log(JSON.stringify({ found, skipped }));
else {
  for (const line of [...skipped.map((what) => `skipped: ${what}`), ...found]) console.log(line);
  console.log(`${found.length} violations, ${skipped.length} skipped`);
}
process.exitCode = found.length || (process.argv.includes('--strict') && skipped.length) ? 1 : 0;

/** Runs a tool; its output becomes a violation if it fails. Returns its output, or `undefined` on failure. */
function tool(what, program, args, options = {}) {
  try {
    return execFileSync(program, args, {
      encoding: 'utf8',
      stdio: 'pipe',
      timeout: TOOL_MS_MAX,
      maxBuffer: 64 << 20,
      ...options,
    });
  } catch (error) {
    found.push(`${what}: ${`${error.stdout ?? ''}${error.stderr ?? ''}`.trim() || error.message}`);
    return undefined;
  }
}

/** Whether a program can be run; otherwise reports the check as skipped. */
function has(program, reason, args = ['--version']) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe', timeout: TOOL_MS_MAX }) || true;
  } catch (error) {
    skipped.push(`${reason} (${program} ${error.code === 'ENOENT' ? 'is not installed' : 'does not run'})`);
    return false;
  }
}

/** Parses YAML documents to objects. */
function yaml(text) {
  const program = 'import json, sys, yaml; print(json.dumps([d for d in yaml.safe_load_all(sys.stdin) if d]))';
  return JSON.parse(
    execFileSync(join(TOOLS, 'python'), ['-c', program], { input: text, encoding: 'utf8', maxBuffer: 64 << 20 }),
  );
}

function checkDocker() {
  const folder = join(HERE, 'docker');
  // One file builds every program, so each of its variables must be known to all of them.
  const [first, ...others] = variables.values();
  const known = new Set([...first].filter((name) => others.every((names) => names.has(name))));
  const files = ['program', 'pages'].map((name) => join(folder, `${name}.Dockerfile`));
  for (const file of files)
    found.push(
      ...docker.violations(
        relative(HERE, file),
        readFileSync(file, 'utf8'),
        file.includes('program.') ? known : undefined,
      ),
    );
  const hadolint = join(TOOLS, 'hadolint');
  if (has(hadolint, 'lint of the Dockerfiles')) tool('hadolint', hadolint, files);
}

function checkCompose() {
  if (!has(join(TOOLS, 'python'), 'compose files')) return;
  const files = ['compose.yaml', 'compose.observability.yaml', 'compose.archive.yaml', 'compose.signed.yaml'];
  for (const file of files) {
    const [parsed] = yaml(readFileSync(join(HERE, 'compose', file), 'utf8'));
    found.push(...compose.violations(`compose/${file}`, parsed, variables));
    if (parsed.services.grafana) found.push(...dashboardViolations(file, parsed.services.grafana));
  }
  // The overlays of local runs: only their mounts, because their images and limits serve tests.
  for (const file of [...files, 'compose.local.yaml', 'compose.upgrade.yaml']) {
    // Compose's own tags (`!reset`) are not YAML's.
    const [parsed] = yaml(readFileSync(join(HERE, 'compose', file), 'utf8').replace(/ !\w+/g, ''));
    for (const [name, service] of Object.entries(parsed.services))
      found.push(...mountViolations(name, service, MOUNTED).map((what) => `compose/${file}: ${what}`));
  }
  const paths = files.map((file) => join(HERE, 'compose', file));
  if (has(join(TOOLS, 'check-jsonschema'), 'schema of compose')) {
    tool('compose', join(TOOLS, 'check-jsonschema'), ['--builtin-schema', 'vendor.compose-spec', ...paths]);
  }
  const [program, ...words] = composeProgram() ?? [];
  if (!program) {
    skipped.push('`compose config` (neither `docker compose` nor docker-compose is installed)');
    return;
  }
  // A copy with empty secrets: reading the real ones needs root.
  const folder = mkdtempSync(join(tmpdir(), 'compose-'));
  try {
    cpSync(join(HERE, 'compose'), folder, { recursive: true });
    mkdirSync(join(folder, 'secrets'), { recursive: true });
    for (const name of ['gateway.env', 'svc-messaging.env']) writeFileSync(join(folder, 'secrets', name), '');
    const env = {
      PATH: process.env.PATH,
      VERSION: '1',
      SITE_ORIGIN: 'https://site.example',
      STAFF_ISSUER: 'https://id.example',
      ARCHIVE_DIR: '/mnt/archive',
    };
    tool('compose config', program, [...words, ...files.flatMap((file) => ['-f', file]), 'config', '-q'], {
      cwd: folder,
      env,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function dashboardViolations(file, grafana) {
  const folder = join(HERE, 'observability/grafana/provisioning/dashboards');
  const list = (path) => readdirSync(join(HERE, 'compose', path));
  return readdirSync(folder)
    .flatMap((name) => yaml(readFileSync(join(folder, name), 'utf8')))
    .flatMap((provisioning) => compose.dashboardViolations(grafana, provisioning, list))
    .map((line) => `compose/${file}: ${line}`);
}

function composeProgram() {
  return [['docker', 'compose'], ['docker-compose']].find(([program, ...words]) => {
    try {
      return execFileSync(program, [...words, 'version'], { stdio: 'pipe' });
    } catch {
      return false;
    }
  });
}

function checkKubernetes() {
  const said = has('kubectl', 'Kubernetes manifests', ['version', '--client', '--output=json']);
  if (!said || !has(join(TOOLS, 'python'), 'Kubernetes manifests')) return;
  const version = JSON.parse(said).kustomizeVersion ?? 'v0';
  if (Number(/^v(\d+)/.exec(version)[1]) < KUSTOMIZE_MAJOR_MIN) {
    skipped.push(`Kubernetes manifests (kubectl has kustomize ${version}; ${KUSTOMIZE_MAJOR_MIN} or newer is needed)`);
    return;
  }
  const validate = join(TOOLS, 'kubernetes-validate');
  const canValidate = has(validate, 'schemas of Kubernetes');
  const root = join(HERE, 'k8s/overlays');
  for (const environment of ENVIRONMENTS) {
    // The environment as a whole, and each artefact as its team applies it.
    const artefacts = readdirSync(join(root, environment), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    for (const path of [environment, ...artefacts.map(({ name }) => `${environment}/${name}`)]) {
      const at = `k8s/overlays/${path}`;
      const text = tool(at, 'kubectl', ['kustomize', join(root, path)]);
      // Artefacts are checked as part of the whole environment. On their own they only have to build.
      if (!text || !(path === environment || path.includes('/pages-'))) continue;
      const objects = yaml(text);
      const left = environment === OWN ? placeholders(objects) : [];
      found.push(...[...kubernetes.violations(objects, variables), ...left].map((line) => `${at}: ${line}`));
      if (canValidate) tool(at, validate, ['--strict', '--quiet', '-k', KUBERNETES_VERSION, '-'], { input: text });
    }
  }
}

function checkSystemd() {
  const folder = join(HERE, 'systemd');
  const units = readdirSync(folder).filter((name) => /\.(service|timer|target)$/.test(name));
  const instances = [];
  for (const unit of units) {
    for (const name of unit.includes('@') ? SERVICES.map((team) => unit.replace('@', `@${team}`)) : [unit]) {
      instances.push(name);
      const program = /^hospital-svc@(\w+)\.service$/.exec(name)?.[1];
      const known = name === 'hospital-gateway.service' ? variables.get('gateway') : variables.get(`svc-${program}`);
      const text = [join(folder, unit), ...dropIns(join(folder, `${name}.d`))].map((file) =>
        readFileSync(file, 'utf8'),
      );
      found.push(...systemd.violations(`systemd/${name}`, text.join('\n'), known));
    }
  }
  if (!has('systemd-analyze', "systemd's own check of the units")) return;
  // A root folder with our units, systemd's own units, and stub programs.
  const root = mkdtempSync(join(tmpdir(), 'units-'));
  try {
    const place = join(root, 'etc/systemd/system');
    mkdirSync(place, { recursive: true });
    for (const name of readdirSync(folder).filter((name) => units.includes(name) || name.endsWith('.d'))) {
      cpSync(join(folder, name), join(place, name), { recursive: true });
    }
    cpSync('/lib/systemd/system', join(root, 'usr/lib/systemd/system'), { recursive: true, verbatimSymlinks: true });
    for (const name of [...PROGRAMS, 'backup', 'archive', 'archive-files'].map((one) => `usr/lib/hospital/${one}`)) {
      const program = join(root, name);
      mkdirSync(dirname(program), { recursive: true });
      writeFileSync(program, '#!/bin/sh\n');
      chmodSync(program, 0o755);
    }
    // All in one run: a problem of one unit would be repeated for each unit that refers to it.
    const verify = ['-c', 'systemd-analyze verify --man=no "--root=$0" "$@" 2>&1', root, ...instances];
    const said = tool('systemd', 'sh', verify) ?? '';
    const lines = said.split('\n').map((line) => line.replace(`${place}/`, ''));
    found.push(...[...new Set(lines)].filter(Boolean).map((line) => `systemd/${line}`));
    for (const name of instances.filter((one) => one.endsWith('.service'))) {
      const limits = ['--offline=true', `--threshold=${EXPOSURE_MAX}`, '--no-pager', `--root=${root}`];
      tool(`systemd/${name}`, 'systemd-analyze', ['security', ...limits, name]);
    }
  } finally {
    rmSync(root, { recursive: true });
  }
}

function dropIns(folder) {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function checkScripts() {
  if (!has('shellcheck', 'lint of the shell scripts')) return;
  const scripts = readdirSync(HERE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => /\/(docker|compose|systemd)\/|\/token-keys\.sh$/.test(file))
    .filter((file) => /^#!\/bin\/(ba)?sh\n/.test(readFileSync(file, 'utf8')));
  tool('shellcheck', 'shellcheck', ['--severity=style', ...scripts]);
}
