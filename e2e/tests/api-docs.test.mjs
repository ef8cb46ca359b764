/** The API's own documentation page: readable on a phone, without script and with assistive technology. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, assertFits, assertReflows, axe, launch, visitor } from '../browser.mjs';
import { System } from '../system.mjs';

describe('the page of the API', () => {
  let system;
  let browser;
  before(async () => {
    system = await System.start({ services: false, gateway: ['--api-only'] });
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  for (const [name, viewport, colorScheme, isOpen] of [
    ['a phone, everything open', PHONE, 'light', true],
    ['a desktop in the dark', DESKTOP, 'dark', false],
  ]) {
    test(`fits, reflows and is accessible: ${name}`, async () => {
      const { context, page } = await visitor(browser, { viewport });
      await page.emulateMedia({ colorScheme });
      const links = await (await system.api('')).json();
      const response = await page.goto(system.origin + links.docs);
      assert.equal(response.status(), 200);
      if (isOpen)
        await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
      assert.deepEqual(await axe(page), []);
      await assertFits(page);
      await assertReflows(page);
      await context.close();
    });
  }

  test('a link in the contents opens its operation, without script', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE, javaScriptEnabled: false });
    await page.goto(`${system.origin}/api/docs#op-CreateAppointment`);
    const operation = page.locator('#op-CreateAppointment');
    await operation.waitFor({ state: 'visible' });
    assert.match(await operation.innerText(), /Idempotency-Key/);
    await context.close();
  });
});
