/**
 * A service or its network fails in several ways. People keep what they typed and see the emergency number; programs
 * get a problem document in bounded time. The rest of the site continues, the gateway's metrics show the fault, and the
 * site recovers on its own. `docs/reference/faults.md` has the same rows.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FAILED_TEXT, REFERENCE, confirmation, freeSlot, openFilledForm, person, submitButton } from '../booking.mjs';
import { PHONE, launch, visitor } from '../browser.mjs';
import { assertGivesBack, assertOthersGoOn, assertProblem, book, bookNatively, bookingsOf, roomy } from '../faults.mjs';
import { until } from '../processes.mjs';
import { System } from '../system.mjs';

const SERVICE = 'svc-booking';
/** Statuses of a create with an unknown outcome: timed out, or not tried any more. */
const UNKNOWN = [504, 503];

const FAULTS = [
  {
    name: 'frozen (SIGSTOP)',
    begin: ({ service }) => service.freeze(),
    end: ({ service }) => service.thaw(),
    statuses: UNKNOWN,
  },
  {
    name: 'behind a network that swallows everything',
    begin: ({ network }) => network.break('blackhole'),
    end: ({ network }) => network.heal(),
    statuses: UNKNOWN,
  },
  {
    name: 'behind a network that trickles',
    begin: ({ network }) => network.break('slow'),
    end: ({ network }) => network.heal(),
    statuses: UNKNOWN,
  },
];

describe('svc-booking fails', () => {
  let system;
  let browser;
  before(async () => {
    const [proxied, special] = [[SERVICE], { gateway: roomy() }];
    [system, browser] = await Promise.all([System.start({ proxied, special }), launch()]);
    // Caches the pages beforehand.
    for (const path of ['/blogs', '/contact', '/appointment']) await fetch(`${system.origin}${path}`);
  });
  after(async () => {
    system?.programs[SERVICE]?.thaw();
    await browser?.close();
    await system?.stop();
  });

  const parts = () => ({ service: system.programs[SERVICE], network: system.networks[SERVICE] });
  const posts = async (statuses) => {
    const labels = (status) => ({ route: '/api/appointments', method: 'POST', status });
    const counts = await Promise.all(
      statuses.map((status) => system.metric('http_server_requests_total', labels(status))),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };

  for (const [index, { name, begin, end, statuses }] of FAULTS.entries()) {
    test(`by being ${name}`, async () => {
      const people = [person(), person(), person()];
      const slots = [];
      for (let at = 0; at < 3; at += 1) slots.push(await freeSlot(system, { index: 3 * index + at }));
      const { context, page } = await visitor(browser, { viewport: PHONE });
      await openFilledForm(page, system, slots[0], people[0]);
      const before = await posts(statuses);

      await begin(parts());
      try {
        // All at once: a dead service must not delay requests one after the other.
        await Promise.all([
          submitButton(page).click(),
          book(system, people[1], slots[1]).then((answer) => assertProblem(answer, statuses)),
          bookNatively(system.origin, people[2], slots[2]).then(({ status, page: html }) => {
            assert.ok(statuses.includes(status), `status ${status}`);
            assertGivesBack(html, people[2]);
          }),
          assertOthersGoOn(system),
        ]);
        await page.getByRole('alert').filter({ hasText: FAILED_TEXT }).waitFor({ timeout: 30_000 });
        for (const field of ['firstName', 'lastName', 'email', 'phone', 'message']) {
          assert.equal(await page.locator(`main [name=${field}]`).inputValue(), people[0][field], `${field} is kept`);
        }
        assert.ok((await posts(statuses)) >= before + 1, 'the metrics tell');
        assert.equal((await fetch(`${system.origin}/readyz`)).status, 200, 'one service is not the site');
      } finally {
        await end(parts());
      }

      await until(
        'the API answers again',
        async () => (await system.api(`/availability?department=ENT&doctor=doc-${index}`)).status < 500,
        30_000,
      );
      await submitButton(page).click();
      assert.match(await confirmation(page), REFERENCE);
      assert.equal(await bookingsOf(system, people[0]), 1, 'however often it was sent');
      await context.close();
    });
  }

  test('by answering 3 s late: loses nothing and refuses no one', async () => {
    const [who, slot] = [person(), await freeSlot(system, { department: 'Cardiology', index: 2 })];
    const { context, page } = await visitor(browser, { viewport: PHONE });
    await openFilledForm(page, system, slot, who);
    system.networks[SERVICE].break('latency', { latencyMs: 3000 });
    try {
      await Promise.all([submitButton(page).click(), assertOthersGoOn(system)]);
      assert.match(await confirmation(page), REFERENCE);
    } finally {
      system.networks[SERVICE].heal();
    }
    assert.equal(await bookingsOf(system, who), 1);
    assert.ok((await posts([201])) >= 1);
    await context.close();
  });
});
