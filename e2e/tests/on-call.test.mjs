/**
 * Questions of the person on call, answered only from what they have: `/metrics` of each program, the traces and
 * `/status`. Each program that a test disturbs recovers before the next test.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { bookableDoctor, confirmation, freeSlot, openFilledForm, payload, person, submitButton } from '../booking.mjs';
import { launch, visitor } from '../browser.mjs';
import { documentToken } from '../document-token.mjs';
import { book, roomy } from '../faults.mjs';
import { until, within } from '../processes.mjs';
import { LISTED, POSTGRES_URL, System } from '../system.mjs';

const SERVICES = LISTED.map(({ name }) => name);
/** Longer than a program on a busy machine needs for `/metrics`; Prometheus uses the same limit. */
const SCRAPE_MS_MAX = 2_000;
const RATE_CALLS = 10;

describe('on call', () => {
  const began = Date.now();
  let system;
  let browser;
  before(async () => {
    // Nothing listens on this port: Redis is down from the start.
    const env = { REDIS_URL: 'redis://127.0.0.1:9', VISITOR_CALLS_MAX: `${RATE_CALLS}` };
    const database = POSTGRES_URL ? 'postgres' : 'sqlite';
    const json = Object.fromEntries(SERVICES.map((name) => [name, { env: { LOG_FORMAT: 'json' } }]));
    const gateway = roomy({ ...env, LOG_FORMAT: 'json' });
    [system, browser] = await Promise.all([System.start({ database, special: { ...json, gateway } }), launch()]);
    await fetch(`${system.origin}/appointment`);
  });
  after(async () => {
    for (const name of SERVICES) system?.programs[name]?.thaw();
    await browser?.close();
    await system?.stop();
  });

  const scraped = async (name) => {
    const signal = AbortSignal.timeout(SCRAPE_MS_MAX);
    return (await fetch(`${system.programs[name].operatorsOrigin}/metrics`, { signal })).text();
  };
  /** Returns the sum of the series with these labels; `undefined` if there are none. */
  const value = async (name, metric, labels = {}) => {
    const wanted = Object.entries(labels).map(([key, label]) => `${key}="${label}"`);
    const lines = (await scraped(name)).split('\n').filter((line) => line.match(/^[a-z_]+/)?.[0] === metric);
    const found = lines.filter((line) => wanted.every((label) => line.includes(label)));
    if (found.length === 0) return undefined;
    return found.reduce((sum, line) => sum + Number(line.replace(/ # .*/, '').split(' ').at(-1)), 0);
  };
  const gateway = (metric, labels) => value('gateway', metric, labels);
  /** Returns the programs that Prometheus could not scrape now. */
  const down = async () => {
    const names = ['gateway', ...SERVICES];
    const answers = await Promise.allSettled(names.map(scraped));
    return names.filter((_, index) => answers[index].status === 'rejected');
  };
  const traces = async (query) => {
    const answer = await fetch(`${system.tracesOrigin}/api/traces${query}`);
    return answer.ok ? (await answer.json()).data : [];
  };
  /** Waits for the trace until it contains a span of each of these services. */
  const whole = (id, ...services) =>
    until(`${id} has spans of ${services}`, async () => {
      const [trace] = await traces(`/${id}`);
      const names = trace.spans.map((span) => trace.processes[span.processID].serviceName);
      return services.every((service) => names.includes(service)) && trace;
    });
  const tags = ({ tags: list }) => Object.fromEntries(list.map((tag) => [tag.key, tag.value]));
  const spansOf = (trace, service) =>
    trace.spans.filter((span) => trace.processes[span.processID].serviceName === service);
  const traceId = ({ headers }) => /traceparent;desc="00-([0-9a-f]{32})/.exec(headers.get('server-timing'))?.[1];

  for (const { name, package: upstream, offers } of LISTED) {
    test(`which service is down? ${name}`, async () => {
      const before = await gateway('upstream_connect_failures_total', { upstream });
      await system.programs[name].kill();
      assert.deepEqual(await down(), [name]);
      await until('visitors read it, too', async () => {
        const page = await (await fetch(`${system.origin}/status`)).text();
        return new RegExp(`<dt>${offers}</dt>.*?Isn't working at the moment`, 's').test(page);
      });
      await until('the gateway says whom it cannot reach', async () => {
        return (await gateway('upstream_connect_failures_total', { upstream })) > before;
      });
      await system.programs[name].start();
      await system.programs[name].ready();
      assert.deepEqual(await down(), []);
    });
  }

  test('which service hangs although its process is alive, and who is affected?', async () => {
    system.programs['svc-booking'].freeze();
    try {
      assert.deepEqual(await down(), ['svc-booking']);
      const { status } = await system.api('/availability?department=ENT&from=2027-03-01&to=2027-03-02');
      assert.ok([503, 504].includes(status), `status ${status}`);
      const failed = (route) => gateway('http_server_requests_total', { status, route });
      assert.ok((await failed('/api/availability')) >= 1);
      assert.equal(await failed('/api/blogs'), undefined, 'another service is no part of it');
    } finally {
      system.programs['svc-booking'].thaw();
    }
    await until('it answers again', async () => (await down()).length === 0);
  });

  test('is it the database?', { skip: POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set' }, async () => {
    const slot = await freeSlot(system, { index: 3 });
    const release = await locked(system.databaseUrl('svc-booking'), 'appointments');
    const booking = book(system, person(), slot);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await release();
    const { status, headers } = await booking;
    assert.equal(status, 201);
    const bucket = 'db_client_operation_duration_seconds_bucket';
    const slow =
      (await value('svc-booking', bucket, { le: '+Inf' })) - (await value('svc-booking', bucket, { le: '1.0' }));
    assert.ok(slow >= 1, 'a call of the database that took more than a second');
    const trace = await whole(traceId({ headers }), 'gateway', 'svc-booking');
    const longest = spansOf(trace, 'svc-booking')
      .filter((span) => tags(span)['db.system.name'])
      .sort((a, b) => b.duration - a.duration)[0];
    assert.ok(longest.duration > 1_000_000, `${longest.operationName} ${longest.duration} µs`);
    assert.match(tags(longest)['db.query.summary'], /appointments|seats|requests/i);
  });

  test('is Redis down, and what does it affect?', async () => {
    assert.equal(await gateway('rate_limit_redis_connected'), 0);
    const visitor = { 'X-Client-Id': randomUUID() };
    const answers = [];
    for (let call = 0; call <= RATE_CALLS; call += 1) answers.push(await system.api('/blogs', { headers: visitor }));
    // Each gateway counts on its own: the limits hold, and no call is refused before its limit.
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array(RATE_CALLS).fill(200), 429],
    );
  });

  test('does a client exceed its limits?', async () => {
    assert.ok((await gateway('http_server_rate_limited_total', { class: 'read', limit: 'visitor' })) >= 1);
    assert.equal(await gateway('http_server_rate_limited_total', { class: 'create', limit: 'visitor' }), 0);
  });

  test('is a time taken by someone else an error?', async () => {
    const { slot, doctor } = await sharedTime(system);
    const post = (who) =>
      system.api('/appointments', {
        method: 'POST',
        headers: { 'Idempotency-Key': randomUUID() },
        body: JSON.stringify(payload(who, slot, doctor)),
      });
    assert.equal((await post(person())).status, 201);
    const taken = await post(person());
    assert.equal(taken.status, 409);
    assert.ok((await value('svc-booking', 'bookings_total', { outcome: 'slot_taken' })) >= 1);
    assert.equal(await value('svc-booking', 'bookings_total', { outcome: 'failed' }), 0);
    const trace = await whole(traceId(taken), 'gateway', 'svc-booking');
    for (const span of trace.spans) assert.notEqual(tags(span).error, true, span.operationName);
    assert.ok(spansOf(trace, 'svc-booking').some((s) => tags(s)['rpc.response.status_code'] === 'ALREADY_EXISTS'));
  });

  test('did a retry make two appointments?', async () => {
    const [who, slot, key] = [person(), await freeSlot(system, { index: 5 }), randomUUID()];
    const [booked, repeated] = await Promise.all(['booked', 'repeated'].map((outcome) => outcomes(outcome)));
    const first = await book(system, who, slot, key);
    const second = await book(system, who, slot, key);
    assert.equal(first.body.reference, second.body.reference);
    assert.equal(await outcomes('booked'), booked + 1);
    assert.equal(await outcomes('repeated'), repeated + 1);
  });
  const outcomes = (outcome) => value('svc-booking', 'bookings_total', { outcome });

  test('are mails delayed?', async () => {
    system.programs['svc-messaging'].freeze();
    try {
      assert.equal((await book(system, person(), await freeSlot(system, { index: 7 }))).status, 201);
      await until('the outbox says that something waits, and for how long', async () => {
        const waiting = await value('svc-booking', 'outbox_waiting');
        return waiting >= 1 && (await value('svc-booking', 'outbox_oldest_age_seconds')) > 1;
      });
    } finally {
      system.programs['svc-messaging'].thaw();
    }
    const delivered = () => value('svc-booking', 'outbox_deliveries_total', { outcome: 'delivered' });
    const before = await delivered();
    await until('they go out', async () => (await delivered()) > before, 60_000);
    assert.equal(await value('svc-booking', 'outbox_dead'), 0);
  });

  test('which request was slow? An exemplar leads to its trace', async () => {
    await system.api('/availability?department=ENT&from=2027-05-01&to=2027-05-02');
    const pattern = /^http_server_request_duration_seconds_bucket\{.*route="([^"]+)".* # \{trace_id="([0-9a-f]{32})"\}/;
    const lines = (await scraped('gateway')).split('\n');
    const [, route, id] = lines.map((line) => pattern.exec(line)).find((found) => found?.[1] === '/api/availability');
    const trace = await whole(id, 'gateway');
    assert.ok(spansOf(trace, 'gateway').some((span) => tags(span)['http.route'] === route));
    // The same for the database: the exemplar of a slow call leads to the request that waited for it.
    const query =
      /^db_client_operation_duration_seconds_bucket\{.*operation="SELECT".* # \{trace_id="([0-9a-f]{32})"\}/m;
    const asked = query.exec(await scraped('svc-booking'));
    assert.ok(asked, 'no exemplar of a database call');
    const spans = spansOf(await whole(asked[1], 'svc-booking'), 'svc-booking');
    assert.ok(spans.some((span) => tags(span)['db.query.summary']?.startsWith('SELECT')));
  });

  test('which version of which team broke the page, and since when is it live?', async () => {
    const [series] = (await scraped('gateway')).match(/^remote_version_info\{team="booking".*role="stable"\} 1$/m);
    const version = /version="([^"]+)"/.exec(series)[1];
    const since = await gateway('remote_version_start_time_seconds', { team: 'booking', version, role: 'stable' });
    assert.ok(since >= Math.floor(began / 1000) && since <= Date.now() / 1000, `live since ${since}`);
    const token = await documentToken(system.origin, '/appointment');
    const failures = [{ team: 'booking', version, module: 'appointment', kind: 'hydrate' }];
    const report = (body) =>
      fetch(`${system.origin}/telemetry`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'test' },
        body: JSON.stringify(body),
      });
    assert.equal((await report({ failures })).status, 403, 'G4: anybody could send it');
    assert.equal((await report({ failures, token })).status, 202);
    const labels = { team: 'booking', version, module: 'appointment', kind: 'hydrate' };
    assert.equal(await gateway('browser_module_failures_total', labels), 1);
    assert.equal(await gateway('browser_module_failures_total', { team: 'content' }), undefined);
    assert.equal(await gateway('remote_reporting_networks_total', { team: 'booking', version }), 1);
  });

  test('a browser reports a page module that does not load', async () => {
    const { context, page } = await visitor(browser);
    const module = /\/remotes\/booking\/[^/]+\/__federation_expose_appointment[^/]*\.js$/;
    await context.route(module, (route) => route.abort());
    await page.goto(`${system.origin}/appointment`);
    const labels = { team: 'booking', module: 'appointment', kind: 'load' };
    const counted = async () => (await gateway('browser_module_failures_total', labels)) === 1;
    await until('its report, with the token of its document, is counted', counted);
    await context.close();
  });

  test('which build runs where, since when, and who is on call?', async () => {
    const start = await value('svc-assessment', 'process_start_time_seconds');
    for (const name of ['gateway', ...SERVICES]) {
      const [line] = (await scraped(name)).match(/^build_info\{.*\} 1$/m);
      assert.match(line, new RegExp(`service="${name}",version="[^"]+",team="[a-z]+"`));
      assert.equal(await value(name, 'process_ready'), 1);
    }
    await system.programs['svc-assessment'].stop();
    await system.programs['svc-assessment'].start();
    await system.programs['svc-assessment'].ready();
    assert.ok((await value('svc-assessment', 'process_start_time_seconds')) > start, 'a restart is seen');
  });

  test('is the gateway refusing requests for lack of capacity?', async () => {
    assert.equal(await gateway('http_server_shed_total'), 0);
    const crowded = await System.start({ services: false, gateway: ['--requests-in-flight-max', '4'] });
    try {
      const shed = () => crowded.metric('http_server_shed_total');
      await until('more came than there was room for', async () => {
        const asked = Array.from({ length: 60 }, () => fetch(`${crowded.origin}/doctors?q=${randomUUID()}`));
        await Promise.all(asked.map(async (answer) => (await answer).arrayBuffer()));
        return (await shed()) > 0;
      });
      assert.equal((await fetch(`${crowded.origin}/emergency`)).status, 200);
    } finally {
      await crowded.stop();
    }
  });

  test('does every program export the metrics of the dashboards?', async () => {
    const { context, page } = await visitor(browser);
    await openFilledForm(page, system, await freeSlot(system, { index: 11 }), person());
    await submitButton(page).click();
    await confirmation(page);
    await context.close();
    for (const path of ['/messages', '/assessments']) await system.api(path, { method: 'POST', body: '{}' });
    for (const name of ['browser', 'gateway', ...SERVICES]) {
      await until(`traces of ${name}`, async () => (await traces(`?service=${name}&limit=1`)).length > 0);
      if (name === 'browser') continue;
      assert.match(await scraped(name), /^process_ready 1$/m);
      const lines = system.programs[name].log().split('\n').filter(Boolean);
      assert.ok(lines.length > 0, `${name} logs nothing`);
      for (const line of lines) assert.ok(JSON.parse(line).timestamp, line);
    }
    const edges = [
      ['browser', 'gateway'],
      ...SERVICES.map((name) => ['gateway', name]),
      ['svc-booking', 'svc-messaging'],
    ];
    await until('the edges between them', async () => {
      const { data } = await (await fetch(`${system.tracesOrigin}/api/dependencies`)).json();
      const found = new Set(data.map(({ parent, child }) => `${parent} ${child}`));
      const missing = edges.filter((edge) => !found.has(edge.join(' ')));
      if (missing.length > 0) throw new Error(`not seen: ${missing.join(' ')}`);
      return true;
    });
    // Each service also calls its own database, which is not a process with metrics here.
    for (const name of SERVICES) {
      assert.ok((await value(name, 'db_client_operation_duration_seconds_count')) > 0, `${name} asks its database`);
    }
  });

  test('does a missing collector slow the site down?', async () => {
    assert.ok((await gateway('process_spans_total', { outcome: 'exported' })) > 0);
    assert.equal(await gateway('process_spans_total', { outcome: 'dropped' }), 0);
    await system.programs['ops-traces'].kill();
    const answers = await Promise.all(
      ['/emergency', '/blogs', '/api/blogs'].map((path) => fetch(system.origin + path)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal((await book(system, person(), await freeSlot(system, { index: 9 }))).status, 201);
    assert.deepEqual(await down(), []);
    for (const name of ['gateway', 'svc-booking']) {
      const lost = async () => (await value(name, 'process_spans_total', { outcome: 'failed' })) > 0;
      await until(`lost spans of ${name} are counted`, lost);
    }
  });
});

/** Locks a PostgreSQL table, as a migration or another query may do. Returns a function that releases the lock. */
async function locked(url, table) {
  const psql = spawn('psql', ['--quiet', '--no-psqlrc', '--no-align', '--tuples-only', '-d', url]);
  const ended = new Promise((resolve) => psql.once('close', resolve));
  const has = new Promise((resolve) => psql.stdout.once('data', resolve));
  psql.stdin.write(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE; SELECT 'locked';\n`);
  await within(10_000, `${table} is locked`, has);
  return async () => {
    psql.stdin.end('COMMIT;\n');
    await within(10_000, 'psql ends', ended);
  };
}

/** Returns a free time of one doctor. */
async function sharedTime(system) {
  const { department, id: doctor } = await bookableDoctor(system);
  return { slot: await freeSlot(system, { department, doctor, index: 1 }), doctor };
}
