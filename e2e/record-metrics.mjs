#!/usr/bin/env node
/**
 * Writes `deploy/observability/recorded/`: the metrics that the site's programs export (`site.json`), and those that
 * rules read, with their values and rates during quiet visits (`day.json`). Needs the programs of a debug build, the
 * published page modules and redis-server.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { FOLDER } from '../deploy/observability/check.mjs';
import { dayOf } from '../deploy/observability/check/day.mjs';
import { record } from '../deploy/observability/check/recorded.mjs';
import { freePort } from '../deploy/observability/free-port.mjs';
import { roomy } from './faults.mjs';
import { EVENTFUL, metricsByProgram, mailIsSent, metricsOf, quietVisits, visits } from './metrics.mjs';
import { until } from './processes.mjs';
import { System } from './system.mjs';

/**
 * Rounds of quiet visits that are recorded, after one that fills the caches. One network books at most nine times before
 * it counts as a burst.
 */
const ROUNDS = 6;

async function write(name, value) {
  const file = join(FOLDER, 'recorded', name);
  writeFileSync(file, await format(JSON.stringify(value), { ...(await resolveConfig(file)), filepath: file }));
}

async function within(options, act) {
  const system = await System.start(options);
  try {
    return await act(system);
  } finally {
    await system.stop();
  }
}

/** Records the metrics of an eventful site. */
async function recordSite() {
  await within(EVENTFUL, async (system) => {
    const first = await metricsOf(system);
    await visits(system);
    await write('site.json', record(first, await metricsOf(system)));
  });
}

/** Records the rates of quiet visits, with Redis. */
async function recordDay() {
  const port = await freePort();
  const redis = spawn('redis-server', ['--port', `${port}`, '--save', '', '--bind', '127.0.0.1'], { stdio: 'ignore' });
  try {
    const special = { gateway: roomy({ REDIS_URL: `redis://127.0.0.1:${port}` }) };
    await within({ staff: true, special }, async (system) => {
      await fetch(`${system.origin}/staff/sign-in?return=/staff`, { redirect: 'manual' });
      await quietVisits(system, 0);
      await mailIsSent(system);
      await until('Redis decides', async () => (await system.metric('rate_limit_redis_connected')) === 1);
      const [begun, first] = [Date.now(), await metricsByProgram(system)];
      for (let round = 1; round <= ROUNDS; round += 1) await quietVisits(system, 2 * round);
      await write('day.json', dayOf(FOLDER, first, await metricsByProgram(system), (Date.now() - begun) / 60_000));
    });
  } finally {
    redis.kill('SIGTERM');
  }
}

await recordSite();
await recordDay();
