/**
 * Records the traffic of the last release's gateway to its services, for every call that visitors may make, into
 * `proto/fixtures`. Each service's tests replay these calls. RELEASE_DIR is the folder in which `cargo xtask test
 * --only skew` has built that release.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { Program, ROOT } from '../processes.mjs';
import { Recorder } from './recorder.mjs';
import { visit } from './visit.mjs';

const RELEASE = resolve(process.env.RELEASE_DIR ?? '');
const FIXTURES = join(ROOT, 'proto/fixtures');
const SERVICES = ['messaging', 'content', 'booking', 'assessment'];
/** Minimum time to fill in a form, in seconds; faster visitors are taken for robots. */
const FORM_SECONDS_MIN = 6;

const folder = mkdtempSync(join(tmpdir(), 'hospital-recorded-'));
const programs = [];
const recorders = {};

async function run(name, env, announcement) {
  const options = { env, logDir: folder, folder: join(RELEASE, 'target/debug'), announcement };
  const program = new Program(name, options);
  programs.push(program);
  await program.start();
  return program;
}

async function start() {
  const keys = join(folder, 'keys');
  const names = SERVICES.map((name) => `svc-${name}`);
  execFileSync(process.execPath, [join(ROOT, 'xtask/src/keys/make.mjs'), keys, ...names]);
  for (const name of SERVICES) {
    const service = await run(`svc-${name}`, {
      DATABASE_URL: `sqlite:${join(folder, name)}.db`,
      SEAL_KEYS_FILE: join(keys, `svc-${name}.toml`),
      MAIL_DIR: join(folder, 'mail'),
      DEVELOPMENT: 'true',
    });
    await service.ready();
    recorders[name] = await Recorder.to(service.origin);
  }
  const upstreams = SERVICES.map((name) => `hospital.${name}.v1=${recorders[name].origin}`).join(',');
  const help = execFileSync(join(RELEASE, 'target/debug/gateway'), ['--help']);
  const announcement = help.includes('--operators-listen') ? 'operators on ' : 'listening on ';
  const env = { UPSTREAMS: upstreams, API_ONLY: 'true', VISITOR_CALLS_MAX: '1000', ADDRESS_CALLS_MAX: '1000' };
  return run('gateway', env, announcement);
}

/** Checks that every call available to visitors has been recorded. */
function complete(openapi) {
  const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods));
  const isForVisitors = ({ operationId, security = [] }) =>
    operationId && (security.length === 0 || security.some((one) => !('bearer' in one)));
  const recorded = new Set(
    Object.values(recorders).flatMap(({ calls }) => calls.map(({ method }) => basename(method))),
  );
  const missing = operations.filter((one) => isForVisitors(one) && !recorded.has(one.operationId));
  assert.deepEqual(
    missing.map(({ operationId }) => operationId),
    [],
    'missing calls',
  );
}

function write() {
  mkdirSync(FIXTURES, { recursive: true });
  for (const [name, { calls }] of Object.entries(recorders)) {
    writeFileSync(
      join(FIXTURES, `${name}.json`),
      `${JSON.stringify({ release: basename(RELEASE), calls }, null, 2)}\n`,
    );
    console.log(`${name}: ${calls.length} calls`);
  }
  cpSync(join(RELEASE, 'source/svc-booking/config/resources.toml'), join(FIXTURES, 'resources.toml'));
}

try {
  const gateway = await start();
  const openapi = await (await fetch(`${gateway.origin}/api/openapi.json`)).json();
  await visit(`${gateway.origin}/api`, () => pass(FORM_SECONDS_MIN * 1000));
  complete(openapi);
  write();
} finally {
  for (const recorder of Object.values(recorders)) recorder.stop();
  for (const program of programs.reverse()) await program.stop();
  rmSync(folder, { recursive: true, force: true });
}
