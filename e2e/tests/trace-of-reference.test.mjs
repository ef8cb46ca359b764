/**
 * `cargo xtask trace`: from the reference that a patient reads out to its traces and back, and the errors when that
 * fails.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers';
import { bookableDoctor, freeSlot, person, waitForFullDay } from '../booking.mjs';
import { book, roomy } from '../faults.mjs';
import { ROOT, until } from '../processes.mjs';
import { DATABASES, System } from '../system.mjs';

const ATTRIBUTE = 'hospital.appointment.reference';
const ASK = join(ROOT, 'xtask/src/trace/ask.mjs');
/** The command waits up to 10 s for a response; a loaded machine is slow. */
const COMMAND_MS_MAX = 20_000;

/** Runs the script behind `cargo xtask trace`. */
function trace(name, url, days = 7) {
  return new Promise((resolve) => {
    execFile(process.execPath, [ASK, '--', name, url, `${days}`], { timeout: COMMAND_MS_MAX }, (error, out, problem) =>
      resolve({ code: error ? error.code : 0, out, problem }),
    );
  });
}

/** Polls until `count` complete traces exist. Each program exports its spans independently, twice a second. */
function traces(system, reference, count) {
  return until(`${count} traces of ${reference}`, async () => {
    const { code, out, problem } = await trace(reference, system.tracesOrigin);
    assert.equal(code, 0, problem);
    const found = out.trim().split('\n\n');
    const areWhole = found.every((text) => /^ {2}gateway/m.test(text) && text.includes('svc-booking'));
    assert.ok(found.length === count && areWhole, out);
    return found;
  });
}

const linkOf = (text) => text.match(/^http\S+\/trace\/([0-9a-f]{32})$/m);

for (const { database, skip } of DATABASES) {
  describe(`the reference of an appointment on ${database}`, { skip }, () => {
    let system;
    before(async () => {
      const special = { gateway: roomy(), 'svc-booking': { env: { LOG_FORMAT: 'json' } } };
      system = await System.start({ database, special });
    });
    after(() => system?.stop());

    const by = ({ secret, etag }) => ({ 'X-Appointment-Secret': secret, 'If-Match': `"${etag}"` });

    /** Returns the log lines of svc-booking that name a reference. */
    const lines = (reference) =>
      system.programs['svc-booking']
        .log()
        .split('\n')
        .filter((line) => line.includes(reference))
        .map((line) => JSON.parse(line));

    test('leads to every trace that created or changed it, and each trace leads back', async () => {
      const made = (await book(system, person(), await freeSlot(system))).body;
      const other = await freeSlot(system, { index: 4 });
      const moved = await system.post(
        `/appointments/${made.reference}:move`,
        { date: other.date, time: other.time },
        by(made),
      );
      assert.equal(moved.status, 200, JSON.stringify(moved.body));
      const stale = await system.post(
        `/appointments/${made.reference}:cancel`,
        {},
        { ...by(moved.body), 'If-Match': '"77"' },
      );
      assert.ok(stale.status >= 400 && stale.status < 500, JSON.stringify(stale.body));
      const stranger = await system.post(
        `/appointments/${made.reference}:cancel`,
        {},
        { ...by(moved.body), ...by(person()) },
      );
      assert.ok(stranger.status >= 400 && stranger.status < 500, JSON.stringify(stranger.body));
      const cancelled = await system.post(`/appointments/${made.reference}:cancel`, {}, by(moved.body));
      assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));

      // The reference as a person types it. The stranger's call is not among the traces, because it changed nothing.
      const found = await traces(system, ` ${made.reference.toLowerCase()} `, 4);
      const order = ['CreateAppointment', 'MoveAppointment', 'CancelAppointment', 'CancelAppointment'];
      const statuses = [201, 200, stale.status, 200];
      for (const [at, text] of found.entries()) {
        assert.match(text.split('\n')[0], new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\S+Z ${made.reference}$`));
        const http = `gateway \\d+\\.\\d+\\.\\d+: POST /\\S+  \\d+\\.\\d ms  HTTP ${statuses[at]}$`;
        assert.match(text, new RegExp(`^  ${http}`, 'm'), 'newest last');
        assert.match(text, new RegExp(`^ {4,}svc-booking \\S+: hospital.booking.v1.BookingService/${order[at]} `, 'm'));
      }
      const wholes = found.map((text) => linkOf(text));
      const shown = await fetch(wholes[0][0]);
      assert.equal(shown.status, 200, 'the link is a page');

      const [first, id] = wholes[0];
      assert.ok(first.startsWith(system.tracesOrigin));
      const back = await trace(id, system.tracesOrigin);
      assert.equal(back.code, 0, back.problem);
      assert.match(back.out, new RegExp(`^references: ${made.reference}$`, 'm'));

      const logged = lines(made.reference);
      const changes = logged.map((line) => line['hospital.appointment.change']);
      assert.deepEqual(changes, ['booked', 'moved', 'cancelled'], 'one line for each change, none for a refusal');
      const ids = logged.map((line) => traceOf(line));
      assert.deepEqual(
        ids,
        [0, 1, 3].map((at) => wholes[at][1]),
      );
    });

    test('is on one span, without any other patient data', async () => {
      const who = person();
      const key = randomUUID();
      const slot = await freeSlot(system, { index: 8 });
      const made = (await book(system, who, slot, key)).body;
      assert.equal((await book(system, who, slot, key)).body.reference, made.reference);
      await traces(system, made.reference, 2);
      const query = new URLSearchParams({
        service: 'svc-booking',
        tags: JSON.stringify({ [ATTRIBUTE]: made.reference }),
      });
      const { data } = await (await fetch(`${system.tracesOrigin}/api/traces?${query}`)).json();
      for (const { spans } of data) {
        const named = spans.filter(({ tags }) => tags.some(({ key }) => key === ATTRIBUTE));
        assert.deepEqual(
          named.map(({ operationName, tags }) => [operationName, tags.filter(({ key }) => key === ATTRIBUTE).length]),
          [['hospital.booking.v1.BookingService/CreateAppointment', 1]],
        );
      }
      const changes = lines(made.reference).map((line) => line['hospital.appointment.change']);
      assert.deepEqual(changes, ['booked', 'repeated']);
      const told = JSON.stringify([data, lines(made.reference)]);
      for (const value of [...Object.values(who), made.secret]) assert.ok(!told.includes(value), value);
    });

    test('of a waitlist entry leads to its appointment', async () => {
      const doctor = await bookableDoctor(system, 1);
      const { first, entry } = await waitForFullDay(system, doctor);
      const { reference, secret } = entry;
      assert.equal((await system.post(`/appointments/${first.reference}:cancel`, {}, by(first))).status, 200);
      const headers = { 'X-Waitlist-Secret': secret };
      const accepted = await until('the time is offered', async () => {
        const answer = await system.post(`/waitlist-entries/${reference}:accept`, {}, headers);
        return answer.status === 200 && answer.body;
      });
      const found = await until('both references', async () => {
        const { out } = await trace(reference, system.tracesOrigin);
        const texts = out.trim().split('\n\n');
        return texts.at(-1).includes(accepted.reference) && texts;
      });
      assert.match(found[0], /WaitlistService\/CreateWaitlistEntry/);
      assert.ok(found.at(-1).split('\n')[0].endsWith(`${accepted.reference}, ${reference}`), found.at(-1));
      assert.deepEqual(
        lines(reference).map((line) => line['hospital.appointment.change']),
        ['joined'],
      );
      const [line] = lines(accepted.reference);
      assert.deepEqual([line['hospital.appointment.change'], traceOf(line)], ['accepted', linkOf(found.at(-1))[1]]);
    });

    test('is recorded for each appointment of a bulk change by staff', async () => {
      const headers = { Authorization: `Bearer ${system.token('appointments:read appointments:write')}` };
      const staff = (path, body, further) => system.post(path, body, { ...headers, ...further });
      const made = [];
      for (const index of [20, 21]) made.push((await book(system, person(), await freeSlot(system, { index }))).body);
      const [one, other] = made;
      const status = { status: 'APPOINTMENT_STATUS_ARRIVED' };
      const arrived = await staff(`/appointments/${other.reference}:setStatus`, status, {
        'If-Match': `"${other.etag}"`,
      });
      assert.equal(arrived.status, 200, JSON.stringify(arrived.body));
      const listed = await system.api('/booking-bursts?bookingsMin=2', { headers });
      const [{ network }] = (await listed.json()).bursts;
      const span = { network, fromTime: one.createTime, untilTime: new Date(Date.now() + 1000) };
      const dry = await staff('/booking-bursts:cancel', { ...span, dryRun: true });
      assert.ok(dry.body.references.includes(one.reference), JSON.stringify(dry.body));
      const cancelled = await staff('/booking-bursts:cancel', span);
      assert.ok(cancelled.body.references.includes(one.reference), JSON.stringify(cancelled.body));
      // A dry run changes nothing and therefore has no trace with the reference.
      const found = await traces(system, one.reference, 2);
      assert.match(found[1], /DeskService\/CancelBurst/);
      assert.match(found[1], /^ {4,}svc-booking \S+: appointment {2}/m);
      const texts = await until('both changes of the other', async () => {
        const { out } = await trace(other.reference, system.tracesOrigin);
        return out.includes('SetAppointmentStatus') && out;
      });
      assert.ok(texts.includes('CreateAppointment'), texts);
      const logged = lines(one.reference).map((line) => [line['hospital.appointment.change'], traceOf(line)]);
      assert.deepEqual(logged, [
        ['booked', linkOf(found[0])[1]],
        ['cancelled', linkOf(found[1])[1]],
      ]);
      assert.equal(lines(other.reference)[1]['hospital.appointment.change'], 'status_set');
    });

    test('reports an unknown reference, and an unknown trace, in one line', async () => {
      for (const [name, expected] of [
        [
          'SH-0000-0000',
          /^error: no trace of svc-booking has hospital\S+=SH-0000-0000 in the last 7 days at http\S+: .+\n$/,
        ],
        ['0'.repeat(31) + '1', /^error: there is no trace 0+1 at http\S+: .+\n$/],
      ]) {
        const { code, out, problem } = await trace(name, system.tracesOrigin);
        assert.deepEqual([code, out], [1, '']);
        assert.match(problem, expected);
      }
    });
  });
}

/** Returns the trace of a log line: its outermost span has the id. */
function traceOf({ spans }) {
  return spans.find(({ trace_id: id }) => id).trace_id;
}

describe('cargo xtask trace reports in one line', () => {
  const REFERENCE = 'SH-7K3M-9QXD';

  /** Runs `act` against a faulty trace server. */
  async function serving(act, listener) {
    const server = createServer(listener);
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      return await act(`http://127.0.0.1:${server.address().port}`);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  const assertTold = ({ code, out, problem }, expected) => {
    assert.deepEqual([code, out], [1, ''], problem);
    assert.match(problem, expected);
    assert.equal(problem.split('\n').length, 2, problem);
  };

  test('an invalid name, without a request', async () => {
    for (const name of [
      '',
      'SH-7K3M',
      'VC-7K3M-9QXD',
      '12',
      'g'.repeat(32),
      `x${'y'.repeat(1000)}`,
      '\x1b[31m',
      '--help',
    ])
      assertTold(
        await trace(name, 'http://127.0.0.1:1/'),
        /^error: ".{0,100}" is neither a reference .+ nor the id of a trace/,
      );
  });

  test('an invalid address', async () => {
    for (const url of ['', 'localhost:16686', 'ftp://a/', 'file:///etc/passwd', 'http://a/?b', 'http://me:word@a/'])
      assertTold(await trace(REFERENCE, url), /^error: --traces-url .+ is no address/);
  });

  test('a missing, late or cut response', async () => {
    const gone = await serving(
      (url) => url,
      () => {},
    );
    assertTold(await trace(REFERENCE, gone), /cannot be asked for traces \(ECONNREFUSED\)/);
    const silent = await serving(
      (url) => trace(REFERENCE, url),
      () => {},
    );
    assertTold(silent, /cannot be asked for traces \(no answer within 10 s\)/);
    const cut = (_, response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('{"data":');
      setTimeout(() => response.destroy(), 50);
    };
    assertTold(await serving((url) => trace(REFERENCE, url), cut), /cannot be asked for traces/);
  });

  test('an unexpected response', async () => {
    for (const [status, body, expected] of [
      [200, '<!doctype html>', /something else than Jaeger's query API/],
      [200, '{"data":null}', /something else than Jaeger's query API/],
      [200, '{"data":[{"traceID":"1","spans":null}]}', /something else than Jaeger's query API/],
      [401, '', /answers 401 to a query of traces/],
      [503, '{"data":[]}', /answers 503 to a query of traces/],
      [404, '', /no trace of svc-booking has/],
    ]) {
      const answer = (_, response) => response.writeHead(status).end(body);
      assertTold(await serving((url) => trace(REFERENCE, url), answer), expected);
    }
    const endless = (_, response) => {
      const write = () => response.destroyed || setImmediate(() => (response.write('x'.repeat(1 << 20)), write()));
      write();
    };
    assertTold(await serving((url) => trace(REFERENCE, url), endless), /more than 64 MiB is not read/);
  });

  test('nothing for a broken trace, and shows its spans', async () => {
    let asked;
    const span = (spanID, parent, further) => ({
      spanID,
      operationName: spanID,
      references: parent ? [{ refType: 'CHILD_OF', spanID: parent }] : [],
      startTime: 1_700_000_000_000_000,
      duration: 1500,
      processID: 'p1',
      tags: [],
      ...further,
    });
    const loop = [span('a', 'b'), span('b', 'a')];
    const hostile = { operationName: '\x1b]0;owned\x07 POST', processID: 'unknown' };
    const error = { tags: [{ key: 'error', value: true }], references: undefined, logs: null };
    const spans = [...loop, span('orphan', 'lost'), span('bad', 'orphan', hostile), span('failed', '', error)];
    const many = Array.from({ length: 2000 }, (_, at) => span(`deep${at}`, at ? `deep${at - 1}` : ''));
    const processes = { p1: { serviceName: 'x' } };
    const data = [
      { traceID: 'b'.repeat(32), spans: many, processes },
      { traceID: 'a'.repeat(32), spans: spans.map((one) => ({ ...one, startTime: 1 })), processes },
    ];
    const answer = (request, response) => {
      asked = new URL(request.url, 'http://a');
      response.end(JSON.stringify({ data }));
    };
    const { code, out } = await serving((url) => trace(REFERENCE, `${url}/jaeger/`, 3), answer);
    assert.equal(code, 0);
    assert.ok(!/(?!\n)\p{C}/u.test(out), 'nothing that a terminal obeys');
    const [old, deep] = out.trim().split('\n\n');
    assert.match(old, /^ {2}x: orphan {2}1\.5 ms {2}ok$/m);
    assert.match(old, /^ {4}unknown: .+owned.+POST {2}1\.5 ms/m);
    assert.match(old, /^ {2}x: failed {2}1\.5 ms {2}ERROR$/m);
    assert.match(old, /and 2 more spans/);
    assert.match(deep, /and 1700 more spans/);

    // Parameters that Jaeger requires: a service, and times in microseconds.
    assert.equal(asked.pathname, '/jaeger/api/traces');
    const { service, tags, start, end } = Object.fromEntries(asked.searchParams);
    assert.deepEqual([service, JSON.parse(tags)], ['svc-booking', { [ATTRIBUTE]: REFERENCE }]);
    const days = (Number(end) - Number(start)) / 86_400_000_000;
    assert.ok(days > 3 && days < 3.01 && Math.abs(Number(end) / 1000 - Date.now()) < 120_000, `${days}`);
  });
});
