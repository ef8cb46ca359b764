/**
 * Teams ship independently. While visitors browse and book, versions of page modules and processes of a service change
 * without affecting anything else. Broken versions are refused, failing ones are rolled back, and disagreeing gateways
 * are reported.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { dirname, join } from 'node:path';
import { REFERENCE, confirmation, freeSlot, openFilledForm, person, submitButton } from '../booking.mjs';
import { launch, visitor } from '../browser.mjs';
import { Program, until } from '../processes.mjs';
import { Releases, shownBy } from '../releases.mjs';
import { DATABASES, System } from '../system.mjs';
import { published as publishedModules } from '../site-map.mjs';
import { Visitors } from '../visitors.mjs';

/** Visits per second: the visitors share two cores with the programs and the publisher's verification. */
const VISITS_PER_SECOND = 25;
/** Duration of each state of the site under visits. */
const STATE_MS = 3_000;
/** Concurrent readers of a service whose processes are replaced; each reader sends one request at a time. */
const READERS = 3;
/** The canary's share in percent, and the number of documents sampled in addition to the visitors' own. */
const SHARE = 20;
const DRAWS = 400;
const DRAWS_AT_ONCE = 10;
/** Requests of a single visitor. The probability that all get the same version is about 1 in 600,000. */
const SAME_DRAWS = 60;
/** Time limit for the rollback of a throwing version. */
const ROLLBACK_MS_MAX = 60_000;
/** Each visitor has its own network, taken from the header of one trusted proxy. */
const GATEWAY = ['--trusted-hops', '1'];

const APPOINTMENT = 'src/appointment.tsx';
const PAGE = '<div className={styles.page}>';
const TITLE = "<h1 className={styles.title}>{t('Book an appointment')}</h1>";
const BOOKING = { marker: 'Book your appointment now', path: '/appointment' };
const CONTENT = { marker: 'Meet all of our medical team', path: '/doctors' };

describe('teams ship alone', () => {
  let releases;
  let booking;
  let content;
  let throwing;
  let international;
  before(async () => {
    releases = new Releases();
    await releases.prepare();
    const title = (to) => [{ file: APPOINTMENT, from: TITLE, to }];
    // Neither missing data nor an example in the API's description has a third department.
    const throws = "{props.data.departments.ok && props.data.departments.body.departments[2]?.words.join(' ')}";
    const intl = TITLE.replace(
      "{t('Book an appointment')}",
      '{new Intl.NumberFormat("en-IN").format(100000)} appointments',
    );
    [booking, content, throwing, international] = await Promise.all([
      releases.build('booking', 'booking-2', title(TITLE.replace("{t('Book an appointment')}", BOOKING.marker))),
      releases.build('content', 'content-2', [
        {
          file: 'src/doctors/doctors.tsx',
          from: "const TITLE = 'Meet Our Expert Medical Team';",
          to: `const TITLE = '${CONTENT.marker}';`,
        },
      ]),
      // Around form and confirmation: every render of the page throws.
      releases.build('booking', 'booking-throws', [{ file: APPOINTMENT, from: PAGE, to: PAGE + throws }]),
      releases.build('booking', 'booking-intl', title(intl)),
    ]);
  });
  after(() => releases?.remove());

  const watched = () => [
    { ...BOOKING, ...booking },
    { ...CONTENT, ...content },
  ];
  const shows = (gateway, team, version) =>
    until(`the gateway shows ${team} ${version}`, async () => (await shownBy(gateway, team)).stable === version);

  const [, { database, skip }] = DATABASES;
  test(
    'two teams release pages and processes, and roll back, without a lost visit or another change',
    { skip },
    async (t) => {
      const system = await System.start({
        database,
        gateway: GATEWAY,
        remotes: releases.remotes,
        replicas: { 'svc-content': 2 },
      });
      const visitors = new Visitors(system, watched());
      const browser = await launch();
      try {
        const { gateway } = system.programs;
        const before = await standing(system, releases);
        const first = { booking: releases.stable('booking'), content: releases.stable('content') };
        await visitors.start(VISITS_PER_SECOND);
        // A visitor fills in the form of the first version and submits it after everything else has changed.
        const { page, problems } = await visitor(browser);
        await openFilledForm(page, system, await freeSlot(system, { department: 'Neurology' }), person());
        await pause(STATE_MS);

        await published(releases.publish(booking));
        await shows(gateway, 'booking', booking.version);
        await pause(STATE_MS);
        // Nothing of other teams changes, not even the bytes of their resident pages.
        const { pids, digests, residents } = await standing(system, releases);
        assert.deepEqual(pids, before.pids);
        assert.deepEqual(without(digests, booking), before.digests);
        assert.deepEqual(residents, before.residents);

        await renewed(system, 'svc-content', visitors);
        await published(releases.publish(content));
        await shows(gateway, 'content', content.version);
        await pause(STATE_MS);
        assert.equal(releases.stable('booking'), booking.version, 'the other team stays where it is');
        await submitButton(page).click();
        assert.match(await confirmation(page), REFERENCE);
        assert.deepEqual(problems, []);

        await published(releases.rollBack('booking'));
        await published(releases.rollBack('content'));
        await renewed(system, 'svc-content', visitors);
        for (const [team, version] of Object.entries(first)) await shows(gateway, team, version);
        await pause(STATE_MS);
        await visitors.stop();

        const end = await standing(system, releases);
        assert.deepEqual(without(end.digests, booking, content), before.digests);
        assert.deepEqual(end.residents, before.residents);
        const moved = Object.keys(end.pids).filter((name) => end.pids[name] !== before.pids[name]);
        assert.deepEqual(moved, ['svc-content', 'svc-content-2']);
        assertServed(t, visitors);
        for (const { team, version } of [booking, content, ...before.versions]) {
          const seen = visitors.documents.filter(({ versions }) => versions[team] === version).length;
          t.diagnostic(`${team} ${version}: ${seen} documents`);
          assert.ok(seen > 0, `${team} ${version} was seen`);
        }
        t.diagnostic(`${await visitors.readFilesAgain()} files of all versions are there`);
        await assertBooked(visitors);
      } finally {
        await visitors.stop();
        await browser.close();
        await system.stop();
      }
    },
  );

  describe('releases only good versions', () => {
    let system;
    let visitors;
    const gateway = () => system.programs.gateway;
    before(async () => {
      releases.reset();
      system = await System.start({ gateway: GATEWAY, remotes: releases.remotes });
      visitors = new Visitors(system, watched());
      await visitors.start(VISITS_PER_SECOND);
    });
    after(async () => {
      await visitors?.stop();
      await system?.stop();
    });

    test('refuses to publish a version that uses Intl', async () => {
      const [pointers, digests] = [releases.pointers(), releases.digests()];
      const refused = await releases.publish(international);
      assert.notEqual(refused.code, 0);
      for (const means of ['is not published', 'page /appointment', 'Intl'])
        assert.ok(refused.text.includes(means), refused.text);
      assert.equal(releases.pointers(), pointers);
      assert.deepEqual(releases.digests(), digests);
      assert.ok(!existsSync(join(releases.remotes, 'booking', international.version)));
      assert.equal((await releases.whatRuns(gateway())).code, 0);
      assert.deepEqual(visitors.takeFailures(), []);
      assert.ok(!visitors.documents.some(({ versions }) => versions.booking === international.version));
    });

    test('a canary renders its share of the documents, for every client', async (t) => {
      const stable = releases.stable('booking');
      await published(releases.publish(booking, '--canary', `${SHARE}`));
      const shown = async () => (await shownBy(gateway(), 'booking')).canary?.version === booking.version;
      await until('the canary flies', shown);
      const began = visitors.documents.length;
      const turns = Array.from({ length: DRAWS / DRAWS_AT_ONCE }, (_, index) => index);
      for (const _ of turns) {
        await Promise.all(Array.from({ length: DRAWS_AT_ONCE }, () => visitors.document(BOOKING.path)));
      }
      const drawn = visitors.documents.slice(began).filter(({ path }) => path.split('?')[0] === BOOKING.path);
      const share = drawn.filter(({ versions }) => versions.booking === booking.version).length;
      const [mean, deviation] = [
        0.01 * SHARE * drawn.length,
        Math.sqrt(0.01 * SHARE * (1 - 0.01 * SHARE) * drawn.length),
      ];
      t.diagnostic(`${share} of ${drawn.length} documents, ${mean.toFixed(0)} ± ${deviation.toFixed(0)} expected`);
      assert.ok(Math.abs(share - mean) < 5 * deviation, `${share} of ${drawn.length}`);
      // Sampling ignores the visitor's identity.
      const headers = { 'X-Client-Id': randomUUID(), 'X-Forwarded-For': '198.51.100.7' };
      const same = new Set();
      for (let draw = 0; draw < SAME_DRAWS; draw += 1) {
        const text = await (await fetch(system.origin + BOOKING.path, { headers })).text();
        same.add(text.includes(BOOKING.marker) ? booking.version : stable);
      }
      assert.deepEqual(same, new Set([stable, booking.version]));
      await published(releases.rollBack('booking'));
      await until('the canary is over', async () => (await shownBy(gateway(), 'booking')).canary === null);
      assert.deepEqual(visitors.takeFailures(), []);
    });

    test('rolls back a version that throws for real data within a minute', async (t) => {
      const stable = releases.stable('booking');
      const before = await system.metric('remote_rollbacks_total', { team: 'booking' });
      await published(releases.publish(throwing));
      const began = Date.now();
      const gone = async () => {
        const shown = await shownBy(gateway(), 'booking');
        return shown.stable === stable && shown.refused[0]?.reason === 'rolled_back' && shown;
      };
      const shown = await until('it is rolled back', gone, ROLLBACK_MS_MAX);
      t.diagnostic(`back after ${((Date.now() - began) / 1000).toFixed(1)} s`);
      assert.equal(shown.wanted, throwing.version);
      assert.equal(await system.metric('remote_rollbacks_total', { team: 'booking' }), before + 1);
      // Requests that started earlier have their responses by now.
      await pause(STATE_MS);
      const failures = visitors.takeFailures();
      t.diagnostic(
        `${failures.length} visitors saw the page of failures, ${visitors.counts['bookNatively 201'] ?? 0} a receipt`,
      );
      // Documents from the gateway's cache are unaffected, and bookings without script get the gateway's receipt.
      const labels = { team: 'booking', version: throwing.version, outcome: 'failed' };
      assert.ok((await system.metric('remote_renders_total', labels)) >= 5);
      assert.deepEqual(
        failures.filter((failure) => !/\/appointment(\?\S*)? → 500/.test(failure)),
        [],
        'only its own page failed',
      );
      await pause(STATE_MS);
      assert.deepEqual(visitors.takeFailures(), []);

      const report = await releases.whatRuns(gateway());
      assert.notEqual(report.code, 0);
      const why = /refuses booking (\S+) \(rolled_back\): \d+ of \d+ renders failed within a minute/.exec(report.text);
      assert.equal(why?.[1], throwing.version, report.text);
      await published(releases.rollBack('booking'));
      await until('nothing is refused', async () => (await releases.whatRuns(gateway())).code === 0);
    });

    test('reports gateways that disagree', async () => {
      const [stable, folder] = [releases.stable('booking'), releases.fetched('behind')];
      const { args, env, logFile } = gateway();
      const own = args.map((word) => (word === releases.remotes ? folder : word));
      const behind = new Program('gateway', { args: own, env, logDir: dirname(logFile) });
      try {
        await behind.start();
        const counters = await (await fetch(`${behind.operatorsOrigin}/metrics`)).text();
        for (const series of [
          'remote_rollbacks_total{team="booking"}',
          'remote_refusals_total{team="booking",reason="bundle"}',
        ])
          assert.ok(counters.includes(`\n${series} 0\n`), `${series} is counted from 0`);
        const agreed = await releases.whatRuns(gateway(), behind);
        assert.equal(agreed.code, 0, agreed.text);
        await published(releases.publish(booking));
        await shows(gateway(), 'booking', booking.version);

        const report = await releases.whatRuns(gateway(), behind);
        assert.notEqual(report.code, 0);
        const both = [stable, booking.version].sort().join(' | ');
        assert.ok(report.text.includes(`gateways disagree on booking: ${both}`), report.text);
        for (const [program, version] of [
          [gateway(), booking.version],
          [behind, stable],
        ]) {
          const metrics = await (await fetch(`${program.operatorsOrigin}/metrics`)).text();
          const shown = metrics.match(/^remote_version_info\{team="booking".*$/gm);
          assert.deepEqual(shown, [`remote_version_info{team="booking",version="${version}",role="stable"} 1`]);
        }
        releases.fetched('behind');
        await shows(behind, 'booking', booking.version);
        const again = await releases.whatRuns(gateway(), behind);
        assert.equal(again.code, 0, again.text);
      } finally {
        await behind.stop();
      }
      assert.deepEqual(visitors.takeFailures(), []);
    });
  });
});

/** Returns the state that another team's release must not change: processes, published bytes and resident pages. */
async function standing(system, releases) {
  const pids = Object.fromEntries(Object.entries(system.programs).map(([name, { pid }]) => [name, pid]));
  const residents = {};
  for (const path of residentPaths()) {
    const answer = await fetch(system.origin + path);
    assert.equal(answer.status, 200, path);
    residents[path] = await answer.text();
  }
  const digests = releases.digests();
  const { shell, teams } = JSON.parse(releases.pointers());
  const versions = Object.entries({ shell, ...teams }).map(([team, { stable }]) => ({ team, version: stable }));
  return { pids, digests, residents, versions };
}

/** Returns the addresses of the resident pages, which the gateway renders once and keeps in memory. */
function residentPaths() {
  const pages = publishedModules().flatMap(({ pages, compositions = [] }) => [...pages, ...compositions]);
  return pages.filter(({ resident }) => resident).flatMap(({ route, walk }) => walk ?? [route]);
}

function without(digests, ...published) {
  const own = published.map(({ team, version }) => `${team}/${version}`);
  return Object.fromEntries(Object.entries(digests).filter(([name]) => !own.includes(name)));
}

async function published(command) {
  const { code, text } = await command;
  assert.equal(code, 0, text);
}

/**
 * Replaces a service's processes one after the other, as a deployment does, under continuous reads. Each new process
 * must receive some of the calls.
 */
async function renewed(system, service, visitors) {
  let isOver = false;
  const readers = Array.from({ length: READERS }, async () => {
    while (!isOver) await visitors.attempt('search');
  });
  try {
    for (const program of system.replicas(service)) {
      await program.stop();
      await program.start();
      await program.ready();
      await until('it is asked', async () => {
        const metrics = await (await fetch(`${program.operatorsOrigin}/metrics`)).text();
        return /^rpc_server_duration_seconds_count\{method="\S+\/Search",code="0"\} [1-9]/m.test(metrics);
      });
    }
  } finally {
    isOver = true;
    await Promise.all(readers);
  }
}

/** Checks that no visit failed for any reason. */
function assertServed(t, { failures, counts, durationsMs }) {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const at = (share) => Math.round(sorted[Math.floor(sorted.length * share)]);
  t.diagnostic(`${sorted.length} visits, half of them within ${at(0.5)} ms, 99 % within ${at(0.99)} ms`);
  t.diagnostic(JSON.stringify(counts));
  assert.deepEqual(failures, []);
  assert.equal(counts['bookNatively 201'], undefined, 'nobody had to do with a receipt');
}

/** Checks that every confirmed booking still exists and has its time exclusively. */
async function assertBooked(visitors) {
  const { bookings } = visitors;
  assert.ok(bookings.length > 20, `${bookings.length} bookings`);
  assert.equal(new Set(bookings.map(({ reference }) => reference)).size, bookings.length);
  const times = bookings.filter(({ doctor }) => doctor).map(({ doctor, date, time }) => `${doctor} ${date} ${time}`);
  assert.equal(new Set(times).size, times.length, 'a doctor sees one patient at a time');
  for (const booking of bookings) {
    const found = await visitors.readAgain(booking);
    assert.equal(found.email, booking.who.email);
  }
}
