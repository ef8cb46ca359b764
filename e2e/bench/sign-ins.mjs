/**
 * Many sign-ins within a minute, as at the change of a shift: how many succeed, how the others are refused, what the
 * gateway's memory does, and how fast a public page is beside them. The issuer has signed the people in before, so each
 * sign-in is a round of redirects.
 *
 * node e2e/bench/sign-ins.mjs [count] [per second]
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { ACCOUNTS } from '../staff.mjs';
import { ONCE, System } from '../system.mjs';
import { spread, timed } from './measure.mjs';

const COUNT = Number(process.argv[2] ?? 1000);
const PER_SECOND = Number(process.argv[3] ?? 17);
/** Sign-ins under way at once; more wait here. Each has a session of its own at the issuer, as people have. */
const AT_ONCE_MAX = 32;
const PAGE = '/doctors';
const PAGE_EVERY_MS = 200;
/** Statuses by which a limit refuses: too many requests of one network, or too many that wait for the issuer. */
const REFUSALS = [429, 503];
/** Memory that the load may add; sessions are in cookies, so each leaves a few marks only. */
const GROWTH_MIB_MAX = 64;

/** Runs the load with further flags of the gateway, and prints what happened. */
async function run(name, flags) {
  const gateway = ['--address-documents-max', '1000000', ...flags];
  const system = await System.start({ staff: true, gateway });
  try {
    const people = [];
    for (let n = 0; n < AT_ONCE_MAX; n += 1) people.push(await atIssuer(system, ACCOUNTS[n % ACCOUNTS.length]));
    const quiet = [];
    for (let n = 0; n < 25; n += 1) quiet.push(await timed(() => page(system)));
    const before = memoryMib(system);
    let [isOver, most] = [false, before];
    const beside = [];
    const watch = (async () => {
      while (!isOver) {
        beside.push(await timed(() => page(system)));
        most = Math.max(most, memoryMib(system));
        await wait(PAGE_EVERY_MS);
      }
    })();
    const statuses = {};
    const times = [];
    const underWay = new Set();
    const started = performance.now();
    for (let n = 0; n < COUNT; n += 1) {
      await wait(Math.max(0, (n * 1000) / PER_SECOND - (performance.now() - started)));
      while (people.length === 0) await Promise.race(underWay);
      const person = people.pop();
      const one = timed(async () => {
        const status = await signIn(system, person);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }).then((ms) => {
        times.push(ms);
        people.push(person);
        underWay.delete(one);
      });
      underWay.add(one);
    }
    await Promise.all(underWay);
    const seconds = (performance.now() - started) / 1000;
    isOver = true;
    await watch;
    console.log(`${name}: ${COUNT} sign-ins in ${seconds.toFixed(0)} s, by status of the last response:`, statuses);
    console.log(`  a sign-in: ${spread(times)}; ${PAGE} alone: ${spread(quiet)}, beside them: ${spread(beside)}`);
    console.log(`  memory of the gateway: ${before} MiB before, ${most} MiB at most`);
    for (const status of Object.keys(statuses).map(Number))
      assert.ok(status === 200 || REFUSALS.includes(status), `status ${status}`);
    assert.ok(statuses[200] > 0 && most - before <= GROWTH_MIB_MAX);
  } finally {
    await system.stop();
  }
}

/** Signs an account in at the issuer alone, so that the gateway's limits are untouched. Returns the cookies there. */
async function atIssuer(system, account) {
  const cookies = new Map();
  const query = new URLSearchParams({
    client_id: 'hospital-gateway',
    response_type: 'code',
    scope: 'openid profile',
    redirect_uri: `${system.origin}/staff/callback`,
    state: 'state',
    nonce: 'nonce',
    code_challenge: createHash('sha256').update('verifier').digest('base64url'),
    code_challenge_method: 'S256',
  });
  const asked = await follow(new URL(`/auth?${query}`, system.programs.issuer.issuer), cookies);
  const body = new URLSearchParams({ account, password: account });
  const { url } = await follow(asked.url, cookies, { method: 'POST', body }, system.origin);
  assert.ok(url.searchParams.get('code'), account);
  return cookies;
}

/** Signs in as a person whom the issuer knows. Returns the status of the page, or of the refusal. */
async function signIn(system, known) {
  return (await follow(new URL('/staff', system.origin), new Map(known))).status;
}

/** Follows redirects with cookies by host, as far as to the origin `end`. */
async function follow(from, cookies, init = {}, end = '') {
  let [url, options] = [from, init];
  for (let hop = 0; hop < 12; hop += 1) {
    const own = [...cookies].filter(([key]) => key.startsWith(`${url.hostname} `));
    const Cookie = own.map(([key, value]) => `${key.split(' ')[1]}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', ...options, headers: { ...ONCE, Cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(line);
      if (value) cookies.set(`${url.hostname} ${key}`, value);
      else cookies.delete(`${url.hostname} ${key}`);
    }
    await response.arrayBuffer();
    const location = response.headers.get('location');
    if (!location) {
      if (response.status === 429) assert.ok(response.headers.get('retry-after'), 'says when to come back');

      return { status: response.status, url };
    }
    url = new URL(location, url);
    options = {};
    if (url.origin === end) return { url };
  }
  throw new Error(`too many redirects at ${url.origin}${url.pathname}`);
}

async function page(system) {
  const response = await fetch(`${system.origin}${PAGE}`, { headers: ONCE });
  await response.arrayBuffer();
  assert.equal(response.status, 200);
}

function memoryMib(system) {
  const status = readFileSync(`/proc/${system.programs.gateway.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)[1]) / 1024);
}

await run('limits of a server', []);
await run('without the limit per network', ['--sign-in-requests-max', '1000000', '--staff-calls-max', '1000000']);
