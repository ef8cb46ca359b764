/** Several gateways share Redis for their limits. While Redis is killed or frozen, each gateway counts on its own. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { freeSlot, person } from '../booking.mjs';
import { assertOthersGoOn, book } from '../faults.mjs';
import { until } from '../processes.mjs';
import { System } from '../system.mjs';

const REDIS = '/usr/bin/redis-server';
/** Calls per visitor and minute (specification). */
const VISITOR_CALLS = 10;

const skip = existsSync(REDIS) ? false : `${REDIS} is not installed`;

describe('Redis fails', { skip }, () => {
  let port;
  let redis;
  let system;

  async function startRedis() {
    const line = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    redis = spawn(REDIS, line, { stdio: 'ignore' });
    const answers = () =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
        socket.on('error', () => resolve(false));
        socket.on('data', (bytes) => {
          socket.destroy();
          resolve(bytes.toString().startsWith('+PONG'));
        });
      });
    await until('Redis answers', answers);
  }

  before(async () => {
    const free = createServer();
    await new Promise((resolve) => free.listen(0, '127.0.0.1', resolve));
    port = free.address().port;
    await new Promise((resolve) => free.close(resolve));
    await startRedis();
    const env = { REDIS_URL: `redis://127.0.0.1:${port}`, ADDRESS_CALLS_MAX: '100000' };
    system = await System.start({ special: { gateway: { env } } });
  });
  after(async () => {
    redis?.kill('SIGKILL');
    await system?.stop();
  });

  const isConnected = async () => (await system.metric('rate_limit_redis_connected')) === 1;
  const asked = (outcome) => system.metric('rate_limit_redis_calls_total', { outcome });

  /**
   * Checks that a visitor's calls are answered up to the limit and the next one is refused, wherever the calls are
   * counted.
   */
  async function assertLimits() {
    const headers = { 'X-Client-Id': randomUUID() };
    for (let call = 0; call < VISITOR_CALLS; call += 1) {
      const answer = await system.api('/blogs', { headers });
      assert.equal(answer.status, 200, `call ${call}`);
      await answer.text();
    }
    assert.equal((await system.api('/blogs', { headers })).status, 429);
  }

  const FAULTS = [
    {
      name: 'killed',
      begin: async () => {
        const ended = new Promise((resolve) => redis.once('close', resolve));
        redis.kill('SIGKILL');
        await ended;
      },
      end: startRedis,
    },
    { name: 'frozen', begin: () => redis.kill('SIGSTOP'), end: () => redis.kill('SIGCONT') },
  ];
  for (const [index, { name, begin, end }] of FAULTS.entries()) {
    test(`${name}: falls back to local limits, and recovers by itself`, async () => {
      await until('rates are counted in Redis', isConnected);
      const decided = await asked('decided');
      await assertLimits();
      assert.ok((await asked('decided')) > decided);

      await begin();
      try {
        await assertLimits();
        const slot = await freeSlot(system, { index });
        const { status, body } = await book(system, person(), slot);
        assert.equal(status, 201, JSON.stringify(body));
        await assertOthersGoOn(system);
        await until('the metrics tell', async () => !(await isConnected()) || (await asked('late')) > 0);
        assert.ok((await asked('late')) + (await asked('error')) + (await asked('skipped')) > 0);
      } finally {
        await end();
      }

      const alone = await asked('decided');
      await until('Redis decides again', async () => {
        await (await system.api('/blogs')).text();
        return (await asked('decided')) > alone;
      });
      await assertLimits();
    });
  }
});
