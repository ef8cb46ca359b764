/** A call is lost on its way back, after the service has done its work. The retry must not create a second booking. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { REFERENCE, confirmation, freeSlot, openFilledForm, person, submitButton } from '../booking.mjs';
import { PHONE, launch, visitor } from '../browser.mjs';
import { assertGivesBack, assertOthersGoOn, assertProblem, book, bookNatively, bookingsOf, roomy } from '../faults.mjs';
import { until } from '../processes.mjs';
import { System } from '../system.mjs';

const SERVICE = 'svc-booking';

describe('a call is cut', () => {
  let system;
  let browser;
  let network;
  before(async () => {
    const special = { gateway: roomy() };
    [system, browser] = await Promise.all([System.start({ proxied: [SERVICE], special }), launch()]);
    network = system.networks[SERVICE];
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const FAULTS = [
    { name: 'in the middle of the answer', fault: 'truncate' },
    { name: 'by a reset after the commit', fault: 'reset-answer' },
  ];
  for (const [index, { name, fault }] of FAULTS.entries()) {
    /** Runs `call` while the next response is lost. The fault must have applied, and the metrics must show a retry. */
    const struckBy = async (call) => {
      const [struck, retries] = [network.struck, await system.metric('upstream_retries_total')];
      network.break(fault);
      const result = await call();
      network.heal();
      assert.equal(network.struck, struck + 1, 'the answer was lost once');
      assert.ok((await system.metric('upstream_retries_total')) > retries, 'and the call made again');
      return result;
    };

    test(`${name}: stores the create of a program once`, async () => {
      const [who, slot, key] = [person(), await freeSlot(system, { index: 4 * index }), randomUUID()];
      const first = await struckBy(() => book(system, who, slot, key));
      assert.equal(first.status, 201, JSON.stringify(first.body));
      assert.equal((await book(system, who, slot, key)).body.reference, first.body.reference);
      assert.equal(await bookingsOf(system, who), 1);
    });

    test(`${name}: confirms in the page with script`, async () => {
      const [who, slot] = [person(), await freeSlot(system, { index: 4 * index + 2 })];
      const { context, page } = await visitor(browser, { viewport: PHONE });
      await openFilledForm(page, system, slot, who);
      await struckBy(async () => {
        await submitButton(page).click();
        assert.match(await confirmation(page), REFERENCE);
      });
      assert.equal(await bookingsOf(system, who), 1);
      await context.close();
    });

    test(`${name}: answers a read`, async () => {
      // A period in the next year, which no other test has requested.
      const query = `department=ENT&from=2027-0${index + 3}-01&to=2027-0${index + 3}-02`;
      const answer = await struckBy(() => system.api(`/availability?${query}`));
      assert.ok(answer.status < 500, await answer.text());
    });
  }

  test('the service is killed behind the network: advises a retry, because nothing was sent', async () => {
    const [who, other] = [person(), person()];
    const slots = [await freeSlot(system, { index: 9 }), await freeSlot(system, { index: 10 })];
    const key = randomUUID();
    await system.programs[SERVICE].kill();
    try {
      assertProblem(await book(system, who, slots[0], key), [503]);
      const native = await bookNatively(system.origin, other, slots[1]);
      assert.equal(native.status, 503);
      assertGivesBack(native.page, other);
      await assertOthersGoOn(system);
    } finally {
      await system.programs[SERVICE].start();
    }
    await until('bookings are kept again', async () => (await book(system, who, slots[0], key)).status === 201, 30_000);
    assert.equal(await bookingsOf(system, who), 1);
  });
});
