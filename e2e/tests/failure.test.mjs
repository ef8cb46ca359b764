/** Parts of the site are down: the rest works, reports the failure and loses no data. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PHONE, launch, visitor } from '../browser.mjs';
import { FAILED_TEXT, REFERENCE, confirmation, freeSlot, openFilledForm, person, submitButton } from '../booking.mjs';
import { until } from '../processes.mjs';
import { System } from '../system.mjs';

describe('svc-booking is killed', () => {
  let system;
  let browser;
  before(async () => {
    [system, browser] = await Promise.all([System.start(), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  test('the form keeps its data, and books once the service is back', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE });
    const [slot, who] = [await freeSlot(system), person()];
    await openFilledForm(page, system, slot, who);
    await system.programs['svc-booking'].kill();
    await submitButton(page).click();
    await page.getByRole('alert').filter({ hasText: FAILED_TEXT }).waitFor({ timeout: 30_000 });
    for (const name of ['firstName', 'lastName', 'email', 'phone', 'message']) {
      assert.equal(await page.locator(`main [name=${name}]`).inputValue(), who[name], `${name} is kept`);
    }
    await system.programs['svc-booking'].start();
    await until('the API answers again', async () => (await system.api('/departments')).ok);
    await submitButton(page).click();
    assert.match(await confirmation(page), REFERENCE);
    await context.close();
  });

  test('other pages work while it is down', async () => {
    await system.programs['svc-booking'].kill();
    const doctors = await fetch(`${system.origin}/doctors`);
    assert.equal(doctors.status, 200);
    assert.match(await doctors.text(), /Meet Our Expert Medical Team/);
    const problem = await system.api('/availability?department=ENT');
    assert.equal(problem.status, 503);
    assert.ok(Number(problem.headers.get('retry-after')) > 0);
    assert.match(problem.headers.get('content-type'), /^application\/problem\+json/);
    await system.programs['svc-booking'].start();
  });
});

describe('everything behind the gateway is down', () => {
  let system;
  let browser;
  before(async () => {
    [system, browser] = await Promise.all([System.start({ services: false }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  for (const path of ['/', '/appointment', '/doctors', '/no-such-page']) {
    test(`${path} still shows the numbers to call`, async () => {
      const { context, page } = await visitor(browser, { viewport: PHONE, javaScriptEnabled: false });
      const response = await page.goto(`${system.origin}${path}`);
      assert.ok([200, 404, 503].includes(response.status()), `status ${response.status()}`);
      const numbers = await page.locator('a[href^="tel:"]:visible').allInnerTexts();
      assert.ok(
        numbers.some((text) => /\d{4}/.test(text)),
        `a number one can read and tap: ${numbers}`,
      );
      await context.close();
    });
  }

  test('the gateway is alive', async () => {
    assert.equal((await fetch(`${system.origin}/healthz`)).status, 200);
  });
});
