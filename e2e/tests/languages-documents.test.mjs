/** The gateway's own documents, the status page and the offline page in Kannada and Hindi. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { PHONE, launch, visitor } from '../browser.mjs';
import { EMERGENCY, fillGateway, roomy } from '../faults.mjs';
import { LANGUAGES, assertOwnPage, inLanguage, translations } from '../languages.mjs';
import { until } from '../processes.mjs';
import { System } from '../system.mjs';
import { STORED, returning, stored } from '../worker.mjs';

/** Documents of one network in a minute. */
const DOCUMENTS_MAX = 60;

describe('documents of the gateway in other languages', () => {
  let system;
  let browser;
  before(async () => {
    const limits = { REQUESTS_IN_FLIGHT_MAX: '1', REQUEST_TIMEOUT_MS_MAX: '60000', TRUSTED_HOPS: '1' };
    const special = { gateway: roomy({ ...limits, ADDRESS_DOCUMENTS_MAX: String(DOCUMENTS_MAX) }) };
    [system, browser] = await Promise.all([System.start({ special }), launch()]);
  });
  after(async () => {
    system?.programs['svc-booking']?.thaw();
    await browser?.close();
    await system?.stop();
  });

  for (const [index, language] of Object.keys(LANGUAGES).entries()) {
    const at = (path) => inLanguage(system, language, path);
    const say = translations(language, 'gateway/documents/messages');

    /** Opens a browser in a separate network. */
    async function from(network) {
      const address = `203.0.113.${network + index}`;
      const opened = await visitor(browser, { viewport: PHONE });
      await opened.context.setExtraHTTPHeaders({ 'X-Forwarded-For': address });
      return { ...opened, address };
    }

    async function assertRefusal(page, title, name) {
      assert.equal(await page.locator('h1').innerText(), say(title));
      await assertOwnPage(page, language, { name });
      assert.equal(await page.locator(`a[href="${EMERGENCY}"]`).count(), 1);
    }

    test(`the status page in ${language}`, async () => {
      const { context, page } = await from(10);
      await until('everything works', async () => {
        await page.goto(at('/status'));
        return (await page.getByText(say('Everything works.')).count()) > 0;
      });
      await assertOwnPage(page, language, { name: 'status' });
      await system.programs['svc-assessment'].kill();
      await until('a part is down', async () => {
        await page.reload();
        return (await page.getByText(say("Isn't working at the moment")).count()) > 0;
      });
      await assertOwnPage(page, language, { name: 'status-down' });
      await system.programs['svc-assessment'].start();
      await context.close();
    });

    test(`404 for a form without a page in ${language}`, async () => {
      const { context, page } = await from(20);
      await page.goto(at('/emergency'));
      await page.evaluate((action) => {
        const form = Object.assign(document.createElement('form'), { method: 'post', action });
        document.body.append(form);
        form.submit();
      }, `/${language}/no-such-page`);
      await page.waitForURL('**/no-such-page');
      await assertRefusal(page, 'There is no page at this address', 'refused-404');
      await context.close();
    });

    test(`429 over the limit of documents in ${language}`, async () => {
      const { context, page, address } = await from(30);
      const ask = () => fetch(at('/no-such-page'), { headers: { 'X-Forwarded-For': address } });
      for (let asked = 0; asked < DOCUMENTS_MAX; asked += 1) await (await ask()).text();
      assert.equal((await page.goto(at('/doctors'))).status(), 429);
      await assertRefusal(page, "You've opened too many pages in a short time", 'refused-429');
      await context.close();
    });

    test(`503 without capacity in ${language}`, async () => {
      const { context, page } = await from(40);
      const relieve = await fillGateway(system);
      try {
        const answer = await page.goto(at(`/doctors?q=${randomUUID()}`));
        assert.equal(answer.status(), 503);
        await assertRefusal(page, 'Our website is very busy at the moment', 'refused-503');
      } finally {
        await relieve();
      }
      await context.close();
    });

    test(`first aid and the offline page in ${language}`, async () => {
      const { context, page } = await returning(browser, system.origin);
      await page.goto(at('/doctors'));
      const own = STORED.map((path) => `/${language}${path}`);
      await until('the pages are stored', async () => {
        const { 'pages-1': pages } = await stored(page);
        return own.every((path) => pages.includes(path));
      });
      await context.setOffline(true);
      await page.goto(at('/search?q=knee'));
      assert.equal(await page.locator('h1').innerText(), say('You’re offline'));
      await assertOwnPage(page, language, { name: 'offline' });
      await page.locator(`a[href="/${language}/emergency"]`).first().click();
      await page.waitForURL(at('/emergency'));
      await assertOwnPage(page, language, { name: 'offline-first-aid' });
      await context.close();
    });
  }
});
