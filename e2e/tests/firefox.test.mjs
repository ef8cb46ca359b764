/** The flows once in Debian's Firefox: the second engine, driven by WebDriver BiDi as every browser of its kind understands it. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { REFERENCE, freeSlot, person } from '../booking.mjs';
import { System } from '../system.mjs';

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
const PHONE = { width: 500, height: 800 };

describe('Firefox', () => {
  let system;
  let browser;
  before(async () => {
    assert.ok(existsSync(FIREFOX), `${FIREFOX} is missing: apt-get install firefox-esr`);
    system = await System.start();
    browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true });
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  async function open(path, javaScriptEnabled) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    const problems = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.setViewport(PHONE);
    await page.setJavaScriptEnabled(javaScriptEnabled);
    await page.goto(`${system.origin}${path}`);
    return { context, page, problems };
  }

  async function fill(page, who, slot) {
    for (const name of ['firstName', 'lastName', 'email', 'phone', 'message'])
      await page.type(`[name=${name}]`, who[name]);
    await page.select('select[name=department]', slot.department);
  }

  const reference = async (page) => {
    await page.waitForFunction(
      (pattern) => new RegExp(pattern).test(document.querySelector('main')?.textContent ?? ''),
      {},
      REFERENCE.source,
    );
    return page.$eval('main', (main) => main.textContent);
  };

  test('books with script', async () => {
    const { context, page, problems } = await open('/appointment', true);
    const [slot, who] = [await freeSlot(system, { department: 'Cardiology', index: 2 }), person()];
    await page.waitForSelector('[data-hydrated]');
    await fill(page, who, slot);
    await page.$eval(
      '[name=date]',
      (field, day) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, day);
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true }));
      },
      slot.date,
    );
    const time = `input[name=time][value="${slot.time}"]`;
    await page.waitForSelector(time);
    await page.$eval(time, (radio) => radio.click());
    await page.$$eval('main form button[type=submit]:not([name=intent])', (buttons) => buttons.at(-1).click());
    assert.match(await reference(page), REFERENCE);
    assert.deepEqual(problems, []);
    await context.close();
  });

  for (const path of ['/', '/doctors', '/appointment', '/blogs', '/emergency']) {
    test(`${path} shows itself without an error`, async () => {
      const { context, page, problems } = await open(path, true);
      assert.equal(await page.$$eval('h1', (headings) => headings.length), 1);
      const [content, width] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      assert.ok(content <= width, `${content} px in ${width} px`);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
});
