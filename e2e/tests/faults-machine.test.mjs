/**
 * The machine fails a program: a full disk, a clock that is ahead, an unread log pipe. `docs/reference/faults.md` has the
 * same rows.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { REFERENCE, freeSlot, person } from '../booking.mjs';
import { assertGivesBack, assertOthersGoOn, assertProblem, book, bookNatively, bookingsOf, roomy } from '../faults.mjs';
import { NO_MOVED_CLOCK, movedBy } from '../moved-clock.mjs';
import { until, within } from '../processes.mjs';
import { System } from '../system.mjs';

const DISK_MIB = 24;

/** Returns why no private file system can be mounted here; `false` if it can. */
function withoutDisk() {
  try {
    const line = 'mount -t tmpfs -o size=1m tmpfs /mnt && command -v nsenter';
    execFileSync('unshare', ['-m', 'sh', '-c', line], { stdio: 'pipe' });
    return false;
  } catch (error) {
    return `no tmpfs can be mounted in a namespace: ${String(error.stderr ?? error).trim()}`;
  }
}

describe('the disk of svc-booking is full', { skip: withoutDisk() }, () => {
  const disk = mkdtempSync(join(tmpdir(), 'hospital-disk-'));
  let system;
  before(async () => {
    // The namespace is private to this program and ends with it, as does the file system.
    const mount = `mount -t tmpfs -o size=${DISK_MIB}m tmpfs ${disk} && exec "$@"`;
    const booking = {
      wrapper: ['unshare', '-m', 'sh', '-c', mount, 'sh'],
      env: { DATABASE_URL: `sqlite:${disk}/booking.db` },
    };
    system = await System.start({ special: { 'svc-booking': booking, gateway: roomy() } });
  });
  after(async () => {
    await system?.stop();
    rmSync(disk, { recursive: true, force: true });
  });

  const onDisk = (line) =>
    execFileSync('nsenter', ['-t', `${system.programs['svc-booking'].pid}`, '-m', 'sh', '-c', line], { stdio: 'pipe' });

  test('stores nothing partially: returns the form, serves reads, and books once when there is space', async () => {
    const [who, other] = [person(), person()];
    const slots = [await freeSlot(system, { index: 0 }), await freeSlot(system, { index: 1 })];
    const [key, statuses] = [randomUUID(), [500, 503]];
    // Also writes the last byte: dd ends when nothing more fits.
    onDisk(`dd if=/dev/zero of=${disk}/fill bs=4k 2>/dev/null; dd if=/dev/zero of=${disk}/rest bs=1 2>/dev/null; true`);
    const refused = await until('there is no room left', async () => {
      const answer = await book(system, who, slots[0], key);
      return answer.status !== 201 && answer;
    });
    assertProblem(refused, statuses);
    const native = await bookNatively(system.origin, other, slots[1]);
    assert.ok(statuses.includes(native.status), `status ${native.status}`);
    assertGivesBack(native.page, other);
    await assertOthersGoOn(system);
    const read = await system.api(`/availability?department=ENT&doctor=${randomUUID()}`);
    assert.notEqual(Math.floor(read.status / 100), 5, 'reads need no room');
    // X8: this many refused writes show that the service cannot write, not that it is down.
    for (let times = 0; times < 40; times += 1) await book(system, who, slots[0], key);
    for (let times = 0; times < 10; times += 1) {
      const answer = await system.api(`/availability?department=ENT&doctor=${randomUUID()}`);
      assert.notEqual(Math.floor(answer.status / 100), 5, `reads go on after refused writes: ${answer.status}`);
    }
    assert.ok((await system.metric('http_server_requests_total', { method: 'POST', status: refused.status })) >= 1);

    onDisk(`rm ${disk}/fill ${disk}/rest`);
    await until('bookings are kept again', async () => (await book(system, who, slots[0], key)).status === 201, 30_000);
    assert.equal(await bookingsOf(system, who), 1);
    assert.equal(await bookingsOf(system, other), 0, 'what was refused is not kept');
  });
});

const AHEAD = [
  { program: 'svc-booking', staff: 401 },
  { program: 'gateway', staff: 401 },
];
for (const { program, staff } of AHEAD) {
  describe(`the clock of ${program} is two hours ahead`, { skip: NO_MOVED_CLOCK }, () => {
    let system;
    before(async () => {
      const env = movedBy('+2h');
      const special = { gateway: roomy() };
      special[program] = program === 'gateway' ? roomy(env) : { env };
      system = await System.start({ special });
    });
    after(() => system?.stop());

    test('books, and refuses a token that has expired by its clock', async () => {
      const [who, slot] = [person(), await freeSlot(system, { index: 2 })];
      const key = randomUUID();
      const first = await book(system, who, slot, key);
      assert.equal(first.status, 201, JSON.stringify(first.body));
      assert.equal((await book(system, who, slot, key)).body.reference, first.body.reference, 'once more is the same');
      const native = await bookNatively(system.origin, person(), await freeSlot(system, { index: 3 }));
      assert.match(native.page, REFERENCE);
      const headers = { Authorization: `Bearer ${system.token('appointments:read')}` };
      const desk = await system.api('/appointments?email=a%40b.example', { headers });
      assert.equal(desk.status, staff, await desk.clone().text());
      await assertOthersGoOn(system);
    });
  });
}

describe('the log of the gateway is not read', () => {
  let system;
  before(async () => {
    // Each request logs many lines at this level.
    system = await System.start({ special: { gateway: { ...roomy({ RUST_LOG: 'trace' }), isLogRead: false } } });
  });
  after(() => system?.stop());

  const memoryMib = () => {
    const status = readFileSync(`/proc/${system.programs.gateway.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)[1]) / 1024;
  };

  test('responds as before, stops growing, and counts the dropped lines', async () => {
    const slot = await freeSlot(system, { index: 4 });
    const before = memoryMib();
    const ask = async () => {
      const asked = Array.from({ length: 32 }, () => fetch(`${system.origin}/api/blogs/${randomUUID()}`));
      for (const answer of await within(30_000, 'answers', Promise.all(asked))) await answer.text();
    };
    // The pipe buffers 64 KiB, and the queue behind it a fixed number of lines.
    const isLost = async () => (await ask(), (await system.metric('log_lines_dropped_total')) > 0);
    await until('lines are lost, and counted', isLost, 60_000);
    for (let round = 0; round < 10; round += 1) await ask();
    const booked = await book(system, person(), slot);
    assert.equal(booked.status, 201, JSON.stringify(booked.body));
    await assertOthersGoOn(system);
    assert.ok(memoryMib() < before + 100, `${before} MiB before, ${memoryMib()} MiB after`);
  });
});
