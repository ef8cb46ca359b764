#!/usr/bin/env node
/**
 * Fuzzes the real gateway and services with valid and invalid requests of the gateway's OpenAPI document. Each response
 * is checked against the document:
 * `node fuzz-api.mjs --database sqlite|postgres [--examples 10] [--operation ID]… [--seed N]`.
 * Writes `target/fuzz-api/<database>.xml` (JUnit) and a last line like the test runners.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './processes.mjs';
import { System, UNLIMITED } from './system.mjs';

const TARGET = process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target');
/** Folder in which `cargo xtask` has installed schemathesis. */
const PROGRAMS = join(TARGET, 'schemathesis/bin');
const OUT = join(TARGET, 'fuzz-api');
/**
 * Time limit of a call in seconds, whatever is sent. The gateway gives up after 5 s, or up to 8 s where a contract
 * allows it.
 */
const CALL_S_MAX = 10;
/** Flags that lift all limits, including those of pages. */
const WITHOUT_LIMITS = [
  ...UNLIMITED,
  ...['--address-documents-max', '--address-requests-in-flight-max'].map((flag) => `${flag}=1000000`),
];

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    examples: { type: 'string', default: '10' },
    operation: { type: 'string', multiple: true, default: [] },
    phases: { type: 'string', default: 'examples,coverage,fuzzing,stateful' },
    seed: { type: 'string' },
  },
});

function run(program, args, env = {}) {
  const child = spawn(join(PROGRAMS, program), args, {
    cwd: OUT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}

async function main() {
  mkdirSync(OUT, { recursive: true });
  const system = await System.start({ database: options.database, gateway: ['--api-only', ...WITHOUT_LIMITS] });
  try {
    const description = await (await system.api('/openapi.json')).json();
    const file = join(OUT, 'openapi.json');
    writeFileSync(file, JSON.stringify(description));
    const valid = await run('openapi-spec-validator', ['--schema', '3.1', file]);
    if (valid !== 0) throw new Error('/api/openapi.json is not valid OpenAPI 3.1');
    const args = [
      ...[
        '--config-file',
        join(ROOT, 'e2e/fuzz/schemathesis.toml'),
        'run',
        `${system.origin}/api/openapi.json`,
        '--no-color',
        '--workers',
        '1',
      ],
      ...['--phases', options.phases, '--max-examples', options.examples, '--continue-on-failure'],
      ...['--request-timeout', String(CALL_S_MAX), '--generation-database', 'none'],
      ...['-H', `Authorization: Bearer ${system.token(scopesOf(description).join(' '))}`],
      ...['--report', 'junit', '--report-junit-path', join(OUT, `${options.database}.xml`)],
      ...options.operation.flatMap((id) => ['--include-operation-id', id]),
      ...(options.seed ? ['--seed', options.seed] : []),
    ];
    process.exitCode = await run('schemathesis', args, {
      FUZZ_SITE: system.origin,
      PYTHONPATH: join(ROOT, 'e2e/fuzz'),
      PYTHONDONTWRITEBYTECODE: '1',
    });
    // Failures that no response shows: a contained panic, or a reply that is no message of the contract.
    const wrong = system.logs().match(/^.*\b(panicked|is no message of the contract)\b.*$/gm) ?? [];
    for (const line of wrong.slice(0, 20)) console.error(line);
    if (wrong.length) process.exitCode = 1;
  } finally {
    await system.stop();
  }
}

/** Returns every scope that an operation needs. */
function scopesOf({ paths }) {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return [...new Set(operations.flatMap(({ security = [] }) => security.flatMap(({ bearer = [] }) => bearer)))];
}

await main();
